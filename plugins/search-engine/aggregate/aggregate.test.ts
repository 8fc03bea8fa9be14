import { isJsonObject, type JsonObject } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { readMapping } from '../mapping/mapping.ts'
import { planQuery } from '../query/query.ts'
import { aggregationBody } from './aggregate.ts'

const columns = ['a', 'b', 'c', 'd', 'e']
const properties = Object.fromEntries(columns.map(name => [name, { type: 'keyword' }]))
const mapping = readMapping({ logs: { mappings: { properties } } })

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
	const plan = planQuery(query, mapping, [8, 2])
	const { aggs } = aggregationBody(query, { plan, mapping, version: [8, 2] })
	const sizes = sizesOf(isJsonObject(aggs) ? aggs : {})
	expect(sizes).toHaveLength(levels)
	expect(sizes[0]).toBe(limit)
	expect(sizes.reduce((product, size) => product * size)).toBeLessThanOrEqual(20_000)
})
