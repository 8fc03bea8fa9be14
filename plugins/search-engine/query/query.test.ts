import { exactNumber, type Filter, type JsonObject, parseJson, stringifyJson } from '@roundhouse/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { proves } from '../../../tests/contract/proves.ts'
import { columnsOf } from '../mapping/columns.ts'
import { readMapping } from '../mapping/mapping.ts'
import { planQuery } from './query.ts'
import { slipsOf } from './raw-query.ts'
import { planSort, searchAfter, sortBody } from './sort.ts'

const keyword = { type: 'keyword' }
const mapping = readMapping({
	books: {
		mappings: {
			properties: {
				title: { type: 'text', fields: { keyword, raw: keyword } },
				summary: { type: 'text' },
				subtitle: { type: 'text', fields: { raw: keyword, keyword: { type: 'text' } } },
				genres: keyword,
				isbn: { type: 'long' },
				price: { type: 'double' },
				in_print: { type: 'boolean' },
				published: { type: 'date' },
				closed: { type: 'date', format: 'dd/MM/yyyy' },
				logged: { type: 'date', format: 'yyyy-MM-dd HH:mm:ss||yyyy-MM-dd||epoch_millis' },
				known: { type: 'keyword', null_value: 'none' },
				trace: { type: 'text', index: false },
				gateway: { type: 'ip' },
				location: { type: 'geo_point' },
				author: { properties: { name: { type: 'text', fields: { keyword } }, born: { type: 'integer' } } },
				reviews: {
					type: 'nested',
					properties: {
						stars: { type: 'byte' },
						user: keyword,
						replies: { type: 'nested', properties: { user: keyword } },
					},
				},
				writer: { type: 'alias', path: 'author.name' },
				blob: { ...keyword, doc_values: false },
				relation: { type: 'join', relations: { question: 'answer' } },
			},
			runtime: { shelf: keyword },
		},
	},
})

const bodyOf = (filters: readonly Filter[], match: 'all' | 'any' = 'all', raw?: string) =>
	planQuery({ filters, match, ...(raw !== undefined && { raw }) }, { mapping, version: [8, 13] }).query
const filter = (column: string, operator: Filter['operator'], ...values: string[]): Filter => ({
	column,
	operator,
	values,
})
const one = (column: string, operator: Filter['operator'], ...values: string[]) =>
	bodyOf([filter(column, operator, ...values)])
const inFilter = (clause: unknown) => ({ bool: { filter: [clause] } })

test('matches everything without filters', () => {
	expect(bodyOf([])).toEqual({ match_all: {} })
})

