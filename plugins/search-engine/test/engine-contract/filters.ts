import { DriverError, type Filter, type GridQuery } from '@roundhouse/kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, decode } from '../fixture.ts'
import { keyword } from './documents.ts'
import { type EngineUnderTest, filter } from './subject.ts'

/** Contract of filters and sorts on fields with special indexing, and their notices. */
export function describeFilters(engine: EngineUnderTest) {
	describe('filters', () => {
		const table = `${engine.table}-filters`
		beforeAll(async () => {
			await engine.createTable(table, { properties })
			await engine.bulk(table, rows)
		})
		afterAll(() => engine.request('DELETE', `/${table}`))

		async function ask(more: Partial<GridQuery>) {
			const grid = await engine.connection.openGrid(engine.queryOf({ table, ...more }), call())
			const { rows, notices } = decode(await grid.page({ offset: 0, limit: 100 }, call()))
			await grid.close()
			return { ids: rows.map(row => String(row.cells[0])), notices }
		}
		const found = async (given: Filter) => (await ask({ filters: [given] })).ids.sort().join(' ')

		test('finds a text that is too long for .keyword by its words, with a notice', async () => {
			const { ids, notices } = await ask({ filters: [filter('title', 'equals', long)] })
			expect(ids).toEqual(['long'])
			expect(notices).toEqual([expect.stringMatching(/^title contains texts longer than 256 characters only as words/)])
			expect((await ask({ filters: [filter('title', 'in', 'short', long)] })).ids.sort()).toEqual(['long', 'short'])
			expect((await ask({ filters: [filter('title', 'not_equals', long)] })).ids).not.toContain('long')
			expect(await ask({ filters: [filter('title', 'equals', 'short')] })).toEqual({ ids: ['short'], notices: [] })
			expect(await ask({ filters: [filter('title', 'exists')] })).toEqual({ ids: ['short', 'long'], notices: [] })
		})

		test('reports values that are too long for a filter', async () => {
			for (const operator of ['contains', 'starts_with', 'wildcard', 'greater'] as const) {
				const { notices } = await ask({ filters: [filter('title', operator, 'a')] })
				expect(notices, operator).toEqual(['Values of title longer than 256 characters are not found by this filter.'])
			}
			expect((await ask({ filters: [filter('code', 'equals', 'longer than ten')] })).notices).toEqual([
				'Values of code longer than 10 characters are not indexed, so no filter finds them.',
			])
			expect(await ask({ filters: [filter('code', 'exists')] })).toEqual({
				ids: ['short'],
				notices: ['Values of code longer than 10 characters are not indexed, so they count as missing here.'],
			})
		})

		test('reports long values that a sort does not place', async () => {
			const { ids, notices } = await ask({ sort: [{ column: 'title', direction: 'asc' }] })
			expect(ids[0]).toBe('short')
			expect(notices).toEqual([
				'Values of title longer than 256 characters are not sorted. They are placed with the documents without a value.',
			])
		})

		test.each<[Filter, string]>([
			[filter('day', 'in', '2021-02-03', '04/05/2020'), 'short'],
			[filter('day', 'not_in', '2021-02-03'), 'keys long'],
			[filter('ip', 'in', '10.1.0.0/16', '192.168.0.1'), 'long short'],
			[filter('note', 'in', 'Fox', 'dog'), 'short'],
			[filter('labels.team', 'equals', 'red'), 'keys'],
			[filter('labels.team', 'not_equals', 'red'), 'long short'],
			[filter('labels.team', 'in', 'red', 'blue'), 'keys long'],
			[filter('labels.team', 'starts_with', 'bl'), 'long'],
			[filter('labels.team', 'greater', 'c'), 'keys'],
			[filter('labels.team', 'exists'), 'keys long'],
			[filter('labels.team', 'missing'), 'short'],
			[filter('labels.deep.er', 'equals', '5'), 'keys'],
			[filter('labels', 'equals', 'red'), 'keys'],
			[filter('title.keyword', 'equals', 'short'), 'short'],
			[filter('title.simple', 'equals', 'SHORT'), 'short'],
			[filter('title.keyword', 'starts_with', 'sh'), 'short'],
		])('%o', async (given, expected) => {
			expect(await found(given)).toBe(expected)
		})

		test('rejects a pattern on a key of a flattened field, and names the key', async () => {
			await expect(ask({ filters: [filter('labels.team', 'contains', 'e')] })).rejects.toThrow(
				'labels.team is a key of a flattened field. Text patterns apply to text and keyword fields only.',
			)
			await expect(ask({ filters: [filter('title.nope', 'equals', 'e')] })).rejects.toThrow(DriverError)
		})

		test('reports fields that are stored but cannot be searched', async () => {
			for (const name of ['blob', 'hidden']) {
				expect(await ask({ filters: [filter(name, 'exists')] }), name).toEqual({
					ids: [],
					notices: [
						`${name} is stored but not indexed. The engine finds no value of it, so all documents count as missing.`,
					],
				})
			}
			expect(await ask({ filters: [filter('stored', 'exists')] })).toEqual({ ids: ['short'], notices: [] })
		})

		test('reports why the cells of a table without _source are empty', async () => {
			const sourceless = `${table}-sourceless`
			await engine.createTable(sourceless, { _source: { enabled: false }, properties: { tag: keyword } })
			await engine.bulk(sourceless, [['a', '{"tag":"red"}']])
			const { ids, notices } = await ask({ table: sourceless, filters: [filter('tag', 'equals', 'red')] })
			await engine.request('DELETE', `/${sourceless}`)
			expect(ids).toEqual(['a'])
			expect(notices).toEqual([
				`${sourceless} stores no documents (_source is disabled), so their fields cannot be shown.`,
			])
		})

		test('an index with ignore_malformed also accepts malformed values in edits', async () => {
			const lenient = `${table}-lenient`
			await engine.createTable(
				lenient,
				{ properties: { n: { type: 'integer' }, strict: { type: 'integer', ignore_malformed: false } } },
				{ 'index.mapping.ignore_malformed': true },
			)
			const insert = (values: Record<string, string>) =>
				engine.connection.applyChanges(lenient, [{ kind: 'insert', values: { _id: 'a', ...values } }], call())
			const refused = await insert({ strict: '99999999999' })
			const taken = await insert({ n: '99999999999' })
			await engine.request('DELETE', `/${lenient}`)
			expect(refused).toMatchObject([{ status: 'failed' }])
			expect(taken).toMatchObject([{ status: 'applied' }])
		})
	})
}

const long = `the quick fox ${'and so on '.repeat(40)}end`

const properties = {
	title: {
		type: 'text',
		fields: { keyword: { ...keyword, ignore_above: 256 }, simple: { type: 'text', analyzer: 'simple' } },
	},
	code: { ...keyword, ignore_above: 10 },
	note: { type: 'text' },
	day: { type: 'date', format: 'dd/MM/yyyy' },
	ip: { type: 'ip' },
	labels: { type: 'flattened' },
	blob: { type: 'binary' },
	stored: { type: 'binary', store: true },
	hidden: { ...keyword, index: false, doc_values: false },
}

const rows = [
	[
		'short',
		'{"title":"short","code":"short","note":"A fox.","day":"03/02/2021","ip":"10.1.2.3","blob":"aGk=","stored":"aGk=","hidden":"x"}',
	],
	['long', `{"title":${JSON.stringify(long)},"code":"longer than ten","ip":"192.168.0.1","labels":{"team":"blue"}}`],
	['keys', '{"labels":{"team":"red","deep":{"er":5}}}'],
] as const
