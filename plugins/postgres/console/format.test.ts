import { expect, test } from 'vitest'
import { formatText } from './format.ts'

test('statements are laid out, and what is between them stays', () => {
	expect(formatText("select a, b from t where x = 1 and y = 'a  b';\n\n-- next\nselect 1")).toBe(
		"select\n  a,\n  b\nfrom\n  t\nwhere\n  x = 1\n  and y = 'a  b';\n\n-- next\nselect\n  1",
	)
})

test.each([
	"select data ->> 'a', data #>> '{b}', data @? '$.a', 1::int, array[1, 2][1], a <-> b from t",
	'select {{ id }}, $1, "Odd name"."x y", e\'\\n\', $tag$ a  b $tag$ from "T"',
	'select - -1, 1 -- one\n, 2 /* two /* nested */ */ from t',
	'insert into t (a) values (1) on conflict (a) do update set a = excluded.a returning *',
	'create function f() returns int language sql begin atomic select 1; end',
	"select * from json_table('{}', '$' columns (a int path '$.a'))",
	'merge into t using s on t.id = s.id when matched then update set x = 1',
	'not sql at all (((',
	"select 'open",
])('no token of %j changes', text => {
	const formatted = formatText(text)
	expect(formatted.replaceAll(/\s+/g, '')).toBe(text.replaceAll(/\s+/g, ''))
	expect(formatText(formatted)).toBe(formatted)
})