test.each<[Filter, unknown]>([
	[filter('genres', 'equals', 'crime'), { term: { genres: { value: 'crime' } } }],
	[filter('title', 'equals', 'The Map'), { term: { 'title.keyword': { value: 'The Map' } } }],
	[filter('writer', 'equals', 'Ada'), { term: { 'author.name.keyword': { value: 'Ada' } } }],
	[filter('summary', 'equals', 'Map'), { term: { summary: { value: 'Map', case_insensitive: true } } }],
	[filter('price', 'equals', '.5'), { term: { price: { value: 0.5 } } }],
	[filter('in_print', 'equals', 'TRUE'), { term: { in_print: { value: true } } }],
	[filter('_id', 'equals', '7'), { term: { _id: { value: '7' } } }],
	[filter('_index', 'equals', 'books'), { term: { _index: { value: 'books' } } }],
	[filter('genres', 'in', 'a', 'b'), { terms: { genres: ['a', 'b'] } }],
	[filter('isbn', 'in', '1', '2'), { terms: { isbn: [1, 2] } }],
	[filter('price', 'less', '5'), { range: { price: { lt: 5 } } }],
	[filter('price', 'less_or_equal', '5'), { range: { price: { lte: 5 } } }],
	[filter('price', 'greater', '-5'), { range: { price: { gt: -5 } } }],
	[filter('published', 'greater_or_equal', 'now-1y/d'), { range: { published: { gte: 'now-1y/d' } } }],
	[filter('published', 'between', '2020', '2021'), { range: { published: { gte: '2020', lte: '2021' } } }],
	[filter('published', 'between', '2020', ''), { range: { published: { gte: '2020' } } }],
	[
		filter('closed', 'less', '2020-01-01'),
		{ range: { closed: { lt: '2020-01-01', format: 'dd/MM/yyyy||strict_date_optional_time_nanos' } } },
	],
	[filter('closed', 'less', '31/12/2020'), { range: { closed: { lt: '31/12/2020' } } }],
	[filter('gateway', 'equals', '10.0.0.0/8'), { term: { gateway: { value: '10.0.0.0/8' } } }],
	[
		filter('title', 'contains', 'a*b?c\\d'),
		{ wildcard: { 'title.keyword': { value: '*a\\*b\\?c\\\\d*', case_insensitive: true } } },
	],
	[filter('title', 'starts_with', 'The'), { wildcard: { 'title.keyword': { value: 'The*', case_insensitive: true } } }],
	[filter('title', 'ends_with', 'Map'), { wildcard: { 'title.keyword': { value: '*Map', case_insensitive: true } } }],
	[filter('title', 'wildcard', 'T?e *'), { wildcard: { 'title.keyword': { value: 'T?e *' } } }],
	[filter('relation', 'equals', 'answer'), { term: { relation: { value: 'answer' } } }],
	[filter('relation', 'in', 'question', 'answer'), { terms: { relation: ['question', 'answer'] } }],
	[filter('title', 'exists'), { exists: { field: 'title' } }],
	[filter('location', 'exists'), { exists: { field: 'location' } }],
	[filter('reviews', 'exists'), { nested: { path: 'reviews', query: { exists: { field: 'reviews' } } } }],
	[
		filter('reviews.stars', 'equals', '5'),
		{ nested: { path: 'reviews', query: { term: { 'reviews.stars': { value: 5 } } } } },
	],
	[
		filter('reviews.replies.user', 'equals', 'ann'),
		{
			nested: {
				path: 'reviews',
				query: { nested: { path: 'reviews.replies', query: { term: { 'reviews.replies.user': { value: 'ann' } } } } },
			},
		},
	],
])(proves('B.filter.operators', '%o'), (given, clause) => {
	expect(bodyOf([given])).toEqual(inFilter(clause))
})

test('a time without a fraction is one instant at the end of a range, and a date is its whole day', () => {
	const bound = (operator: Filter['operator'], ...values: string[]) => one('published', operator, ...values)
	const range = (bounds: object) => inFilter({ range: { published: bounds } })
	expect(bound('greater', '2026-03-29T01:30:00Z')).toEqual(range({ gt: '2026-03-29T01:30:00.000Z' }))
	expect(bound('less_or_equal', '2026-03-29T01:30+02:00')).toEqual(range({ lte: '2026-03-29T01:30:00.000+02:00' }))
	expect(bound('greater', '2026-03-29T01:30:00.25Z')).toEqual(range({ gt: '2026-03-29T01:30:00.25Z' }))
	expect(bound('between', '2026-03-28T01:30:00Z', '2026-03-29')).toEqual(
		range({ gte: '2026-03-28T01:30:00Z', lte: '2026-03-29' }),
	)
})

test('a time without a fraction is one instant for equality too', () => {
	const instant = '2026-03-29T01:30:00.000Z'
	expect(one('published', 'equals', '2026-03-29T01:30:00Z')).toEqual(
		inFilter({ term: { published: { value: instant } } }),
	)
	expect(one('published', 'in', '2026-03-29T01:30:00Z', '2026-03-30')).toEqual(
		inFilter({ terms: { published: [instant, '2026-03-30'] } }),
	)
})

