import { expect, test } from 'vitest'
import { call, openSample } from '../test/fixture.ts'
import { findTables } from './find-tables.ts'

const catalog = {
	names: async () => ['logs-2024', 'logs-2025', 'metrics', 'books'],
	sources: async () => [
		{ name: 'logs', kind: 'data stream' as const, indices: [] },
		{ name: 'library', kind: 'alias' as const, indices: ['books'] },
		{ name: 'last', kind: 'alias' as const, indices: ['logs-2025'] },
	],
	timed: async () => ['logs-2024', 'logs-2025'],
}
const found = async (text: string) => {
	const tables = await findTables(catalog, text, AbortSignal.timeout(1000))
	return tables.map(({ name, kind, detail }) => [kind, name, ...(detail === undefined ? [] : [detail])].join(' '))
}

test.each([
	['lib', ['alias library']],
	['LOG', ['data stream logs']],
	['logs-*', ['pattern logs-* 2 indices']],
	['*-2025', ['pattern *-2025 1 index']],
	['l*g*4', ['pattern l*g*4 1 index']],
	['books,metrics', ['list books,metrics 2 indices']],
	['lib*,books', ['pattern lib*,books 2 names']],
	['nothing-*', []],
	['logs-*/_search', []],
	['  ', []],
])('%s finds %j', async (text, expected) => {
	expect(await found(text)).toEqual(expected)
})

test.each([
	['logs', 'logs', true],
	['logs-*', 'logs-*', true],
	['l*', 'l*', false],
	['last', 'last', true],
	['library', 'library', false],
	['*', '*', false],
	['logs,logs-2024', 'logs,logs-2024', true],
])('what %s finds opens %s with the newest documents first: %s', async (text, name, isTimed) => {
	const table = (await findTables(catalog, text, AbortSignal.timeout(1000))).find(table => table.name === name)
	expect(table).toBeDefined()
	expect(table?.sort).toEqual(isTimed ? [{ column: '@timestamp', direction: 'desc' }] : undefined)
})

test('the engine says which indices have a date @timestamp', async () => {
	await using sample = await openSample()
	const [all, events] = await Promise.all(['*', 'event*'].map(text => sample.connection.findTables(text, call())))
	expect(all?.[0]?.sort).toBeUndefined()
	expect(events?.[0]?.sort).toEqual([{ column: '@timestamp', direction: 'desc' }])
})

test('an alias and a pattern open as tables, and each row belongs to its index', async () => {
	await using sample = await openSample()
	for (const table of ['library', 'b*,places']) {
		const { columns } = await sample.connection.describeTable(table, call())
		expect(columns.map(({ name }) => name)).toContain('title')
		expect((await sample.connection.countRows({ table, filters: [], match: 'all' }, call())).value).toBeGreaterThan(
			3000,
		)
	}
	const insert = [{ kind: 'insert', values: { title: 'x' } }] as const
	await expect(sample.connection.previewChanges('b*', insert, call())).rejects.toThrow(/b\* names several indices/)
})
