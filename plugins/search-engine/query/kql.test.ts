import { expect, test } from 'vitest'
import { readMapping } from '../mapping/mapping.ts'
import { correctionOf, translatedKql } from './kql.ts'
import { luceneSlips } from './lucene-slips.ts'

const keyword = { type: 'keyword' }
const dogs = { type: 'nested', properties: { name: keyword } }
const properties = {
	level: keyword,
	status: { type: 'long' },
	message: { type: 'text' },
	title: { type: 'text', fields: { keyword } },
	at: { type: 'date' },
	http: { properties: { response: { properties: { status: { type: 'long' } } }, method: keyword } },
	user: { type: 'nested', properties: { name: keyword, age: { type: 'long' }, dogs } },
}
const mapping = readMapping({ logs: { mappings: { properties } } })

const words = (text: string) => JSON.stringify({ query_string: { query: text, lenient: true } })
const inUser = (text: string, ...inner: readonly string[]) =>
	['user', ...inner].reduceRight((query, path) => `{"nested":{"path":"${path}","query":${query}}}`, words(text))

/** What a user of Kibana types, and the same for the engine; `undefined` if it is not in Kibana's language. */
const table: readonly (readonly [string, string | undefined])[] = [
	['level : "error" and status >= 500', 'level:"error" AND status:>=500'],
	['level: error or level: warn', 'level:error OR level:warn'],
	['level: (error or warn) and not message: timeout', 'level:(error OR warn) AND NOT message:timeout'],
	['level: error or level: warn and status: 500', 'level:error OR (level:warn AND status:500)'],
	['(level: error or level: warn) and status: 500', '(level:error OR level:warn) AND status:500'],
	['not level: error or status: 500', '(*:* AND NOT level:error) OR status:500'],
	['not (level: error or status: 500)', 'NOT (level:error OR status:500)'],
	['not not level: error', 'NOT (NOT level:error)'],
	['NOT level: error AND status < 300', 'NOT level:error AND status:<300'],
	['message: connection refused', 'message:(connection refused)'],
	['message: connection refused and level: error', 'message:(connection refused) AND level:error'],
	['level: very bad', 'level:"very bad"'],
	['level: very b*', 'level:very\\ b*'],
	['message: "connection refused"', 'message:"connection refused"'],
	['level: e*', 'level:e*'],
	['title.keyword: *threshold rule', 'title.keyword:*threshold\\ rule'],
	['title.keyword: POST \\/*/_search and not level: e', 'title.keyword:POST\\ \\/*\\/_search AND NOT level:e'],
	['title: threshold rule', 'title:(threshold rule)'],
	['status: *', 'status:*'],
	['at >= 2026-01-01 and at < "2026-02-01T00:00:00Z"', 'at:>=2026\\-01\\-01 AND at:[* TO "2026-02-01T00:00:00Z"}'],
	['timeout and level: error', 'timeout AND level:error'],
	['connection refused and level: error', '(connection refused) AND level:error'],
	['status:>=500 and not level:error', 'status:>=500 AND NOT level:error'],
	['message: /var/log', 'message:\\/var\\/log'],
	['message: /var/log/', 'message:\\/var\\/log\\/'],
	['level: (not error)', 'NOT level:error'],
	['level: (error or not very bad)', 'level:error OR (*:* AND NOT level:"very bad")'],
	['level: a\\:b and status: 1', 'level:a\\:b AND status:1'],
	['status >= "500"', 'status:["500" TO *]'],
	['status > "500" or status < "200"', 'status:{"500" TO *] OR status:[* TO "200"}'],
	['not status <= "500"', 'NOT status:[* TO "500"]'],
	['at >= "now-3h"', 'at:["now-3h" TO *]'],
	['at < now/d', 'at:<now\\/d'],
	['at:>="2026-01-01"', 'at:["2026-01-01" TO *]'],
	['level >= "very bad"', 'level:["very bad" TO *]'],
	['level >= very bad and status: 1', 'level:["very bad" TO *] AND status:1'],
	[String.raw`level > "a\"b\\"`, String.raw`level:>a\"b\\`],
	['level >= "*"', String.raw`level:>=\*`],
	// Names of objects and of several fields.
	['http: { response: { status: 503 } }', 'http.response.status:503'],
	[
		'http:{ method: GET or response.status >= 500 } and level: error',
		'(http.method:GET OR http.response.status:>=500) AND level:error',
	],
	['http: { nothing: 1 }', undefined],
	['http.*: 503', String.raw`http.\*:503`],
	// Conditions on nested objects.
	['user.name: Ana', inUser('user.name:Ana')],
	['user.age > 40', inUser('user.age:>40')],
	['user:{ name: Ana and age > 45 }', inUser('user.name:Ana AND user.age:>45')],
	['user:{ name: Ana or not age: 45 }', inUser('user.name:Ana OR (*:* AND NOT user.age:45)')],
	['user.name: Ana and user.age > 45', inUser('user.name:Ana AND user.age:>45')],
	['not user.name: Ana', `{"bool":{"must_not":[${inUser('user.name:Ana')}]}}`],
	['user.name: Ana or status: 5', `{"bool":{"should":[${inUser('user.name:Ana')},${words('status:5')}]}}`],
	['user: { name: "Ana" } and level: a b', `{"bool":{"must":[${inUser('user.name:"Ana"')},${words('level:"a b"')}]}}`],
	['user: { dogs: { name: Rex } }', inUser('user.dogs.name:Rex', 'user.dogs')],
	['user: { dogs.name: Rex }', inUser('user.dogs.name:Rex', 'user.dogs')],
	// Not in this language, or not to be said in Lucene syntax.
	['level:', undefined],
	['level >', undefined],
	['level > very: bad', undefined],
	['user: { Ana }', undefined],
	['user: { street: Ana }', undefined],
	['user: { name: Ana', undefined],
	['level: { name: Ana }', undefined],
	['level:[a TO b] and status:1', undefined],
	['+level:error', undefined],
	['level:error~1 and status:1', undefined],
	['level: error status: 500', undefined],
	['level: and', undefined],
	['(level: error', undefined],
	['level: error)', undefined],
	['"unclosed and level: error', undefined],
	['and', undefined],
	['', undefined],
]

