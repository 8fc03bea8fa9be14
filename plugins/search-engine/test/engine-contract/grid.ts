import type { Cell, Filter, Sort } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { call, decode } from '../fixture.ts'
import { type EngineUnderTest, filter } from './subject.ts'

/** Contract of columns, filters, order and pages. */
export function describeGrid(engine: EngineUnderTest) {
	test('reads columns from the mapping', async () => {
		const { columns } = await engine.connection.describeTable(engine.table, call())
		expect(columns.map(column => `${column.name}:${column.type}`).sort()).toEqual(
			[
				'_id:_id',
				'_index:_index',
				'_score:float',
				'title:text',
				'note:text',
				'tag:keyword',
				'n:long',
				'price:double',
				'at:date',
				'day:date',
				'ip:ip',
				'flag:boolean',
				'where:geo_point',
				'who.name:text',
				'who.age:integer',
				'parts:nested',
				'parts.kind:keyword',
				'parts.size:integer',
				'other:alias',
				'span:integer_range',
				'small:keyword',
			].sort(),
		)
		const tables = await engine.connection.listTables(call())
		expect(tables.map(known => known.name)).toContain(engine.table)
		expect(tables.filter(known => known.name.startsWith('.'))).toEqual([])
	})

	test.each<[Filter, string]>([
		[filter('tag', 'equals', 'red'), 'a c'],
		[filter('tag', 'not_equals', 'red'), 'b d e'],
		[filter('tag', 'in', 'blue', 'green'), 'a b'],
		[filter('tag', 'not_in', 'blue', 'green'), 'c d e'],
		[filter('tag', 'contains', 'RE'), 'a b c'],
		[filter('tag', 'wildcard', 'r?d'), 'a c'],
		[filter('tag', 'starts_with', 'gr'), 'b'],
		[filter('tag', 'ends_with', 'e'), 'a'],
		[filter('title', 'equals', 'The Quick Fox'), 'a'],
		[filter('title', 'equals', 'the quick fox'), ''],
		[filter('title', 'contains', 'quick'), 'a b'],
		[filter('note', 'equals', 'Fox'), 'a'],
		[filter('note', 'contains', 'oX'), 'a'],
		[filter('n', 'equals', '9223372036854775807'), 'a'],
		[filter('n', 'equals', '9223372036854775806'), 'b'],
		[filter('n', 'greater', '9223372036854775806'), 'a'],
		[filter('n', 'between', '-5', '5'), 'c d'],
		[filter('price', 'less', '1.10'), 'c'],
		[filter('price', 'less_or_equal', '1.10'), 'a c'],
		[filter('at', 'equals', '2024-02-29'), 'a'],
		[filter('at', 'greater', '2024-02-29'), 'b'],
		[filter('at', 'less_or_equal', '2024-02'), 'c'],
		[filter('at', 'less_or_equal', '2024'), ''],
		[filter('at', 'greater_or_equal', '2024-02-29||/M'), 'a b c'],
		[filter('day', 'equals', '2020-05-04'), 'b'],
		[filter('day', 'greater', '31/12/2019'), 'a b'],
		[filter('ip', 'equals', '10.1.0.0/16'), 'a'],
		[filter('ip', 'greater', '10.0.0.255'), 'a b'],
		[filter('flag', 'equals', 'false'), 'b'],
		[filter('who.name', 'equals', 'Ann'), 'a b'],
		[filter('other', 'equals', 'Ann'), 'a b'],
		[filter('who.age', 'less', '40'), 'a'],
		[filter('note', 'exists'), 'a d'],
		[filter('note', 'missing'), 'b c e'],
		[filter('parts', 'exists'), 'a b'],
		[filter('parts', 'missing'), 'c d e'],
		[filter('parts.kind', 'equals', 'x'), 'a b'],
		[filter('parts.kind', 'not_equals', 'x'), 'c d e'],
		[filter('where', 'exists'), 'a'],
		[filter('span', 'equals', '5'), 'a'],
		[filter('_id', 'in', 'b', 'c'), 'b c'],
		[filter('_index', 'equals', engine.table), 'a b c d e'],
		[filter('small', 'equals', 'longer than ten'), ''],
	])('%o', async (given, expected) => {
		expect(await engine.idsMatching(given)).toBe(expected)
	})

	test('a pattern takes no new documents, and says so with its rows', async () => {
		const query = { table: `${engine.table}*`, filters: [], match: 'all', sort: [] } as const
		const grid = await engine.connection.openGrid(query, call())
		const { cannot } = decode(await grid.page({ offset: 0, limit: 10 }, call()))
		await grid.close()
		expect(cannot).toEqual({
			insert: `${engine.table}* names several indices. Open one of them to add a document.`,
		})
	})

	test('documents have scores in the order of the scores, and in no other', async () => {
		const scores = async (sort: readonly Sort[]) => {
			const query = { table: engine.table, raw: 'quick OR fox', filters: [], match: 'all', sort } as const
			const grid = await engine.connection.openGrid(query, call())
			const { columns, rows } = decode(await grid.page({ offset: 0, limit: 10 }, call()))
			await grid.close()
			const at = columns.findIndex(({ name }) => name === '_score')
			return { isUniform: columns[at]?.isUniform ?? false, hasScores: rows.every(({ cells }) => cells[at] !== null) }
		}
		expect(await scores([])).toEqual({ isUniform: false, hasScores: true })
		expect(await scores([{ column: '_score', direction: 'asc' }])).toEqual({ isUniform: false, hasScores: true })
		expect(await scores([{ column: 'n', direction: 'desc' }])).toEqual({ isUniform: true, hasScores: false })
	})

	test('filters on one nested object apply to the same element', async () => {
		expect(await engine.idsMatching(filter('parts.kind', 'equals', 'x'), filter('parts.size', 'greater', '5'))).toBe(
			'b',
		)
	})

	test.each([
		['fox', 'a'],
		['title:quick AND note:fox', 'a'],
		['quick OR tag:red', 'a b c'],
		['quick -fox', 'b'],
		['"quick brown"', 'b'],
		['n:[1 TO 3]', 'c d'],
		['n:>100', 'a b'],
		['tag:gr*', 'b'],
		['_exists_:note', 'a d'],
		['who.name:(ann OR bob)', 'a b c'],
		['at:[2024-02-29 TO 2024-02-29]', 'a'],
		['NOT _exists_:tag', 'd e'],
		['+quick +brown', 'b'],
		['price:1.1', 'a'],
	])('finds rows with the raw query %s', async (raw, expected) => {
		expect((await engine.idsOf({ raw })).sort().join(' ')).toBe(expected)
	})

	test.each([
		['title', 'asc', 'c b a d e'],
		['n', 'asc', 'c d b a e'],
		['n', 'desc', 'a b d c e'],
		['tag', 'asc', 'a b c d e'],
		['tag', 'desc', 'a c b d e'],
		['at', 'desc', 'b a c d e'],
		['ip', 'asc', 'c b a d e'],
		['flag', 'asc', 'b a c d e'],
		['parts.size', 'asc', 'a b c d e'],
		['parts.size', 'desc', 'a b c d e'],
		['who.age', 'desc', 'b a c d e'],
	] as const)('sorts by %s %s', async (column, direction, expected) => {
		expect((await engine.idsOf({ sort: [{ column, direction }] })).join(' ')).toBe(expected)
	})

	test('returns values as they were written', async () => {
		const grid = await engine.connection.openGrid(engine.queryOf({ filters: [filter('_id', 'equals', 'a')] }), call())
		const { columns, rows } = decode(await grid.page({ offset: 0, limit: 1 }, call()))
		await grid.close()
		const cells = Object.fromEntries(columns.map((column, index) => [column.name, rows[0]?.cells[index] as Cell]))
		expect(cells).toMatchObject({
			n: { number: '9223372036854775807' },
			price: { number: '1.10' },
			'parts.size': { json: '[3,9]' },
			tag: { json: '["red","blue"]' },
			flag: true,
			other: 'Ann',
		})
	})

	test('pages continue after 10,000, to the end and back', async () => {
		const grid = await engine.connection.openGrid(
			{ table: engine.largeTable, filters: [], match: 'all', sort: [{ column: 'n', direction: 'desc' }] },
			call(),
		)
		for (const [offset, expected] of [
			[9_990, 509],
			[10_010, 489],
			[10_480, 19],
			[10_460, 39],
			[0, 10_499],
		] as const) {
			const page = decode(await grid.page({ offset, limit: 20 }, call()))
			expect(page.rows[0]?.cells[0], `at ${offset}`).toBe(String(expected))
			expect(page.total).toEqual({ value: 10_500, isExact: true })
		}
		await grid.close()
		const plain = await engine.connection.openGrid(
			{ table: engine.largeTable, filters: [], match: 'all', sort: [] },
			call(),
		)
		const around = [
			decode(await plain.page({ offset: 9_980, limit: 20 }, call())),
			decode(await plain.page({ offset: 10_000, limit: 20 }, call())),
		]
		expect(new Set(around.flatMap(page => page.rows.map(row => row.id))).size).toBe(40)
		await plain.close()
	})

	test('reading from the end, rows without a value and with several have the same places', async () => {
		for (const sort of [
			{ column: 'm', direction: 'asc' },
			{ column: 'm', direction: 'desc' },
		] as const) {
			const query = { table: engine.largeTable, filters: [], match: 'all', sort: [sort] } as const
			const [stepping, jumping] = [
				await engine.connection.openGrid(query, call()),
				await engine.connection.openGrid(query, call()),
			]
			const idsOf = async (grid: typeof stepping, offset: number) =>
				decode(await grid.page({ offset, limit: 1_000 }, call())).rows.map(row => row.id)
			// 9,100 is read from the start and leaves a position. 10,100 continues from it, or is reached by a jump from the
			// end.
			await idsOf(stepping, 9_100)
			expect(await idsOf(jumping, 10_100)).toEqual(await idsOf(stepping, 10_100))
			await stepping.close()
			await jumping.close()
		}
	})

	test('counts documents in the list of tables, not elements of nested arrays', async () => {
		const tables = new Map((await engine.connection.listTables(call())).map(known => [known.name, known.rowCount]))
		const rows = async (index: string) =>
			(await engine.connection.countRows(engine.queryOf({ table: index }), call())).value
		expect(tables.get(engine.table)).toBe(await rows(engine.table))
		expect(tables.get(engine.largeTable)).toBe(10_500)
	})

	test('maps a new field by its first value, and shows a field outside the mapping', async () => {
		await engine.request('PUT', `/${engine.largeTable}/_doc/dynamic?refresh=true`, {
			d: '2020-01-01',
			s: 'txt',
			f: 1.5,
			i: 3,
			b: true,
			o: { deep: 'x' },
		})
		const { columns } = await engine.connection.describeTable(engine.largeTable, call())
		expect(
			columns
				.slice(3)
				.map(column => `${column.name}:${column.type}`)
				.sort(),
		).toEqual(['b:boolean', 'd:date', 'f:float', 'i:long', 'm:keyword', 'n:long', 'o.deep:text', 's:text'].sort())
		await engine.request('DELETE', `/${engine.largeTable}/_doc/dynamic?refresh=true`)
	})
}
