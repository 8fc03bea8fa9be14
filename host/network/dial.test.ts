import { afterEach, expect, test, vi } from 'vitest'
import { dial } from './dial.ts'

const looks = vi.hoisted(() => ({ count: 0, answer: Promise.withResolvers<{ address: string; family: number }[]>() }))
vi.mock('node:dns/promises', () => ({
	lookup: () => {
		looks.count++
		return looks.answer.promise
	},
}))
afterEach(() => {
	looks.count = 0
	looks.answer = Promise.withResolvers()
})

const ways = { ownPorts: () => [], proxyFor: () => undefined }

test('a name that is found slowly is looked for once, however often somebody asks and lets go', async () => {
	for (let round = 0; round < 100; round++) {
		const letGo = new AbortController()
		const dialling = dial({ host: 'slow.example', port: 1 }, ways, { signal: letGo.signal })
		letGo.abort(new Error('enough'))
		await expect(dialling).rejects.toThrow('enough')
	}
	expect(looks.count).toBe(1)
	looks.answer.resolve([{ address: '169.254.169.254', family: 4 }])
	await looks.answer.promise
	const { signal } = new AbortController()
	await expect(dial({ host: 'slow.example', port: 1 }, ways, { signal })).rejects.toThrow('link-local')
	expect(looks.count).toBe(2)
})
