import type { Filter, GridQuery } from '@roundhouse/kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, decode } from '../fixture.ts'
import { keyword } from './documents.ts'
import { type EngineUnderTest, filter } from './subject.ts'

/**
 * Contract of several indices with different mappings behind one name: a limitation of one index must not lose its
 * rows.
 */
export function describeUnlikeIndices(engine: EngineUnderTest) {
	describe('unlike indices behind one name', () => {
		const table = `${engine.table}-unlike`
		const indices = ['x', 'y', 'z'].map(name => `${table}-${name}`)
		beforeAll(async () => {
			for (const [at, properties] of mappings.entries()) {
				await engine.createTable(indices[at] ?? '', { properties })
				await engine.bulk(indices[at] ?? '', rows[at] ?? [])
			}
			const actions = indices.map(index => ({ add: { index, alias: table } }))
			expect((await engine.request('POST', '/_aliases', { actions })).status).toBe(200)
		})
		afterAll(async () => {
			for (const index of indices) await engine.request('DELETE', `/${index}`)
		})

		test('a name whose indices all have a date @timestamp is found with the newest documents first', async () => {
			const timed = [`${engine.table}-timed-a`, `${engine.table}-timed-b`]
			for (const index of timed) await engine.createTable(index, { properties: { '@timestamp': { type: 'date' } } })
			await engine.connection.listTables(call())
			const sortOf = async (name: string) =>
				(await engine.connection.findTables(name, call())).find(table => table.name === name)?.sort
			expect(await sortOf(`${engine.table}-timed-*`)).toEqual([{ column: '@timestamp', direction: 'desc' }])
			expect(await sortOf(`${timed[0]},${indices[0]}`)).toBeUndefined()
			for (const index of timed) await engine.request('DELETE', `/${index}`)
		})

		async function ask(more: Partial<GridQuery>) {
			const grid = await engine.connection.openGrid(engine.queryOf({ table, ...more }), call())
			const { rows, notices, total } = decode(await grid.page({ offset: 0, limit: 100 }, call()))
			await grid.close()
			return { ids: rows.map(row => String(row.cells[0])), notices, total }
		}

		test.each<[Filter, string]>([
			[filter('parts.kind', 'equals', 'k'), 'x1'],
			[filter('parts.kind', 'not_equals', 'k'), 'x2 y1 y2 z1'],
			[filter('parts', 'exists'), 'x1'],
			[filter('mixed.kind', 'equals', 'k'), 'x1 y1'],
			[filter('mixed.kind', 'not_equals', 'k'), 'x2 y2 z1'],
			[filter('name', 'equals', 'Ann'), 'x1 y1'],
			[filter('name', 'starts_with', 'A'), 'x1 y1'],
			[filter('amount', 'greater', '2'), 'x2 y1 z1'],
			[filter('only', 'equals', 'here'), 'x1'],
			[filter('only', 'missing'), 'x2 y1 y2 z1'],
		])('the filter %o loses no row', async (given, expected) => {
			const { ids, notices, total } = await ask({ filters: [given] })
			expect(ids.sort().join(' ')).toBe(expected)
			expect([notices, total.isExact]).toEqual([[], true])
		})

		test('searches a value only in the indices whose field it matches, and the notice names the others', async () => {
			const { ids, notices } = await ask({ filters: [filter('code', 'equals', 'one')] })
			expect(ids).toEqual(['y1'])
			expect(notices).toEqual([
				`"one" is not a number; code is of type long. No document of ${indices[0]} matches this filter.`,
			])
			expect((await ask({ filters: [filter('code', 'not_equals', 'one')] })).ids.sort()).toEqual([
				'x1',
				'x2',
				'y2',
				'z1',
			])
			expect((await ask({ filters: [filter('code', 'equals', '7')] })).ids.sort()).toEqual(['x1', 'y2'])
		})

		test('filters on one nested object apply to the same element with two mappings', async () => {
			const both = [filter('deep.kind', 'equals', 'a'), filter('deep.size', 'greater', '5')]
			expect((await ask({ filters: both })).ids.sort()).toEqual(['y1'])
		})

		test.each([
			['only', 'asc', 'x1'],
			['only', 'desc', 'x1'],
			['amount', 'asc', 'x1 y2 z1 x2 y1'],
			['amount', 'desc', 'y1 x2 z1 y2 x1'],
			['parts.kind', 'asc', 'x1'],
		] as const)('a sort by %s %s keeps every row', async (column, direction, first) => {
			const { ids, notices, total } = await ask({ sort: [{ column, direction }] })
			expect(ids.slice(0, first.split(' ').length).join(' ')).toBe(first)
			expect(ids.toSorted().join(' ')).toBe('x1 x2 y1 y2 z1')
			expect([notices, total]).toEqual([[], { value: 5, isExact: true }])
		})

		test.each([
			'asc',
			'desc',
		] as const)('an export by numbers of two lengths ends, and has each row once, %s', async direction => {
			const query = engine.queryOf({ table, sort: [{ column: 'length', direction }] })
			const rows = await engine.connection.openExport(query, { format: 'ndjson' }, call())
			const pieces: Uint8Array[] = []
			for (let piece = await rows.read(call()); piece; piece = await rows.read(call())) pieces.push(piece)
			await rows.close()
			const ids =
				Buffer.concat(pieces)
					.toString()
					.match(/"_id":"\w\d"/g) ?? []
			expect(ids.toSorted().map(id => id.slice(7, -1))).toEqual(['x1', 'x2', 'y1', 'y2', 'z1'])
		})

		test.each([
			['asc', 'y1 x1 x2'],
			['desc', 'x1 x2 y1'],
		] as const)('a sort of large numbers as decimals is said, %s', async (direction, first) => {
			const { ids, notices } = await ask({ sort: [{ column: 'wide', direction }] })
			// The first two are equal as decimals.
			expect(ids.slice(0, 3).join(' ').replace('x2 x1', 'x1 x2')).toBe(first)
			expect(notices).toEqual([
				'wide is whole in one index and decimal in another, so whole numbers beyond 9,007,199,254,740,992 are sorted as their nearest decimal.',
			])
		})

		test('drops a sort that the indices cannot agree on, and the notice says why', async () => {
			for (const [column, why] of [
				['code', 'the indices behind this name define it as keyword and long'],
				['name', 'the indices behind this name define it differently'],
				['mixed.kind', 'the indices behind this name define it differently'],
			] as const) {
				const { ids, notices } = await ask({ sort: [{ column, direction: 'asc' }] })
				expect(ids.toSorted().join(' '), column).toBe('x1 x2 y1 y2 z1')
				expect(notices).toEqual([`Not sorted by ${column}: ${why}.`])
			}
		})

		test('marks a count as inexact after the loss of a shard', async () => {
			const query = { ...engine.queryOf({ table }), filters: [filter('amount', 'equals', '1')] }
			expect(await engine.connection.countRows(query, call())).toEqual({ value: 1, isExact: true })
			// Replaced without the driver's knowledge by an index in which the filter fails.
			await engine.request('DELETE', `/${indices[2]}`)
			await engine.createTable(indices[2] ?? '', { properties: { amount: { type: 'ip' } } })
			await engine.request('POST', '/_aliases', { actions: [{ add: { index: indices[2], alias: table } }] })
			const counted = await engine.connection.countRows(query, call())
			expect(counted).toMatchObject({ value: 1, isExact: false })
			expect(counted.notice).toMatch(/^1 of 3 shards failed; documents are missing: /)
		})
	})
}

