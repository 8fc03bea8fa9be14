import { describe, expect, test } from 'vitest'
import { hasServer } from '../servers/server.ts'
import { openForFile, rowsOf } from '../test/fixture.ts'
import { tokensOf } from './lexer.ts'
import { hexText, literal } from './literals.ts'
import { nameOf, parseName, quoted } from './names.ts'
import { split } from './split.ts'

const piecesOf = (text: string) => split(text).map(({ start, end }) => text.slice(start, end))

test.each<readonly [string, readonly string[]]>([
	['select 1; select 2', ['select 1', 'select 2']],
	['  -- first\nselect 1 -- one\n ; ; /* none */ ; # no', ['select 1']],
	[
		"select ';'; select 'it''s;'; select '\\';'; select \";\"; select `;`",
		["select ';'", "select 'it''s;'", "select '\\';'", 'select ";"', 'select `;`'],
	],
	['select 1 /* a; */ + 1; select 2', ['select 1 /* a; */ + 1', 'select 2']],
	['/*!50000 select 1; */; select 2', ['/*!50000 select 1; */', 'select 2']],
	['/*!50000 select /* ; */ 1; */; select 2', ['/*!50000 select /* ; */ 1; */', 'select 2']],
	['select 1--1; select 2', ['select 1--1', 'select 2']],
	['select 1 -- 1; select 2', ['select 1']],
	['delimiter //\nselect 1; select 2 //\nDELIMITER ;\nselect 3;', ['select 1; select 2', 'select 3']],
	[
		'delimiter $$\ncreate procedure p() begin select 1; end$$\nselect 2$$',
		['create procedure p() begin select 1; end', 'select 2'],
	],
	[
		'create procedure p() begin select 1; if a then select 2; end if; end; select 3',
		['create procedure p() begin select 1; if a then select 2; end if; end', 'select 3'],
	],
	[
		'create or replace definer=`a`@`b` trigger t before insert on x for each row if new.a then set new.b = 1; end if; select 3',
		[
			'create or replace definer=`a`@`b` trigger t before insert on x for each row if new.a then set new.b = 1; end if',
			'select 3',
		],
	],
	[
		'create function f() returns int return if(1, 2, 3); select 2',
		['create function f() returns int return if(1, 2, 3)', 'select 2'],
	],
	[
		'create procedure p() begin l: loop select case when 1 then 2 end; leave l; end loop; end; select 1',
		['create procedure p() begin l: loop select case when 1 then 2 end; leave l; end loop; end', 'select 1'],
	],
	[
		'create event e on schedule every 1 day do begin delete from t; end; select 1',
		['create event e on schedule every 1 day do begin delete from t; end', 'select 1'],
	],
	['begin not atomic select 1; end; select 2', ['begin not atomic select 1; end', 'select 2']],
	['begin; select 1; commit', ['begin', 'select 1', 'commit']],
	[
		'drop procedure if exists p; select case when 1 then 2 end; select 2',
		['drop procedure if exists p', 'select case when 1 then 2 end', 'select 2'],
	],
	["select 1; select 'open; select 2", ['select 1', "select 'open; select 2"]],
	["select '🚂;' ;\r\nselect 2", ["select '🚂;'", 'select 2']],
	[' ; -- nothing', []],
])('%j', (text, expected) => {
	expect(piecesOf(text)).toEqual(expected)
})

test('modes change where a text ends', () => {
	const kinds = (text: string, mode: object) =>
		tokensOf(text, { ansiQuotes: false, noBackslashEscapes: false, ...mode }).map(({ kind }) => kind)
	expect(kinds("'\\' + '", { noBackslashEscapes: true })).toEqual(['string', 'blank', 'symbol', 'blank', 'string'])
	expect(kinds("'\\' + '", {})).toEqual(['string'])
	expect(kinds('"\\"', { ansiQuotes: true })).toEqual(['quotedIdentifier'])
})

test.each([
	'shop.orders',
	'`my-shop`.t',
	'shop.`order`',
	'a.`b``c`',
	'shop.été',
	'Shop.Orders',
])('%s is a name of a table', name => {
	expect(nameOf(parseName(name))).toBe(name)
})

test('a name without a database is one of that of the connection', () => {
	expect(parseName('t', 'shop')).toEqual({ database: 'shop', table: 't' })
	expect(() => parseName('t')).toThrow('There is no table t')
	expect(() => parseName('a.b.c')).toThrow()
})

test('a text as digits ends nothing', () => {
	expect(hexText("'; drop")).toBe("_utf8mb4 x'273b2064726f70'")
	expect(literal("it's")).toBe("'it''s'")
	expect(literal('a\\')).toBe("_utf8mb4 x'615c'")
})

const { session } = await openForFile({})

describe.skipIf(!hasServer)('on a server', () => {
	test('a word without quotes is a name', async () => {
		const words = await rowsOf(
			session,
			"select lower(word) from information_schema.keywords where word rlike '^[a-z_0-9]+$'",
		)
		const plain = words.map(([word]) => String(word)).filter(word => quoted(word) === word)
		expect(plain.length).toBeGreaterThan(300)
		const failing: string[] = []
		for (const word of plain)
			await rowsOf(session, `select t.${word} as ${word} from (select 1 as ${word}) t where ${word} = 1`).catch(() =>
				failing.push(word),
			)
		expect(failing).toEqual([])
	})
})
