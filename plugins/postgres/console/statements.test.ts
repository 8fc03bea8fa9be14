import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { shop } from '../servers/schema.ts'
import { startServer, type TestServer } from '../servers/server.ts'
import { split } from '../sql/split.ts'
import { isFiller } from '../test/filler.ts'
import { type Observed, observe } from '../test/observed.ts'
import { analyse } from './analyse.ts'
import { namesOf } from './collect.ts'
import {
	comparisonSchema,
	comparisons,
	type HiddenWrite,
	hiddenSchema,
	hiddenWrites,
	statementOf,
} from './hidden-writes.ts'
import { parse } from './parser.ts'

/**
 * Written and generated statements through the driver and through the server: what is called a read changes nothing, also
 * without the transaction that refuses writes; a text is split as the server splits it; and offsets cover the text.
 */

let server: TestServer
let observed: Observed
const runs = inject('runsAllCases') ? 3_000 : 500

beforeAll(async () => {
	server = await startServer({ settings: { autovacuum: 'off' }, schema: `${shop}${hiddenSchema}` })
	await server.sql('create database written')
	await server.sql(`${shop}${hiddenSchema}`, 'written')
	await server.sql('create database compared')
	await server.sql(`${shop}${hiddenSchema}${comparisonSchema}`, 'compared')
	observed = await observe(server, 'postgres')
})
afterAll(async () => {
	await observed?.[Symbol.asyncDispose]()
	await server?.stop()
})

test.each([
	['written', hiddenWrites],
	['compared', comparisons],
])('what changes the database is not called a read, except for known holes: %s', async (database, parts) => {
	await using inDatabase = await observe(server, database)
	const reads: HiddenWrite[] = []
	for (const part of parts) {
		const sql = statementOf(part)
		if ((await inDatabase.access(sql)) === 'read') reads.push(part)
		// Otherwise the part proves nothing.
		expect(await inDatabase.changes(sql), sql).toBe(true)
	}
	expect(reads).toEqual(parts.filter(({ hole }) => hole !== undefined))
})

/** Parts that change the database. A part that is a known hole would be found again each time. */
const hidden = (as: HiddenWrite['as']) =>
	fc.constantFrom(...hiddenWrites.flatMap(part => (part.as === as && part.hole === undefined ? [part.sql] : [])))
const name = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.constantFrom(
			'orders',
			'customers c',
			'logs',
			'order_lines as l',
			'generate_series(1, 2) g',
			'totals',
		),
	},
	{ weight: 1, arbitrary: hidden('source') },
)
const scalar: fc.Arbitrary<string> = fc.letrec<{ scalar: string; query: string }>(tie => ({
	scalar: fc.oneof(
		{ maxDepth: 4, withCrossShrink: true },
		fc.constantFrom(
			'1',
			"'a;b'",
			"e'\\';'",
			'$$;$$',
			'null',
			'/* ; */ 2',
			'"name"',
			'now()',
			"u&'\\0061'",
			'current_date',
		),
		fc
			.tuple(
				fc.constantFrom('calm', 'spend', 'abs', 'loud', 'random', 'pg_catalog.length', 'nextval', 'missing'),
				tie('scalar'),
			)
			.map(([f, x]) => `${f}(${f === 'spend' || f === 'random' ? '' : x})`),
		fc.tuple(fc.constantFrom('!!!', '-', 'not '), tie('scalar')).map(([operator, x]) => `${operator}(${x})`),
		fc
			.tuple(tie('scalar'), fc.constantFrom('+', '||', '=', 'is distinct from'), tie('scalar'))
			.map(parts => `(${parts.join(' ')})`),
		tie('query').map(query => `(${query} limit 1)`),
		tie('scalar').map(x => `case when true then ${x} end`),
		fc.tuple(tie('scalar'), fc.constantFrom('int', 'text', 'coin', 'json')).map(([x, type]) => `(${x})::${type}`),
		hidden('value'),
	),
	query: fc
		.tuple(tie('scalar'), name, fc.constantFrom('', ' where true', ' where exists (select 1)', ' -- ;\n', ' /* ; */'))
		.map(([x, table, rest]) => `select ${x} from ${table}${rest}`),
})).scalar

const body = fc.oneof(
	scalar.map(x => `select ${x}`),
	fc.tuple(scalar, name).map(([x, table]) => `select ${x} from ${table} limit 2`),
	scalar.map(x => `values (${x})`),
	scalar.map(x => `insert into logs values (now(), (${x})::text)`),
	scalar.map(x => `update customers set note = (${x})::text where id = 1`),
	scalar.map(x => `delete from logs where (${x}) is null`),
	fc.constantFrom('table logs', 'select * from orders for update', 'create table made ()'),
	hidden('statement'),
)
const statement = fc.oneof(
	body,
	fc.tuple(body, body).map(([inner, outer]) => `with w as (${inner} ) ${outer}`),
	fc
		.tuple(
			fc.constantFrom('explain ', 'explain analyze ', 'explain (analyze off) ', 'EXPLAIN (ANALYZE, COSTS OFF) '),
			body,
		)
		.map(parts => parts.join('')),
	fc.tuple(body, fc.constantFrom('union all', 'except', 'intersect'), body).map(parts => parts.join(' ')),
)

