import { DriverError } from '@roundhouse/kit'
import { expect, test, vi } from 'vitest'
import { call, openSample } from '../test/fixture.ts'
import { findTables, listTables } from './find-tables.ts'

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
	['  ', ['data stream logs', 'alias library', 'alias last']],
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

test('the list has the newest documents first of indices with a time, and is complete without their fields', async () => {
	const tables = async () => [{ name: 'logs-2024' }, { name: 'books' }]
	const sorted = { name: 'logs-2024', sort: [{ column: '@timestamp', direction: 'desc' }] }
	expect(await listTables({ ...catalog, tables }, AbortSignal.timeout(1000))).toEqual([sorted, { name: 'books' }])
	const timed = () => Promise.reject(new DriverError('denied', 'no fields'))
	expect(await listTables({ tables, timed }, AbortSignal.timeout(1000))).toEqual(await tables())
})

test('the list waits for the fields for a time that begins when the list is there', async () => {
	vi.useFakeTimers()
	using _ = { [Symbol.dispose]: () => void vi.useRealTimers() }
	const after = <T>(ms: number, value: T, signal?: AbortSignal) =>
		new Promise<T>((resolve, reject) => {
			setTimeout(() => resolve(value), ms)
			signal?.addEventListener('abort', () => reject(signal.reason))
		})
	const listed = async (listMs: number, fieldsMs: number) => {
		const tables = () => after(listMs, [{ name: 'logs-2024' }])
		const timed = (signal: AbortSignal) => after(fieldsMs, ['logs-2024'], signal)
		const listing = listTables({ tables, timed }, new AbortController().signal)
		await vi.advanceTimersByTimeAsync(20_000)
		return (await listing).map(({ sort }) => sort !== undefined)
	}
	expect(await listed(4000, 5000)).toEqual([true])
	expect(await listed(10, 5000)).toEqual([false])
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