test('a date in ISO format is accepted beside the formats of the mapping, whatever they are', () => {
	expect(one('logged', 'greater_or_equal', '2026-03-29T01:30:00Z')).toEqual(
		inFilter({
			range: {
				logged: {
					gte: '2026-03-29T01:30:00Z',
					format: 'yyyy-MM-dd HH:mm:ss||yyyy-MM-dd||epoch_millis||strict_date_optional_time_nanos',
				},
			},
		}),
	)
})

test('an empty text is a value of a list', () => {
	expect(one('genres', 'in', '', 'a')).toEqual(inFilter({ terms: { genres: ['', 'a'] } }))
	expect(() => one('genres', 'in')).toThrow('needs a value')
})

test('a list leaves out of each index the values that its field cannot have, and nothing else', () => {
	const unlike = readMapping({
		va: { mappings: { properties: { f: keyword } } },
		vb: { mappings: { properties: { f: { type: 'long' } } } },
	})
	const planned = (operator: Filter['operator'], ...values: string[]) =>
		planQuery({ filters: [filter('f', operator, ...values)], match: 'all' }, { mapping: unlike, version: [8, 13] })
	const inIndex = (index: string, values: readonly unknown[]) => ({
		bool: { filter: [{ terms: { _index: [index] } }, { terms: { f: values } }] },
	})
	expect(planned('not_in', 'abc', '5')).toMatchObject({
		query: { bool: { must_not: [{ bool: { should: [inIndex('va', ['abc', '5']), inIndex('vb', [5])] } }] } },
		notices: [],
	})
	expect(planned('in', 'abc').notices).toEqual([expect.stringContaining('No document of vb matches this filter.')])
	expect(planned('not_in', 'abc').notices).toEqual([expect.stringContaining('Every document of vb matches')])
})

test('a comparison with words of a text, and null that is indexed as a value, are said', () => {
	const noticesOf = (asked: Filter) =>
		planQuery({ filters: [asked], match: 'all' }, { mapping, version: [8, 13] }).notices
	for (const operator of ['less', 'greater', 'between'] as const)
		expect(noticesOf(filter('summary', operator, 'a', ...(operator === 'between' ? ['b'] : [])))).toEqual([
			expect.stringContaining('single words are compared'),
		])
	for (const asked of [filter('known', 'missing'), filter('known', 'less', 'zz'), filter('known', 'equals', 'none')])
		expect(noticesOf(asked)).toEqual([
			'The mapping of known indexes null as "none", so documents that show null have this value here.',
		])
})

test('a query of a field that is not indexed says that nothing of it is found', () => {
	expect(slipsOf('trace:* AND genres:a', mapping)).toEqual([
		'trace is stored but not indexed, so the engine finds no value of it.',
	])
})

test.each([
	[filter('small', 'less', '3000000000'), { range: { small: { lte: 2_147_483_647 } } }],
	[filter('small', 'greater', '3000000000'), { range: { small: { gt: 2_147_483_647 } } }],
	[filter('small', 'between', '-1e30', '5'), { range: { small: { gte: -2_147_483_648, lte: 5 } } }],
	[filter('small', 'less_or_equal', '-3000000000'), { range: { small: { lt: -2_147_483_648 } } }],
	[filter('small', 'in', '1', '3000000000'), { terms: { small: [1] } }],
	[filter('small', 'equals', '3000000000'), { match_none: {} }],
])('a number that no value of the field can be is compared all the same: %j', (given, clause) => {
	const small = readMapping({ s: { mappings: { properties: { small: { type: 'integer' } } } } })
	const planned = planQuery({ filters: [given], match: 'all' }, { mapping: small, version: [8, 13] })
	expect(planned.query).toEqual(inFilter(clause))
})

test('a pattern of several words compares the words of text that has nothing else to compare', () => {
	const phrase = (query: string) => ({ match_phrase: { summary: { query, zero_terms_query: 'all' } } })
	const part = (value: string) => ({ wildcard: { summary: { value, case_insensitive: true } } })
	const cases: readonly (readonly [string, readonly unknown[]])[] = [
		['Read timed out after * ms', [phrase('Read timed out after'), phrase('ms')]],
		['took *ms in web-* now', [phrase('took'), phrase('in web-'), part('*ms'), phrase('now')]],
		['* Read * timed *', [phrase('Read'), phrase('timed')]],
		['*Read*timed out*', [part('*Read*'), part('*timed'), part('out*')]],
		['a \\* b', [phrase('a * b')]],
	]
	for (const [pattern, clauses] of cases)
		expect(one('summary', 'wildcard', pattern)).toEqual(inFilter({ bool: { filter: clauses } }))
})

