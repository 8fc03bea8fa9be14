import type { JsonObject, SimilarQuery } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { readMapping } from '../mapping/mapping.ts'
import { planQuery } from '../query/query.ts'
import { EngineError } from '../transport/engine-error.ts'
import { lacksCategories, similarBody, similarFields, similarGroups } from './similar.ts'

const mappingOf = (message: JsonObject) =>
	readMapping({ logs: { mappings: { properties: { at: { type: 'date' }, message } } } })
const words = mappingOf({ type: 'text' })
const withKeyword = mappingOf({ type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } })
const query: SimilarQuery = {
	table: 'logs',
	filters: [],
	match: 'all',
	column: 'message',
	time: 'at',
	from: '2026-11-28T08:00:00.000Z',
	to: '2026-11-28T08:00:02.000Z',
	parts: 2,
	limit: 100,
}

test('asks for groups with their times, an example, and counts of equal parts of the time', () => {
	const fields = similarFields(query, words, [8, 19])
	if (!fields) throw new Error('no fields')
	const { aggs } = similarBody(query, fields, planQuery(query, { mapping: words, version: [8, 19] }))
	expect(aggs).toMatchObject({
		similar: {
			categorize_text: { field: 'message', size: 100 },
			aggs: {
				parts: {
					date_range: {
						ranges: [
							{ from: '1795852800000', to: '1795852801000' },
							{ from: '1795852801000', to: '1795852802000' },
						],
					},
				},
			},
		},
	})
})

/** The shape of an answer is that of the reference of 8.19. */
const answer = {
	aggregations: {
		similar: {
			sum_other_doc_count: 3,
			buckets: [
				{
					key: 'Read timed out after ms',
					regex: '.*?Read.+?timed.+?out.+?after.+?ms.*?',
					doc_count: 12,
					first: { value: 1795852800000 },
					last: { value: 1795852801500 },
					example: { hits: { hits: [{ fields: { message: ['Read timed out after 3000 ms'] } }] } },
					parts: { buckets: [{ doc_count: 5 }, { doc_count: 7 }] },
				},
			],
		},
		absent: { doc_count: 1 },
	},
}

test.each([
	['words', words, '* Read * timed * out * after * ms *'],
	['a keyword', withKeyword, '*Read*timed*out*after*ms*'],
])('reads groups, whose filter on %s has all their words', (_name, mapping, value) => {
	const fields = similarFields(query, mapping, [8, 19])
	if (!fields) throw new Error('no fields')
	expect(similarGroups(query, fields, answer)).toEqual({
		groups: [
			{
				pattern: 'Read timed out after ms',
				count: 12,
				example: 'Read timed out after 3000 ms',
				first: '2026-11-28T08:00:00.000Z',
				last: '2026-11-28T08:00:01.500Z',
				counts: [5, 7],
				filters: [{ column: 'message', operator: 'wildcard', values: [value] }],
			},
		],
		notices: ['3 documents are in groups that are not shown.', '1 document is in no group, without message.'],
	})
})

test('earlier versions, other types and other columns have no groups of the engine', () => {
	expect(similarFields(query, words, [7, 15])).toBeUndefined()
	expect(similarFields({ ...query, column: 'at' }, words, [8, 19])).toBeUndefined()
	expect(similarFields({ ...query, time: 'message' }, words, [8, 19])).toBeUndefined()
})

test.each([
	[400, 'parsing_exception: Unknown aggregation type [categorize_text]', true],
	[403, 'current license is non-compliant for [categorize-text-agg]', true],
	[403, 'action [indices:data/read/search] is unauthorized', false],
	[429, 'Data too large', false],
])('an answer %i "%s" means that the cluster cannot: %s', (status, message, expected) => {
	expect(lacksCategories(new EngineError('query_failed', message, { status, type: '' }))).toBe(expected)
})