test('what is called a read changes nothing', async () => {
	let reads = 0
	await fc.assert(
		fc.asyncProperty(statement, async sql => {
			if ((await observed.access(sql)) !== 'read') return
			reads++
			expect(await observed.changes(sql), sql).toBe(false)
		}),
		{ numRuns: runs },
	)
	// Otherwise the test proves nothing.
	expect(reads).toBeGreaterThan(runs / 20)
})

test('a text is split as the server splits it', async () => {
	const separator = fc.constantFrom(';', ' ; ', ';;', ';\r\n-- ;\n', '; /* ; /* ; */ */')
	const body = 'create or replace function f() returns int begin atomic select 1; select case when true then 1 end; end'
	const rule = 'create or replace rule r as on insert to logs do also (select 1; select 2)'
	const texts = fc.array(
		fc.tuple(fc.oneof(statement, fc.constantFrom(body, rule, "select '🚂;', $a$;$a$")), separator),
		{ minLength: 1, maxLength: 5 },
	)
	await fc.assert(
		fc.asyncProperty(texts, async parts => {
			const text = parts.flat().join('')
			const parsed = await parse(text)
			if (!('statements' in parsed)) return
			const pieces = split(text).map(({ start, end }) => text.slice(start, end))
			expect(pieces.length, text).toBe(parsed.statements.length)
			const each = await Promise.all(pieces.map(async piece => JSON.stringify(treesOf(await parse(piece)))))
			expect(each).toEqual(parsed.statements.map(tree => JSON.stringify([withoutPlaces(tree)])))
		}),
		{ numRuns: runs },
	)
})

const treesOf = (parsed: Awaited<ReturnType<typeof parse>>) =>
	'statements' in parsed ? parsed.statements.map(withoutPlaces) : parsed
/** Places are those in the text, so they differ. */
const withoutPlaces = (tree: unknown): unknown =>
	JSON.parse(
		JSON.stringify(tree, (key, value) =>
			/^(stmt_)?(location|list_start|list_end|rexpr_list_start|rexpr_list_end)$/.test(key) ? undefined : value,
		),
	)

/** A server without volatile functions, whose grammar is that of the driver. */
const noServer = { findVolatile: async () => namesOf([]), findSyntaxError: async () => undefined }
const filler = fc
	.array(
		fc.constantFrom(
			' ',
			'\n',
			'\r\n',
			'\t',
			'-- é;\r\n',
			'--🚂 "\n',
			'/* ; */',
			"/* it's /* 🚂; */ $$ */",
			'/**/',
			';',
			'--\r',
		),
		{ maxLength: 4 },
	)
	.map(parts => parts.join(''))
const anyStatement = fc.oneof(
	statement,
	fc.constantFrom(
		'select \'🚂;é\' as "ü;"',
		'select {{ name }},\r\n\r\n{{é}} -- ;\r\n + 1',
		'select $é$;\r\n$é$',
		"select e'\\';🚂'",
		'not a statement 🚂 ()',
		'create function f(begin int) returns int begin atomic select 1;\r\nselect case when true then 2 end; end',
		'select 1 \\; select 2',
	),
)

test('offsets of statements are where the statements stand', async () => {
	const parts = fc.array(fc.tuple(filler, anyStatement), { maxLength: 5 })
	await fc.assert(
		fc.asyncProperty(parts, filler, async (parts, last) => {
			let text = ''
			const expected: { readonly start: number; readonly end: number }[] = []
			for (const [before, sql] of parts) {
				text += before
				expected.push({ start: text.length, end: text.length + sql.length })
				text += `${sql}\n;`
			}
			const verdicts = await analyse(text + last, noServer)
			expect(
				verdicts.map(({ start, end }) => ({ start, end })),
				text,
			).toEqual(expected)
		}),
		{ numRuns: runs },
	)
})

test('between statements are only blanks, comments and semicolons', async () => {
	const torn = fc.constantFrom(
		"'",
		'"',
		'$$',
		'$a$',
		'/*',
		'*/',
		'--',
		'\r\n',
		'\n',
		'\r',
		';',
		'(',
		')',
		'{{',
		'}}',
		'\\',
		'\u0000',
		'\ud83d',
		"e'",
		'U&"',
		'🚂',
		'é',
		'\u00a0',
		'\u2028',
		' begin ',
		' end ',
		' create function ',
		'select 1',
		' ',
	)
	const texts = fc.array(fc.oneof(torn, filler), { maxLength: 25 }).map(parts => parts.join(''))
	await fc.assert(
		fc.asyncProperty(texts, async text => {
			let covered = 0
			for (const { start, end } of await analyse(text, noServer)) {
				expect(start, text).toBeGreaterThanOrEqual(covered)
				expect(end, text).toBeGreaterThan(start)
				expect(isFiller(text.slice(covered, start)), text).toBe(true)
				expect(isFiller(text.slice(start, end)), text).toBe(false)
				covered = end
			}
			expect(isFiller(text.slice(covered)), text).toBe(true)
		}),
		{ numRuns: runs * 4 },
	)
})
