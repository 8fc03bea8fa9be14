import { expect, test } from 'vitest'
import { split } from './split.ts'

const piecesOf = (text: string) => split(text).map(({ start, end }) => text.slice(start, end))

test.each<readonly [string, readonly string[]]>([
	['select 1; select 2', ['select 1', 'select 2']],
	['  -- first\nselect 1 -- one\n ; ; /* none */ ;', ['select 1']],
	["select ';'; select 'it''s;'; select e'\\';'", ["select ';'", "select 'it''s;'", "select e'\\';'"]],
	['select $$;$$; select $a$ $b$; $a$', ['select $$;$$', 'select $a$ $b$; $a$']],
	['select 1 /* a /* b; */ c; */ + 1; select 2', ['select 1 /* a /* b; */ c; */ + 1', 'select 2']],
	['select ";", u&";"; select 2', ['select ";", u&";"', 'select 2']],
	[
		'create rule r as on insert to t do (select 1; select 2); select 3',
		['create rule r as on insert to t do (select 1; select 2)', 'select 3'],
	],
	[
		'create or replace function f() returns int begin atomic select 1; select case when true then 1 end; end; select 2',
		[
			'create or replace function f() returns int begin atomic select 1; select case when true then 1 end; end',
			'select 2',
		],
	],
	[
		'create function f(begin int) returns int return 1; select 2',
		['create function f(begin int) returns int return 1', 'select 2'],
	],
	['select 1\\; select 2; select 3', ['select 1\\; select 2', 'select 3']],
	['begin; select 1; end; select 2', ['begin', 'select 1', 'end', 'select 2']],
	["select '🚂;' ;\r\nselect 2", ["select '🚂;'", 'select 2']],
	["select 1; select 'open; select 2", ['select 1', "select 'open; select 2"]],
	['select $1$; select 2', ['select $1$', 'select 2']],
	['select a$b$; select 2', ['select a$b$', 'select 2']],
	["copy t (a) from stdin;\nit's;\tx\n\\.\nselect 2", ["copy t (a) from stdin;\nit's;\tx\n\\.", 'select 2']],
	['COPY t FROM stdin with (format csv); \r\n1\r\n\\.\r\n;', ['COPY t FROM stdin with (format csv); \r\n1\r\n\\.']],
	['copy t from stdin;\nselect 2;', ['copy t from stdin', 'select 2']],
	['copy (select 1 from stdin) to stdout;\n1\n\\.', ['copy (select 1 from stdin) to stdout', '1\n\\.']],
	[' ; -- nothing', []],
])('%j', (text, expected) => {
	expect(piecesOf(text)).toEqual(expected)
})