const nestedParts = { type: 'nested', properties: { kind: keyword } }
const number = (type: string) => ({ type })

const mappings = [
	{
		parts: nestedParts,
		mixed: nestedParts,
		deep: { type: 'nested', properties: { kind: keyword, size: number('integer') } },
		name: { type: 'text', fields: { keyword } },
		amount: number('long'),
		length: number('integer'),
		wide: number('long'),
		code: number('long'),
		only: keyword,
	},
	{
		mixed: { properties: { kind: keyword } },
		deep: { type: 'nested', properties: { kind: { type: 'text', fields: { keyword } }, size: number('long') } },
		name: keyword,
		amount: number('double'),
		length: number('long'),
		wide: number('double'),
		code: keyword,
	},
	{ amount: number('float') },
]

const rows = [
	[
		[
			'x1',
			'{"parts":[{"kind":"k"}],"mixed":[{"kind":"k"}],"name":"Ann","amount":1,"wide":9007199254740993,"code":7,"only":"here","deep":[{"kind":"a","size":1},{"kind":"b","size":9}]}',
		],
		['x2', '{"name":"Bob","amount":3,"wide":9007199254740992,"length":-5}'],
	],
	[
		['y1', '{"mixed":{"kind":"k"},"name":"Ann","amount":3.5,"wide":1.5,"code":"one","deep":[{"kind":"a","size":9}]}'],
		['y2', '{"amount":1.5,"code":"7","length":9007199254740993}'],
	],
	[['z1', '{"amount":2.5}']],
] as const