test.each(table)('%s', (text, expected) => {
	expect(translatedKql(text, mapping)).toBe(expected)
})

test.each([
	['level:error OR level:warn AND status:500', 'level:error OR (level:warn AND status:500)'],
	['level: error AND status: 500 OR level: warn', '(level:error AND status:500) OR level:warn'],
	['(level:error OR level:warn) AND status:500', undefined],
	['level:error AND (status:500 OR status:501)', undefined],
	['level:error AND status:500', undefined],
	['message:"this AND that OR" AND level:x', undefined],
])('AND and OR in capitals without parentheses: %s', (text, meant) => {
	expect(correctionOf(text, mapping)).toBe(meant)
})

test.each([
	['http: { response: { status: 503 } }', 'http.response.status:503'],
	['http.*: 503', String.raw`http.\*:503`],
	[String.raw`http.\*:503`, undefined],
	['*:*', undefined],
	['status: 50*', undefined],
])('%s is corrected to %s', (text, corrected) => {
	expect(correctionOf(text, mapping)).toBe(corrected)
})

test.each([
	[
		'http: { response: { status: 503 } }',
		['http is an object. Lucene syntax has no braces there: name its fields as http.FIELD.'],
	],
	['http.*: 503', [String.raw`A * in the name of a field needs a backslash: http.\*.`]],
	['status: 50*', ['status has numbers, among which the pattern 50* finds nothing. Use a range: status:[500 TO 599].']],
	['status:* AND level:e*', []],
])('%s has the slips %j', (text, slips) => {
	expect(luceneSlips(text, mapping)).toEqual(slips)
})
