import { createRoot } from 'solid-js'
import { expect, test } from 'vitest'
import type { HostConnection } from '../api/client.ts'
import { createConnections } from './connections.ts'

test('an earlier reading of the tables that ends late does not replace a later one', async () => {
	const readings: PromiseWithResolvers<unknown>[] = []
	const answers: Record<string, unknown> = {
		'drivers.installed': [],
		'connections.list': [{ id: 'a', name: 'A' }],
		'connections.open': { info: {}, manifest: {} },
	}
	// Connections use only these methods.
	const host = {
		call(method: string) {
			if (method !== 'tables.list') return Promise.resolve(answers[method])
			readings.push(Promise.withResolvers())
			return readings.at(-1)?.promise
		},
		on: () => () => {},
	} as unknown as HostConnection
	const connections = createRoot(() => createConnections(host, () => {}))
	const names = () => connections.known('a')?.tables.map(({ name }) => name)
	const answer = (reading: number, ...tables: readonly string[]) =>
		readings[reading]?.resolve(tables.map(name => ({ name })))
	connections.open('a')
	await expect.poll(() => readings.length).toBe(1)
	answer(0, 'old')
	await expect.poll(names).toEqual(['old'])
	const both = [connections.refresh('a'), connections.refresh('a')]
	answer(2, 'old', 'new')
	await expect.poll(names).toEqual(['old', 'new'])
	answer(1, 'old')
	await Promise.all(both)
	expect(names()).toEqual(['old', 'new'])
})
