import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isFiller } from '../test/filler.ts'
import { findPsql, sentByPsql } from '../test/psql.ts'
import { split } from './split.ts'

/** The real psql is the judge of the splitting: for each script it sends as many statements, with the same text. */

const psql = await findPsql()
const isSkipped = psql === undefined
if (isSkipped) console.log('SKIPPED: splitting as psql does, because this machine has no psql.')

const body = (words: string) => `create function f() returns int language sql ${words}`

const scripts: readonly string[] = [
	'select 1; select 2',
	'select 1',
	' ; ;; -- nothing\n /* ; */ ;',
	// Brackets and bodies
	'create function f(begin int) returns int return 1; select 2;',
	'create function f("begin" int, begin int default 1) returns int return 1; select 2;',
	'create or replace procedure p(case int, begin int, out end int) begin atomic select 1; end; select 2;',
	'create or replace function f(begin int) returns int begin atomic select (case when true then 1 end); end; select 2',
	`${body('begin atomic select 1; select case when true then 1 end; end')}; select 2;`,
	`${body('begin atomic select case case 1 when 1 then 2 end when 2 then 3 end; end')}; select 2;`,
	`${body('begin atomic select (case when true then 1 end); select (1; 2); end')}; select 2;`,
	`${body('BEGIN ATOMIC; END')}; select 2;`,
	`${body('begin atomic begin; end; end')}; select 2;`,
	`${body('begin atomic select "end"; select 1 as "begin"; end')}; select 2;`,
	`${body("begin atomic select 'end'; /* end */ select 2; -- end\n end")}; select 3;`,
	`${body('return case when true then 1 end')}; select 2;`,
	'create function begin() returns int return 1; select 2; end; select 3;',
	'create function f() returns int end; select 2;',
	'create function f() returns int return 1 end begin; select 2; end; select 3;',
	'create or replace view v as select case when true then 1 end; select 2;',
	'create or function begin; select 1; end; select 2;',
	'create replace function begin; select 1; end; select 2;',
	'create temp function begin; select 1; end; select 2;',
	'/* a */ create -- b\n or replace /* c */ function f() begin atomic select 1; end; select 2;',
	'"create" function f() begin; select 1; end; select 2;',
	'create 1 function f() begin atomic select 1; end; select 2;',
	'begin; select 1; end; select 2;',
	'select case when true then 1 end; select 2;',
	'create rule r as on insert to t do (select 1; select 2); select 3;',
	'select (1; 2)); select 3;',
	'select [1; 2]; select 3;',
	'select )(1; 2); select 3;',
	// Several statements in one message
	'select 1\\; select 2; select 3;',
	'select 1 \\;\\; select 2; select 3;',
	'create function f() returns int return 1\\; begin; select 2; end; select 3;',
	'select 1\\; create function f() begin atomic select 1; end; select 2;',
	'select (1\\; 2; 3); select 4;',
	// Quotes
	"select ';'; select 'it''s;'; select e'\\';'; select E'\\\\'; select 2;",
	"select '\\'; select 2; select '';",
	"select e'a\\\\\\';b'';c'; select 2;",
	"select U&'\\0061;' uescape '!'; select u&\"d\\0061t;a\"; select 2;",
	'select U&";""; \\" as a; select 2;',
	"select u&';\\'; select 2;",
	"select b'1;0'; select x'f;f'; select n';\\'; select 2;",
	"select u & ';'; select 2;",
	"select 'a'\n';b'; select 2;",
	// psql does not continue an E'' string in the next line, though the server does.
	"select e'a'\n'\\'; select 2;'; select 3;",
	'select "a;""b"; select ";";',
	"select 'open; select 2;",
	'select "open; select 2;',
	"select ''''; select ''; select ''';'; select 2;",
	// Dollar quotes
	'select $$;$$; select $a$ $b$; $$ $a$; select 2;',
	'select $a$;$A$; $a$; select 2;',
	'select $a$ $a $a$; select 2;',
	'select $$a$b$;$$; select 2;',
	'select a$b$; select 2; select $b$;$b$;',
	'select $1$; select 2; select $1$$;$$;',
	'select 1$$;$$; select 2;',
	'select $é$;$é$; select $_1$;$_1$; select 2;',
	'select $1a$; select 2;',
	'select $a-$; select 2;',
	'select $open$ ; select 2;',
	'do $do$ begin perform 1; end $do$; select 2;',
	`create function f() returns int language plpgsql as $$ begin return 1; end $$; select 2;`,
	// Comments
	'select 1 /* a /* b; */ c; */ + 1; select 2;',
	'select 1 /* a /* b; */ ; select 2;',
	'select 1 /*/ ; */ ; select 2;',
	'select 1 /**/; select 2 /***/; select 3 /*;**/; select 4;',
	'select 1 -- ; /*\n; select 2; --;\n select 3;',
	"select 1 -- it's\n; select 2;",
	'select 1 --;\r\n; select 2;\r\n\r\nselect 3;\r\n',
	'select 1 --;\r; select 2;',
	'select 1 +-- ;\n 2; select 3;',
	'select 1 */*;*/ 2; select 3;',
	'select 1 /* open; select 2;',
	// Other characters
	"select '🚂;'; select 'é' as é; select 2;",
	'select $🚂$;$🚂$; select 2;',
	"select 1 as 🚂e'\\'; select 2;",
	'select 1\f;\v select 2\u00a0; select 3;',
	'select {{a}}; select {{ a.b }}; select 2;',
	'select a[1:2], a::int, b:=1; select 2;',
]

