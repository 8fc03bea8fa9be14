import type { JsonObject } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { cheapPartOf, expenseOfLucene, expensesOf } from './expenses.ts'

const nested = (depth: number): JsonObject =>
	depth === 0 ? {} : { aggs: { by: { terms: { field: 'a' }, ...nested(depth - 1) } } }

test.each<[string, JsonObject, string]>([
	['a leading *', { query: { wildcard: { title: '*sea' } } }, 'a pattern that begins'],
	['a leading ?', { query: { wildcard: { title: { value: '?ea' } } } }, 'a pattern that begins'],
	['one deep in a bool', { query: { bool: { must_not: [{ wildcard: { t: { wildcard: '*' } } }] } } }, 'a pattern'],
	['a regular expression', { query: { regexp: { title: 'se.*' } } }, 'a regular expression'],
	['Lucene with a leading *', { query: { query_string: { query: 'title:*sea' } } }, 'a pattern'],
	['Lucene with a regular expression', { query: { query_string: { query: 'title:/se[ae]/' } } }, 'a regular'],
	['a script query', { query: { script: { script: { source: 'true' } } } }, 'a script'],
	['a score by script', { query: { script_score: { query: { match_all: {} }, script: { source: '1' } } } }, 'a script'],
	['a sort by script', { sort: [{ _script: { type: 'number', script: '1' } }] }, 'a script'],
	['a field by script', { script_fields: { a: { script: '1' } } }, 'a script'],
	['a runtime field', { runtime_mappings: { a: { type: 'long', script: 'emit(1)' } } }, 'a script'],
	['a measure by script', { aggs: { a: { scripted_metric: { map_script: '' } } } }, 'a script'],
	['huge terms', { aggs: { a: { terms: { field: 'b', size: 1_000_000 } } } }, 'an aggregation keeps'],
	['four levels of groups', nested(4), 'groups are nested more than three'],
])('%s is expensive', (_, body, why) => {
	expect(expensesOf(body)[0]?.why).toMatch(why)
})

test.each<[string, JsonObject]>([
	['a term', { query: { term: { title: '*sea' } } }],
	['a pattern that begins with letters', { query: { wildcard: { title: 'se*' } } }],
	['a prefix', { query: { prefix: { title: 'se' } } }],
	['a field that is called script', { query: { term: { script: { value: 1 } } }, sort: [{ wildcard: 'asc' }] }],
	['thousands of values', { query: { terms: { a: Array.from({ length: 5000 }, (_, n) => n) } } }],
	['three levels of groups, with means', { ...nested(3), size: 0 }],
])('%s is cheap', (name, body) => {
	// A term of a field with this name is taken for a script, because its place does not tell. Only large tables are
	// affected.
	const expected = name === 'a field that is called script' ? ['a script runs for each document'] : []
	expect(expensesOf(body).map(({ why }) => why)).toEqual(expected)
})

test.each([
	'*:*',
	'title:*',
	'sea AND year:[* TO 1990]',
	'se*',
	'"*sea"',
	'\\*sea',
	'a/b',
	'_exists_:title',
])('%s in Lucene syntax is cheap', text => expect(expenseOfLucene(text)).toBeUndefined())

test.each([
	'*sea',
	'title:*sea',
	'+*sea',
	'(?ea)',
	'NOT *sea',
	'title:/se.*/',
])('%s in Lucene syntax is expensive', text => expect(expenseOfLucene(text)).toBeDefined())

test('searches a body of any depth', () => {
	let body: JsonObject = { regexp: { a: 'b' } }
	for (let depth = 0; depth < 50_000; depth++) body = { bool: { must: [body] } }
	expect(expensesOf(body)).toHaveLength(1)
})

test('the cheap part of a query narrows it', () => {
	const term = { term: { level: 'error' } }
	const wildcard = { wildcard: { message: '*x' } }
	expect(cheapPartOf({ bool: { must: [wildcard], filter: term } })).toEqual({ bool: { filter: [term] } })
	expect(cheapPartOf({ bool: { should: [term, wildcard] } })).toEqual({ match_all: {} })
	expect(cheapPartOf({ function_score: { query: term, script_score: { script: '1' } } })).toEqual(term)
	expect(cheapPartOf(wildcard)).toEqual({ match_all: {} })
})
