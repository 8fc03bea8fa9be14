import { expect, test } from 'vitest'
import { call, openSample } from '../test/fixture.ts'
import { findTables } from './find-tables.ts'

const catalog = {
	names: async () => ['logs-2024', 'logs-2025', 'metrics', 'books'],
	sources: async () => [
		{ name: 'logs', kind: 'data stream' as const },
		{ name: 'library', kind: 'alias' as const },
	],
}
const found = async (text: string) => {
	const tables = await findTables(catalog, text, AbortSignal.timeout(1000))
	return tables.map(({ name, kind, detail }) => [kind, name, ...(detail === undefined ? [] : [detail])].join(' '))
}

test.each([
	['lib', ['alias library']],
	['LOG', ['data stream logs']],
	['logs-*', ['pattern logs-* 2 names']],
	['*-2025', ['pattern *-2025 1 name']],
	['l*g*4', ['pattern l*g*4 1 name']],
	['books,metrics', ['list books,metrics 2 names']],
	['nothing-*', []],
	['logs-*/_search', []],
	['  ', []],
])('%s finds %j', async (text, expected) => {
	expect(await found(text)).toEqual(expected)
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
