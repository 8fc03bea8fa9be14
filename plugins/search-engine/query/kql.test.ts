import { expect, test } from 'vitest'
import { readMapping } from '../mapping/mapping.ts'
import { kqlInLuceneSyntax } from './kql.ts'

const keyword = { type: 'keyword' }
const properties = {
	level: keyword,
	status: { type: 'long' },
	message: { type: 'text' },
	at: { type: 'date' },
	user: { type: 'nested', properties: { name: keyword } },
}
const mapping = readMapping({ logs: { mappings: { properties } } })

/** What a user of Kibana types, and the same in Lucene syntax; `undefined` where it cannot be said or is not meant. */
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
	['status: *', 'status:*'],
	['at >= 2026-01-01 and at < "2026-02-01T00:00:00Z"', 'at:>=2026\\-01\\-01 AND at:<"2026-02-01T00:00:00Z"'],
	['timeout and level: error', 'timeout AND level:error'],
	['connection refused and level: error', '(connection refused) AND level:error'],
	['status:>=500 and not level:error', 'status:>=500 AND NOT level:error'],
	['message: /var/log', 'message:\\/var\\/log'],
	['message: /var/log/', 'message:\\/var\\/log\\/'],
	['level: (not error)', 'NOT level:error'],
	['level: (error or not very bad)', 'level:error OR (*:* AND NOT level:"very bad")'],
	['level: a\\:b and status: 1', 'level:a\\:b AND status:1'],
	// Not in this language, or not to be said in Lucene syntax.
	['user: { name: "Ana" }', undefined],
	['user.name: Ana and level: error', undefined],
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
	expect(kqlInLuceneSyntax(text, mapping)).toBe(expected)
})
