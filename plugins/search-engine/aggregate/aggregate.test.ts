import { isJsonObject, type JsonObject } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { readMapping } from '../mapping/mapping.ts'
import { planQuery } from '../query/query.ts'
import { aggregated, aggregationBody } from './aggregate.ts'

const columns = ['a', 'b', 'c', 'd', 'e']
const properties = Object.fromEntries(columns.map(name => [name, { type: 'keyword' }]))
const mapping = readMapping({ logs: { mappings: { properties } } })
const inUtc = { mapping, timeZone: 'UTC' }

/** Returns the sizes of the levels, outermost first. */
function sizesOf(aggs: JsonObject): number[] {
	const level = aggs.g
	if (!isJsonObject(level) || !isJsonObject(level.terms)) return []
	return [Number(level.terms.size), ...(isJsonObject(level.aggs) ? sizesOf(level.aggs) : [])]
}

test.each([
	[1, 1000],
	[2, 50],
	[3, 100],
	[5, 50],
	[5, 1000],
])('limits %i levels of at most %i groups to what an engine can hold', (levels, limit) => {
	const groups = columns.slice(0, levels).map(column => ({ column }))
	const query = { table: 'logs', filters: [], match: 'all', groups, measures: [], limit } as const
	const plan = planQuery(query, { mapping, version: [8, 2] })
	const { aggs } = aggregationBody(query, { plan, mapping, version: [8, 2], timeZone: 'UTC' })
	const sizes = sizesOf(isJsonObject(aggs) ? aggs : {})
	expect(sizes).toHaveLength(levels)
	expect(sizes[0]).toBe(limit)
	expect(sizes.reduce((product, size) => product * size)).toBeLessThanOrEqual(20_000)
})

test('the starts of intervals and the ends of dates are ISO text, whatever the format of the field', () => {
	const dates = readMapping({ logs: { mappings: { properties: { at: { type: 'date', format: 'dd/MM/yyyy' } } } } })
	const query = { table: 'logs', filters: [], match: 'all', limit: 10 } as const
	const min = { value: 1_577_836_800_000, value_as_string: '01/01/2020' }
	const byDay = {
		...query,
		groups: [{ column: 'at', interval: '1d' }],
		measures: [{ function: 'min', column: 'at' }],
	} as const
	const bucket = { key: 1_577_836_800_000, key_as_string: '01/01/2020', doc_count: 3, m0: min }
	const { rows } = aggregated(
		byDay,
		{ aggregations: { g: { buckets: [bucket] } } },
		{ mapping: dates, timeZone: 'UTC' },
	)
	expect(rows).toEqual([['2020-01-01T00:00:00.000Z', 3, '2020-01-01T00:00:00.000Z']])
	const values = aggregated(
		{ ...query, groups: [{ column: 'at' }], measures: [] },
		{ aggregations: { g: { buckets: [bucket] } } },
		{ mapping: dates, timeZone: 'UTC' },
	)
	expect(values.rows).toEqual([['2020-01-01T00:00:00.000Z', 3]])
})

/** Returns the mapping of one index for each type of the field `n`. */
const mapped = (...types: readonly string[]) =>
	readMapping(Object.fromEntries(types.map(type => [type, { mappings: { properties: { n: { type } } } }])))

/** Returns the search body that counts different values of `n` over indices with these types. */
function countingDistinct(types: readonly string[]): JsonObject {
	const mapping = mapped(...types)
	const measures = [{ function: 'distinct', column: 'n' }] as const
	const query = { table: '*', filters: [], match: 'all', groups: [], measures, limit: 10 } as const
	return aggregationBody(query, {
		plan: planQuery(query, { mapping, version: [8, 2] }),
		mapping,
		version: [8, 2],
		timeZone: 'UTC',
	})
}

test.each([
	['long', 'float'],
	['integer', 'scaled_float'],
	['date', 'date_nanos'],
])('different values over indices with %s and %s are not counted', (...types) => {
	expect(() => countingDistinct(types)).toThrow('equal values would count twice')
})

test.each([
	['long', 'integer'],
	['float', 'double'],
	['keyword', 'constant_keyword'],
])('different values over indices with %s and %s are counted', (...types) => {
	expect(countingDistinct(types).aggs).toEqual({ m0: { cardinality: { field: 'n' } } })
})

