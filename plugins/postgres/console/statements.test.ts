import { directContext } from '@roundhouse/kit/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shop } from '../servers/schema.ts'
import { startServer, type TestServer } from '../servers/server.ts'
import { readSettings } from '../settings.ts'
import { split } from '../sql/split.ts'
import { openSession } from '../wire/open-session.ts'
import type { Session } from '../wire/session.ts'
import { accessOf } from './access.ts'
import { parse } from './parser.ts'
import { findVolatile } from './volatile.ts'

/**
 * Generated statements through the driver and through the server: what is called a read changes nothing, also without
 * the transaction that refuses writes; and a text is split as the server splits it.
 */

let server: TestServer
let session: Session
const { signal } = new AbortController()
const runs = process.env.CI === 'true' ? 3_000 : 500

beforeAll(async () => {
	server = await startServer({
		schema: `${shop}
		create function spend() returns int language sql volatile as 'insert into logs values (now(), null); select 1';
		create function calm(n int) returns int language sql immutable as 'select n';
		create function remove(logs) returns int language sql volatile as 'delete from order_lines; select 1';
		create function loud(int) returns int language sql volatile as 'insert into logs values (now(), null); select 1';
		create operator !!! (rightarg = int, function = loud);`,
	})
	session = await openSession(readSettings(server.settings), directContext(), signal)
})
afterAll(async () => {
	session?.close()
	await server?.stop()
})

/** A digest of all rows and definitions. */
const state = async () => {
	const tables = ['customers', 'orders', 'order_lines', 'logs']
	const parts = tables.map(
		table => `(select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) from ${table} t)`,
	)
	const sql = `select ${parts.join(' || ')} || (select string_agg(oid::text || relname, ',' order by oid) from pg_class) || (select last_value from orders_id_seq)::text`
	return (await session.query({ sql }, signal)).rows[0]?.[0]
}

const name = fc.constantFrom('orders', 'customers c', 'logs', 'order_lines as l', 'generate_series(1, 2) g')
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
		fc.constantFrom('l.remove', '(select remove(logs) from logs limit 1)', "nextval('orders_id_seq')"),
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
	fc.constantFrom(
		'table logs',
		'select 1 into made',
		'select * from orders for update',
		'create table made ()',
		'truncate logs',
	),
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

test('what is called a read changes nothing', { timeout: 300_000 }, async () => {
	let before = await state()
	let reads = 0
	await fc.assert(
		fc.asyncProperty(statement, async sql => {
			const parsed = await parse(sql)
			const [tree] = 'statements' in parsed ? parsed.statements : []
			const access = tree ? await accessOf(tree, names => findVolatile(session, names, signal)) : 'destructive'
			if (access !== 'read') return
			reads++
			await session.query({ sql }, signal).catch(() => {})
			const after = await state()
			const isSame = after === before
			before = after
			expect(isSame, sql).toBe(true)
		}),
		{ numRuns: runs },
	)
	// Otherwise the test proves nothing.
	expect(reads).toBeGreaterThan(runs / 20)
})

test('a text is split as the server splits it', { timeout: 300_000 }, async () => {
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
