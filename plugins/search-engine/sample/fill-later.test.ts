import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { startSample } from './main.ts'

test('an index that is filled at its first use has as many documents as it said before', async () => {
	const sample = await startSample(directContext())
	try {
		const numberIn = async (path: string, member: RegExp) =>
			member.exec(await (await fetch(`${sample.url}${path}`)).text())?.[1]
		for (const index of ['books', 'places', 'events']) {
			const count = () => numberIn(`/${index}/_stats`, /"docs":\{"count":(\d+)/)
			const before = await count()
			expect(Number(before)).toBeGreaterThan(2_000)
			expect(await numberIn(`/${index}/_search?size=0&track_total_hits=true`, /"value":(\d+)/)).toBe(before)
			expect(await count()).toBe(before)
		}
	} finally {
		await sample.close()
	}
})
