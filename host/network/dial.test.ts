import type { LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import { nameServer } from '../../tests/support/name-server.ts'
import { temporaryServer } from '../../tests/support/temporary-server.ts'
import { dial } from './dial.ts'
import { NameLookups } from './name-lookups.ts'

const policy = { ownPorts: () => [], proxyFor: () => undefined }
const { signal: never } = new AbortController()

test('a name that resolves slowly is looked up once, for any number of aborted callers', async () => {
	const names = new NameLookups()
	const found = Promise.withResolvers<LookupAddress[]>()
	let lookups = 0
	using _ = nameServer(() => {
		lookups++
		return found.promise
	})
	for (let round = 0; round < 100; round++) {
		const letGo = new AbortController()
		const dialling = dial({ host: 'slow.example', port: 1 }, policy, { signal: letGo.signal, names })
		letGo.abort(new Error('enough'))
		await expect(dialling).rejects.toThrow('enough')
	}
	expect(lookups).toBe(1)
	found.resolve([{ address: '169.254.169.254', family: 4 }])
	await found.promise
	await expect(dial({ host: 'slow.example', port: 1 }, policy, { signal: never, names })).rejects.toThrow('link-local')
	expect(lookups).toBe(2)
})

/**
 * Attack: a driver connects to 200 names of a DNS zone that never answers. The operating system runs only a few lookups
 * at the same time. All other lookups of the host would wait, even after the driver has ended.
 */
test('a connection whose names never resolve has one lookup in flight and does not block other connections', async () => {
	await using server = await temporaryServer()
	let lookups = 0
	using _ = nameServer(name => {
		if (name === 'sound.example') return Promise.resolve([{ address: '127.0.0.1', family: 4 }])
		lookups++
		return new Promise(() => {})
	})
	const [greedy, other] = [new NameLookups(), new NameLookups()]
	const ending = new AbortController()
	const dials = Array.from({ length: 200 }, (_, index) =>
		dial({ host: `name${index}.example`, port: 1 }, policy, { signal: ending.signal, names: greedy }),
	)
	const outcomes = Promise.allSettled(dials)
	const socket = await dial({ host: 'sound.example', port: server.port }, policy, { signal: never, names: other })
	socket.destroy()
	expect(lookups).toBe(1)
	ending.abort(new Error('the driver ended'))
	expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true)
	expect(lookups).toBe(1)
	// localhost and addresses need no lookup.
	for (const host of ['localhost', '127.0.0.1'])
		(await dial({ host, port: server.port }, policy, { signal: never, names: greedy })).destroy()
	expect(lookups).toBe(1)
})