/**
 * Scripts that the lexer (sql/lexer.ts) still divides in another way than psql: words directly after digits. A script that
 * is no longer different belongs in the list above.
 */
const different: readonly string[] = ["select 1e'\\'; select 2;", "select $1e'\\'; select 2;"]

const words = fc.constantFrom(
	...'create create or replace function procedure begin atomic end case when f select x or_ begin1 END 1 .5 1e5 $1 é ü$'.split(
		' ',
	),
)
const blank = fc.constantFrom(' ', '\n', '\t', '\r\n', ' /* ; */ ', '/* begin /* ( */ ; */', ' -- end;\n', '/**/')
const quoted = fc.constantFrom(
	"';'",
	"'it''s;'",
	"'\\'",
	"E'\\';'",
	"e'\\\\'",
	"U&'\\0061;'",
	"x'f;'",
	"'🚂;'",
	'";"',
	'U&"\\;"',
	'"begin"',
	'"a""b"',
	'$$;$$',
	'$a$ $$ ; $a$',
	'$é1$;$é1$',
)
const bracket = fc.constantFrom('(', ')', '(', ')', '[', ']')
const end = fc.constantFrom(';', ';', ';', '\\;')
const header = fc.constantFrom(
	'create function f() returns int ',
	'create or replace function f(begin int) ',
	'create procedure p() begin atomic ',
	'create or replace procedure p(case int) begin atomic select 1; ',
)
/** Every token is complete, and backslashes stand in quotes or before a semicolon: others are commands of psql. */
const complete = fc
	.array(
		fc.oneof(
			{ weight: 8, arbitrary: words },
			...[quoted, bracket, end, header].map(one => ({ weight: 2, arbitrary: one })),
		),
		{
			minLength: 1,
			maxLength: 25,
		},
	)
	.chain(tokens =>
		fc
			.array(blank, { minLength: tokens.length, maxLength: tokens.length })
			.map(blanks => tokens.map((token, at) => token + blanks[at]).join('')),
	)
/** Parts of tokens, so that quotes and comments end where no author expects it. */
const broken = fc
	.array(
		fc.constantFrom(
			"'",
			'"',
			'$$',
			'$a$',
			'$',
			'/*',
			'*/',
			'/',
			'*',
			'--',
			'-',
			'\n',
			'\r',
			' ',
			';',
			';',
			'; ',
			'(',
			')',
			'begin ',
			' end',
			' case',
			'create function ',
			' x',
			'U&',
			'b',
			'é',
			' 1 ',
			"''",
			'_',
		),
		{ minLength: 1, maxLength: 30 },
	)
	.map(parts => parts.join(''))

test.skipIf(isSkipped)('scripts are split as psql splits them', async () => {
	expect(await differences(scripts)).toEqual([])
})

test.skipIf(isSkipped)('generated scripts are split as psql splits them', async () => {
	const made = { numRuns: 1_000, seed: 20_261_126 }
	expect(await differences([...fc.sample(complete, made), ...fc.sample(broken, made)])).toEqual([])
})

test.skipIf(isSkipped)('scripts are known to be split in another way than by psql', async () => {
	expect((await differences(different)).map(({ text }) => text)).toEqual(different)
})

/** Returns the scripts that psql splits in another way, with both results. */
async function differences(texts: readonly string[]) {
	const sent = await sentByPsql(psql ?? '', texts)
	expect(sent.length).toBe(texts.length)
	return texts.flatMap((text, at) => {
		const statements = (sent[at] ?? []).map(asSent).filter(one => !isFiller(one))
		const pieces = split(text)
			.map(({ start, end }) => asSent(text.slice(start, end)))
			.filter(one => !isFiller(one))
		const isSame = pieces.length === statements.length && pieces.every((piece, n) => isIn(piece, statements[n] ?? ''))
		return isSame ? [] : [{ text, psql: statements, roundhouse: pieces }]
	})
}

/** Whether a statement that psql sent is this piece, with blanks, comments and a semicolon around it. */
function isIn(piece: string, sent: string): boolean {
	for (let at = sent.indexOf(piece); at >= 0; at = sent.indexOf(piece, at + 1))
		if (isFiller(sent.slice(0, at)) && isFiller(sent.slice(at + piece.length))) return true
	return false
}

/** psql drops empty lines, the end of the last line, and the backslash before a semicolon. */
const asSent = (text: string) => text.replace(/\n+/g, '\n').replace(/\n$/, '').replaceAll('\\;', ';')
