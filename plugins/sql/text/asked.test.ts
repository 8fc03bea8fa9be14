import type { Verdict } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { withAsked } from './asked.ts'
import { lexerOf, placeholderPattern } from './lexer.ts'

const { tokensOf } = lexerOf({
	patterns: [
		['blank', /\s+/y],
		['comment', /--[^\n]*/y],
		['placeholder', placeholderPattern],
		['string', /'(?:[^']|'')*('|$)/y],
		['string', /\$(\w*)\$[\s\S]*?\$\1\$/y],
		['word', /\w+/y],
	],
	nestsComments: true,
})

function asked(text: string): readonly (readonly [string, string])[] {
	const verdict: Verdict = { start: 0, end: text.length, access: 'read', summary: '' }
	const [{ asks = [] } = verdict] = withAsked(text, [verdict], tokensOf)
	return asks
		.filter(({ doubled }) => doubled === undefined)
		.map(({ start, end, name }) => [text.slice(start, end), name])
}

test.each([
	['select :id', [[':id', 'id']]],
	[
		'where a=:id and (b > :from_day)',
		[
			[':id', 'id'],
			[':from_day', 'from_day'],
		],
	],
	[
		'where a = $1 or b = $12',
		[
			['$1', '_1'],
			['$12', '_12'],
		],
	],
	['select :a::int', [[':a', 'a']]],
	["select now()::date, a::text, '1'::int", []],
	['select @a := 1, b:=c', []],
	["select '12:30', ':no', time '10:20'", []],
	['do $$ begin :a; end $$', []],
	["select $$ :a $1 $$, a->'b', a ? 'c', a[1:n], a[:n]", []],
	['create function f(int) returns int return $1', []],
	['prepare p as select $1', []],
	['-- :no\nselect 1', []],
	['retry: loop', []],
])('%s', (text, places) => {
	expect(asked(text)).toEqual(places)
})

test('a place in quotes says what its text doubles, and a text between dollars has none', () => {
	const text = "select '%:name%', '{{code}}', '12:30 a:b \\{{no}}', $$ ':no' $$"
	const verdict: Verdict = { start: 0, end: text.length, access: 'read', summary: '' }
	const [{ asks = [] } = verdict] = withAsked(text, [verdict], tokensOf)
	expect(asks.map(({ start, end, ...rest }) => ({ ...rest, typed: text.slice(start, end) }))).toEqual([
		{ name: 'name', typed: ':name', doubled: "'" },
		{ name: 'code', typed: '{{code}}', doubled: "'" },
	])
})