test('a pattern of several words finds text that is too long for its keyword by its words', () => {
	const logs = readMapping({
		logs: { mappings: { properties: { m: { type: 'text', fields: { keyword: { ...keyword, ignore_above: 256 } } } } } },
	})
	const { query } = planQuery(
		{ filters: [filter('m', 'wildcard', 'a b *')], match: 'all' },
		{ mapping: logs, version: [8, 13] },
	)
	const phrase = { match_phrase: { m: { query: 'a b', zero_terms_query: 'all' } } }
	const long = { bool: { filter: [phrase], must_not: { exists: { field: 'm.keyword' } } } }
	const should = [{ wildcard: { 'm.keyword': { value: 'a b *' } } }, long]
	expect(query).toEqual(inFilter({ bool: { should, minimum_should_match: 1 } }))
})

test('an empty pattern finds the empty text, which the engine does not find by a wildcard', () => {
	expect(one('genres', 'wildcard', '')).toEqual(inFilter({ term: { genres: '' } }))
})

test('negates outside of the nested object', () => {
	expect(one('genres', 'not_equals', 'a')).toEqual({ bool: { must_not: [{ term: { genres: { value: 'a' } } }] } })
	expect(one('genres', 'not_in', 'a', 'b')).toEqual({ bool: { must_not: [{ terms: { genres: ['a', 'b'] } }] } })
	expect(one('genres', 'missing')).toEqual({ bool: { must_not: [{ exists: { field: 'genres' } }] } })
	expect(one('reviews.user', 'not_equals', 'ann')).toEqual({
		bool: { must_not: [{ nested: { path: 'reviews', query: { term: { 'reviews.user': { value: 'ann' } } } } }] },
	})
})

test('several values of one nested column are those of several elements, and a shared element is said', () => {
	const nested = (query: JsonObject) => ({ nested: { path: 'reviews', query } })
	const user = (value: string) => ({ term: { 'reviews.user': { value } } })
	const asked = [filter('reviews.user', 'equals', 'ann'), filter('reviews.user', 'equals', 'bob')]
	const plan = planQuery({ filters: asked, match: 'all' }, { mapping, version: [8, 13] })
	expect(plan).toMatchObject({ query: { bool: { filter: [nested(user('ann')), nested(user('bob'))] } }, notices: [] })
	const shared = [filter('reviews.user', 'equals', 'ann'), filter('reviews.stars', 'greater', '3')]
	expect(planQuery({ filters: shared, match: 'all' }, { mapping, version: [8, 13] }).notices).toEqual([
		'The filters on reviews hold for one and the same element of it.',
	])
	expect(planQuery({ filters: shared, match: 'any' }, { mapping, version: [8, 13] }).notices).toEqual([])
})

test('filters on one nested object must apply to the same element', () => {
	const query = bodyOf([
		filter('reviews.stars', 'greater', '3'),
		filter('reviews.user', 'equals', 'ann'),
		filter('genres', 'exists'),
	])
	expect(query).toEqual({
		bool: {
			filter: [
				{
					nested: {
						path: 'reviews',
						query: {
							bool: {
								filter: [{ range: { 'reviews.stars': { gt: 3 } } }, { term: { 'reviews.user': { value: 'ann' } } }],
							},
						},
					},
				},
				{ exists: { field: 'genres' } },
			],
		},
	})
})

test('combines filters with match any', () => {
	expect(bodyOf([filter('genres', 'equals', 'a'), filter('isbn', 'missing')], 'any')).toEqual(
		inFilter({
			bool: {
				should: [{ term: { genres: { value: 'a' } } }, { bool: { must_not: [{ exists: { field: 'isbn' } }] } }],
				minimum_should_match: 1,
			},
		}),
	)
})