test('groups of long numbers that the engine rounds are said', () => {
	const noticesOf = (mapping: ReturnType<typeof mapped>, key: number, interval?: string) => {
		const groups = [{ column: 'n', ...(interval !== undefined && { interval }) }]
		const query = { table: '*', filters: [], match: 'all', groups, measures: [], limit: 10 } as const
		return aggregated(
			query,
			{ aggregations: { g: { buckets: [{ key, doc_count: 1 }] } } },
			{ mapping, timeZone: 'UTC' },
		).notices
	}
	const rounded = [expect.stringContaining('are rounded')]
	expect(noticesOf(mapped('long'), 2 ** 60, '10')).toEqual(rounded)
	expect(noticesOf(mapped('long', 'double'), 2 ** 60)).toEqual(rounded)
	// Values of one type are exact.
	expect(noticesOf(mapped('long'), 2 ** 60)).toEqual([])
	expect(noticesOf(mapped('long', 'double'), 7)).toEqual([])
})

test('each shard reports many groups, and a count that may lack those of a shard is an estimate', () => {
	const query = { table: 'logs', filters: [], match: 'all', measures: [], limit: 20 } as const
	const groups = [{ column: 'a' }, { column: 'b' }]
	const termsOf = (own: typeof groups) => {
		const asked = { ...query, groups: own }
		const body = aggregationBody(asked, {
			plan: planQuery(asked, { mapping, version: [8, 2] }),
			mapping,
			version: [8, 2],
			timeZone: 'UTC',
		})
		return body.aggs
	}
	expect(termsOf(groups.slice(0, 1))).toMatchObject({ g: { terms: { size: 20, shard_size: 5000 } } })
	// Each group of a shard holds the groups inside of it.
	expect(JSON.stringify(termsOf(groups))).not.toContain('shard_size')

	const bucket = (key: string, error: number, inner: JsonObject = {}) => ({
		key,
		doc_count: 9,
		doc_count_error_upper_bound: error,
		...inner,
	})
	const level = (...buckets: readonly JsonObject[]) => ({ g: { doc_count_error_upper_bound: 5, buckets } })
	const one = aggregated(
		{ ...query, groups: groups.slice(0, 1) },
		{ aggregations: level(bucket('x', 0), bucket('y', 5)) },
		inUtc,
	)
	expect(one.estimated).toEqual([1])
	expect(one.notices.join()).toContain('are estimates')
	const inner = level(bucket('i', 0))
	const two = aggregated(
		{ ...query, groups },
		{ aggregations: level(bucket('x', 0, inner), bucket('y', 5, inner)) },
		inUtc,
	)
	expect(two.estimated).toEqual([1])
	const exact = aggregated({ ...query, groups: groups.slice(0, 1) }, { aggregations: level(bucket('x', 0)) }, inUtc)
	expect(exact.estimated).toBeUndefined()
	expect(exact.notices).toEqual(['A group that is not shown may be as large as the last one.'])
})

test('numbers that the engine rounds and nanoseconds that it cuts are said', () => {
	const unlike = readMapping({
		logs: {
			mappings: {
				properties: { n: { type: 'long' }, at: { type: 'date_nanos' }, day: { type: 'date', format: 'dd/MM/yyyy' } },
			},
		},
	})
	const query = { table: 'logs', filters: [], match: 'all', limit: 10, groups: [] } as const
	const answerOf = (value: number) => ({ hits: { total: { value: 2 } }, aggregations: { m0: { value } } })
	const largest = { ...query, measures: [{ function: 'max', column: 'n' } as const] }
	expect(aggregated(largest, answerOf(2 ** 53 + 2), { mapping: unlike, timeZone: 'UTC' }).notices).toEqual([
		expect.stringContaining('rounded'),
	])
	expect(aggregated(largest, answerOf(2 ** 53 - 1), { mapping: unlike, timeZone: 'UTC' }).notices).toEqual([])
	const last = { ...query, measures: [{ function: 'max', column: 'at' } as const] }
	expect(aggregated(last, answerOf(1_700_000_000_000), { mapping: unlike, timeZone: 'UTC' }).notices).toEqual([
		expect.stringContaining('nanoseconds are cut'),
	])
	const byDay = { ...query, groups: [{ column: 'day' }], measures: [] }
	const bucket = { key: 1_774_742_400_000, key_as_string: '29/03/2026', doc_count: 1 }
	const answer = { hits: { total: { value: 1 } }, aggregations: { g: { buckets: [bucket] } } }
	expect(aggregated(byDay, answer, { mapping: unlike, timeZone: 'UTC' }).rows).toEqual([
		['2026-03-29T00:00:00.000Z', 1],
	])
})

test('groups come in the order of their values if that is asked for', () => {
	const query = {
		...({ table: 'logs', filters: [], match: 'all', measures: [], limit: 2 } as const),
		groups: [{ column: 'a' }],
		order: { measure: 'group', direction: 'desc' },
	} as const
	const plan = planQuery(query, { mapping, version: [8, 2] })
	expect(aggregationBody(query, { plan, mapping, version: [8, 2], timeZone: 'UTC' }).aggs).toMatchObject({
		g: { terms: { order: { _key: 'desc' } } },
	})
})
