import { expect, test } from 'vitest'
import type { Column } from '../../../host/api/api.ts'
import { allOf, numbersOf, numbersQuery, rounded, topOf, topQuery } from './column-statistics.ts'

const column = (kind: Column['kind']): Column => ({
	name: 'price',
	type: '',
	kind,
	isKey: false,
	isReadOnly: false,
	isSortable: true,
})
const query = {
	table: 't',
	filters: [],
	match: 'all',
} as const
const answer = (names: readonly string[], ...rows: readonly (readonly (string | number | null)[])[]) => ({
	columns: names.map(name => ({ name, type: '' })),
	rows,
	isTruncated: false,
	notices: [],
})

test('asks for the measures that fit the column, under the filters of the table', () => {
	expect(numbersQuery(query, column('json'))).toEqual({
		table: 't',
		filters: [],
		match: 'all',
		groups: [],
		limit: 1,
		measures: [{ function: 'count', column: 'price' }],
	})
	expect(numbersQuery(query, column('date')).measures.map(measure => measure.function)).toEqual([
		'count',
		'distinct',
		'min',
		'max',
	])
	expect(topQuery(query, column('text'))).toMatchObject({ groups: [{ column: 'price' }], measures: [] })
})

test('counts the rows without a value, unless lists have several', () => {
	const names = ['count', 'count(price)', 'distinct(price)']
	const lines = (...row: readonly number[]) =>
		numbersOf(answer(names, row), column('text')).map(({ label, value }) => `${label} ${value}`)
	expect(lines(10, 7, 3)).toEqual(['All 10', 'With a value 7', 'Without a value 3', 'Different values 3'])
	expect(lines(10, 12, 3)).toEqual(['All 10', 'With a value 12', 'Different values 3'])
	expect(numbersOf(answer([]), column('other'))[0]).toEqual({ label: 'All', value: null })
})

test('shows each value against the most frequent one', () => {
	expect(topOf(answer(['price', 'count'], ['a', 8], [null, 2]))).toEqual([
		{ value: 'a', count: 8, isEstimate: false, share: 1, ofAll: undefined },
		{ value: null, count: 2, isEstimate: false, share: 0.25, ofAll: undefined },
	])
	expect(topOf(answer(['price', 'count'], ['a', 8], [null, 2]), 16).map(({ ofAll }) => ofAll)).toEqual([0.5, 0.125])
	expect(topOf(answer(['price', 'count'], ['a', 8]), 7)[0]?.ofAll).toBeUndefined()
	expect(allOf(answer(['count', 'count(price)'], [16, 10]))).toBe(16)
	expect(allOf(answer(['count']))).toBeUndefined()
	expect(topOf(answer(['price', 'count']))).toEqual([])
	const about = topOf({ ...answer(['price', 'count'], ['a', 8], ['b', 2]), estimated: [1] })
	expect(about.map(({ isEstimate }) => isEstimate)).toEqual([false, true])
})

test.each([
	['1840.3333333333333', '1840.333'],
	['-0.00012345678', '-0.0001234568'],
	['1234567890.5', '1234567891'],
	['1.5e300', undefined],
	['1840.25', undefined],
	['12345678901', undefined],
	['', undefined],
])('rounds the computed number %s to %s', (text, expected) => {
	expect(rounded(text)).toBe(expected)
})