test('sends the raw query as it was typed, beside the filters', () => {
	const raw = { query_string: { query: 'title:map AND price:[5 TO *}', default_field: '*', lenient: true } }
	expect(bodyOf([], 'all', 'title:map AND price:[5 TO *}')).toEqual(raw)
	expect(bodyOf([filter('genres', 'exists')], 'any', 'title:map AND price:[5 TO *}')).toEqual({
		bool: {
			must: [raw],
			filter: [{ bool: { should: [{ exists: { field: 'genres' } }], minimum_should_match: 1 } }],
		},
	})
	expect(bodyOf([], 'all', '  ')).toEqual({ match_all: {} })
})

test('does not request case-insensitive comparison from 7.9 and older', () => {
	const plan = planQuery({ filters: [filter('title', 'contains', 'x')], match: 'all' }, { mapping, version: [7, 9] })
	expect(plan.query).toEqual(inFilter({ wildcard: { 'title.keyword': { value: '*x*' } } }))
})

test('keeps every digit of an integer in a filter', () => {
	fc.assert(
		fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), value => {
			const text = stringifyJson(one('isbn', 'equals', String(value)))
			expect(text).toBe(`{"bool":{"filter":[{"term":{"isbn":{"value":${value}}}}]}}`)
		}),
	)
})

test('rejects a value or an operator that does not match the column, and names the column', () => {
	expect(() => one('isbn', 'equals', 'abc')).toThrow('"abc" is not a number; isbn is of type long.')
	expect(() => one('isbn', 'equals', '')).toThrow('is not a number')
	expect(() => one('in_print', 'equals', 'yes')).toThrow('in_print is a boolean')
	expect(() => one('isbn', 'contains', '1')).toThrow('isbn is of type long')
	expect(() => one('location', 'equals', '1')).toThrow('location is of type geo_point')
	expect(() => one('relation', 'less', '1')).toThrow('relation has no order')
	expect(() => one('nowhere', 'equals', '1')).toThrow('nowhere cannot be filtered')
	expect(() => one('_score', 'equals', '1')).toThrow('_score cannot be filtered')
	expect(() => one('_id', 'less', '1')).toThrow('_id has no order')
	expect(() => one('price', 'between', '1')).toThrow('needs two values')
	expect(() => one('price', 'equals')).toThrow('needs one value')
})

const newest = { sortsByFormat: true }

test(proves('B.sort.keyword', 'sorts by .keyword, and reports columns that cannot be sorted'), () => {
	const plan = planSort(
		[
			{ column: 'title', direction: 'asc' },
			{ column: '_id', direction: 'asc' },
			{ column: 'summary', direction: 'asc' },
			{ column: 'subtitle', direction: 'asc' },
			{ column: 'writer', direction: 'desc' },
			{ column: 'reviews', direction: 'asc' },
			{ column: 'location', direction: 'asc' },
			{ column: 'blob', direction: 'asc' },
			{ column: 'nowhere', direction: 'asc' },
			{ column: 'reviews.replies.user', direction: 'desc' },
			{ column: '_index', direction: 'asc' },
			{ column: 'shelf', direction: 'asc' },
		],
		mapping,
		newest,
	)
	expect(sortBody(plan.keys)).toEqual([
		{ 'title.keyword': { order: 'asc' } },
		{ 'author.name.keyword': { order: 'desc' } },
		{ 'reviews.replies.user': { order: 'desc', nested: { path: 'reviews', nested: { path: 'reviews.replies' } } } },
		{ _index: { order: 'asc' } },
		{ shelf: { order: 'asc' } },
	])
	expect(plan.notices).toEqual([
		'Not sorted by _id: the engine cannot sort by _id.',
		'Not sorted by summary: it is analysed text without a .keyword subfield.',
		'Not sorted by subtitle: it is analysed text without a .keyword subfield.',
		'Not sorted by reviews: values of type nested cannot be sorted.',
		'Not sorted by location: values of type geo_point cannot be sorted.',
		'Not sorted by blob: its mapping has disabled doc_values.',
		'Not sorted by nowhere: it is not in the mapping.',
	])
})

