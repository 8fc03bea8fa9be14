import type { LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import { nameServer } from '../../tests/support/name-server.ts'
import { dial } from './dial.ts'

const ways = { ownPorts: () => [], proxyFor: () => undefined }

test('a name that is found slowly is looked for once, however often somebody asks and lets go', async () => {
	const found = Promise.withResolvers<LookupAddress[]>()
	let looks = 0
	using _ = nameServer(() => {
		looks++
		return found.promise
	})
	for (let round = 0; round < 100; round++) {
		const letGo = new AbortController()
		const dialling = dial({ host: 'slow.example', port: 1 }, ways, { signal: letGo.signal })
		letGo.abort(new Error('enough'))
		await expect(dialling).rejects.toThrow('enough')
	}
	expect(looks).toBe(1)
	found.resolve([{ address: '169.254.169.254', family: 4 }])
	await found.promise
	const { signal } = new AbortController()
	await expect(dial({ host: 'slow.example', port: 1 }, ways, { signal })).rejects.toThrow('link-local')
	expect(looks).toBe(2)
})
