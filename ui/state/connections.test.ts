import { createRoot } from 'solid-js'
import { expect, test } from 'vitest'
import type { HostConnection } from '../api/client.ts'
import { createConnections } from './connections.ts'

/** A host whose readings of the tables the test answers. */
function openConnections() {
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
	const { connections, close } = createRoot(close => ({ connections: createConnections(host, () => {}), close }))
	connections.open('a')
	return { readings, connections, close }
}

test('an earlier reading of the tables that ends late does not replace a later one', async () => {
	const { readings, connections, close } = openConnections()
	const names = () => connections.known('a')?.tables.map(({ name }) => name)
	const answer = (reading: number, ...tables: readonly string[]) =>
		readings[reading]?.resolve(tables.map(name => ({ name })))
	await expect.poll(() => readings.length).toBe(1)
	answer(0, 'old')
	await expect.poll(names).toEqual(['old'])
	const both = [connections.refresh('a'), connections.refresh('a')]
	answer(2, 'old', 'new')
	await expect.poll(names).toEqual(['old', 'new'])
	answer(1, 'old')
	await Promise.all(both)
	expect(names()).toEqual(['old', 'new'])
	close()
})

test('the counts are read again after a write when a late engine has counted it', async () => {
	const { readings, connections, close } = openConnections()
	const counts = () => connections.known('a')?.tables.map(({ rowCount }) => rowCount)
	const answer = (rowCount: number) => readings.at(-1)?.resolve([{ name: 'copy', rowCount }])
	await expect.poll(() => readings.length).toBe(1)
	answer(0)
	await expect.poll(counts).toEqual([0])
	const refreshed = connections.refresh('a')
	answer(0)
	await refreshed
	await expect.poll(() => readings.length).toBe(3)
	answer(6)
	await expect.poll(counts).toEqual([6])
	close()
})