test.each([
	[filter('published', 'greater', '2024-05-03'), 'after the end of 2024-05-03'],
	[filter('published', 'greater_or_equal', '2024-05-03'), 'from the start of 2024-05-03'],
	[filter('published', 'less', '2024-05-03'), 'before the start of 2024-05-03'],
	[filter('published', 'less_or_equal', '2024-02'), 'until the end of 2024-02-01'],
	[filter('published', 'between', '2024', '2024-05-03'), 'from the start of 2024-01-01 until the end of 2024-05-03'],
	[filter('published', 'between', '', '2024-05-03'), 'until the end of 2024-05-03'],
	[filter('published', 'not_equals', '2024-05-03'), 'the whole of 2024-05-03'],
])('a filter with a date without a time says what it means: %j', (asked, means) => {
	expect(planQuery({ filters: [asked], match: 'all' }, { mapping, version: [8, 13] }).notices).toEqual([
		`published: a date without a time is in UTC. This is ${means}.`,
	])
})

test.each([
	filter('published', 'greater', '2024-05-03T10:00'),
	filter('published', 'greater', '2024-05-03||/d'),
	filter('published', 'exists'),
	filter('title', 'equals', '2024-05-03'),
])('other filters say nothing of dates: %j', asked => {
	expect(planQuery({ filters: [asked], match: 'all' }, { mapping, version: [8, 13] }).notices).toEqual([])
})

test('a reversed sort results in exactly the reversed order', () => {
	const { keys } = planSort(
		[
			{ column: 'genres', direction: 'asc' },
			{ column: 'isbn', direction: 'desc' },
			{ column: '_score', direction: 'desc' },
		],
		mapping,
		newest,
	)
	expect(sortBody(keys, true)).toEqual([
		{ genres: { order: 'desc', missing: '_first', mode: 'min' } },
		{ isbn: { order: 'asc', missing: '_first', mode: 'max' } },
		{ _score: { order: 'asc' } },
	])
})

test('dates are sorted in a format that keeps each instant, whatever format the mapping sets', () => {
	const dates = readMapping({
		logs: { mappings: { properties: { day: { type: 'date', format: 'dd/MM/yyyy' }, at: { type: 'date_nanos' } } } },
	})
	const sort = [
		{ column: 'day', direction: 'asc' },
		{ column: 'at', direction: 'desc' },
	] as const
	const { keys } = planSort(sort, dates, newest)
	const format = 'strict_date_optional_time_nanos'
	expect(stringifyJson(sortBody(keys))).toBe(
		stringifyJson([
			{ day: { order: 'asc', missing: exactNumber('9223372036854775807'), format } },
			{ at: { order: 'desc', missing: 0, format } },
		]),
	)
	const missing = '-292275055-05-16T16:47:04.192Z'
	expect(stringifyJson([...searchAfter([missing, missing, 7], keys)])).toBe(
		'[-9223372036854775808,-9223372036854775808,7]',
	)
	expect(sortBody(planSort(sort, dates, { sortsByFormat: false }).keys)).toEqual([
		{ day: { order: 'asc' } },
		{ at: { order: 'desc' } },
	])
})

test('marks a column as sortable if and only if a sort by it is kept', () => {
	for (const column of columnsOf(mapping)) {
		const { keys } = planSort([{ column: column.name, direction: 'asc' }], mapping, newest)
		expect(keys.length === 1, column.name).toBe(column.isSortable)
	}
})

test('keeps decimals unchanged', () => {
	expect(stringifyJson(one('price', 'between', '1.10', '2.50'))).toContain('{"gte":1.10,"lte":2.50}')
	expect(stringifyJson(parseJson('1.10'))).toBe('1.10')
})
