import { PassThrough } from 'node:stream'
import { directContext } from '@roundhouse/kit/testing'
import { ChunkBuffer } from '@roundhouse/sql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostgresConnection } from '../connection.ts'
import { testedBinaries } from '../servers/binaries.ts'
import { startServer, type TestServer } from '../servers/server.ts'
import { readSettings } from '../settings.ts'
import { call, everything, open } from '../test/fixture.ts'
import { CopyTap } from '../wire/copy-tap.ts'
import { openSession } from '../wire/open-session.ts'
import type { Session } from '../wire/session.ts'
import { csvRow } from './rows/csv-row.ts'
import { mostBytes, type RowWriter } from './rows/text-row.ts'

/** The driver writes rows itself. The same rows as the server writes them are the reference, byte for byte. */

const texts = `(values (null), (''), ('"'), ('""'), (','), ('a,b'), (e'\\n'), (e'\\r'), (e'\\r\\n'), ('\\'), ('\\\\'), ('\\.'), ('\\.x'),
	('\\N'), ('\\n'), ('\\"'), (e'\\t'), (e'\\v'), (e'\\b\\f'), (e'\\x01\\x02\\x1f\\x7f'), ('ä€🚂'), (' a'), ('a '), (' '), ('it''s'),
	('a"b,c'), (e'"\\n\\\\,'), ('=1+1'), ('null'), ('N'), ('t'), (repeat('long "text", ', 20000)), (repeat(e'\\x01', 9000)), (repeat('"', 9000))) v(word)`

const schema = `
create domain amount as numeric(9, 2);
create type mood as enum ('good', 'so,so');
create type pair as (a text, b int);
create table single as select word from ${texts};
create table pairs as select a.word as a, b.word as b from single a, single b where coalesce(length(a.word), 0) + coalesce(length(b.word), 0) < 9000;
create table kinds ("a ""key"", x" int, big bigint, exact numeric, real_ float8, small float4, flag bool, day date, at timestamptz, j json, b jsonb,
	bytes bytea, list text[], composite pair, span int4range, wait interval, mood mood, amount amount, fixed char(5), place inet, number_ oid, x xml, price money);
insert into kinds values
	(1, 9223372036854775807, 1.10, 'NaN', '1e-5', true, '0044-03-15 BC', '2024-02-29 12:00:00.5+00', e'{"a": 1,\\n\\t"a": "\\\\n\\\\\\\\"}', '{"b": ["x", null, 1.0]}',
		'\\x00ff0a5c', array['a,b', '"', null, '', '\\'], ('x "y"', 1), '[1,3)', '1 year 2 mons', 'so,so', 1.5, 'ab', '10.0.0.1', 4294967295, '<a b="c">&amp;</a>', 1234.5),
	(-2, -9223372036854775808, '1e-400', '-Infinity', '-0', false, 'infinity', '-infinity', 'null', '"\\u2028"', '', '{}', null, 'empty', '-1 days', 'good', 0, '', '::1/64', 0, '', -1),
	(null, 0, 'NaN', 'Infinity', 'NaN', null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
create function printed_pair(pair) returns text language sql immutable as $$ select 'cast' $$;
create cast (pair as text) with function printed_pair(pair);
create table printed (place inet, fixed char(5), network cidr, composite pair, list inet[], bits bit(3), at time);
insert into printed values ('10.0.0.1', 'ab', '10.0.0.0/8', ('x', 1), '{10.0.0.1,NULL}', '101', '12:00'), ('10.0.0.1/8', '', '::1/128', (null, null), '{}', '000', '24:00'),
	(null, null, null, null, null, null, null);
create table nothing (); insert into nothing default values; insert into nothing default values;
create table "odd ""names""" ("\\." text); insert into "odd ""names""" values ('\\.'), (null);
create table wide as select ${Array.from({ length: 300 }, (_, at) => `case when n % 7 = ${at % 7} then null else n || ',${at}' end as c${at}`).join(', ')} from generate_series(1, 50) n;
create table given (id int generated always as identity, twice int generated always as (1) stored, word text);
insert into given (word) values ('a\\b'), (null);
create table keyed (id int primary key, word text); insert into keyed values (1, 'a'), (2, 'b'); update keyed set word = 'c' where id = 1;`

const tables = ['single', 'pairs', 'kinds', 'printed', 'nothing', '"odd ""names"""', 'wide', 'given']
const { signal } = new AbortController()

describe.each(
	[await testedBinaries()].flatMap(binaries => (binaries ? [[binaries.version, binaries] as const] : [])),
)('PostgreSQL %s', (_, binaries) => {
	let server: TestServer
	let connection: PostgresConnection
	let session: Session

	beforeAll(async () => {
		server = await startServer({ binaries, schema })
		connection = await open(server.settings)
		session = await openSession(readSettings(server.settings), directContext(), signal, { path: 'user' })
	})
	afterAll(async () => {
		session?.close()
		await connection?.close()
		await server?.stop()
	})

	const exported = async (table: string, options: { readonly format: string; readonly guardFormulas?: boolean }) => {
		const file = await connection.openExport(everything(`public.${table}`), options, call())
		const pieces: Uint8Array[] = []
		for (let piece = await file.read(call()); piece; piece = await file.read(call())) pieces.push(piece)
		await file.close()
		return Buffer.concat(pieces).toString()
	}
	test('rows without a sort have the order of the key, as in the grid, if that costs little', async () => {
		expect(await exported('keyed', { format: 'csv' })).toBe('id,word\n1,c\n2,b\n')
		await server.sql("update pg_class set reltuples = 1000000 where relname = 'keyed'")
		const large = await open(server.settings)
		const file = await large.openExport(everything('public.keyed'), { format: 'csv' }, call())
		expect(Buffer.from((await file.read(call())) ?? []).toString()).toBe('id,word\n2,b\n1,c\n')
		await file.close()
		await large.close()
	})

	const printed = async (sql: string) => {
		const parts: Buffer[] = []
		await session.copyOut(sql, (bytes, start, end) => parts.push(Buffer.from(bytes.subarray(start, end))), signal)
		return Buffer.concat(parts).toString()
	}
	const columnsOf = (table: string) =>
		server.sql(`select quote_ident(attname) as name, format_type(atttypid, null) as type, attidentity::text || attgenerated::text as made
			from pg_attribute where attrelid = '${table}'::regclass and attnum > 0 order by attnum`) as Promise<
			readonly Record<'name' | 'type' | 'made', string>[]
		>
	const base64 = (name: string) => `translate(encode(${name}, 'base64'), e'\\n', '')`

	test.each(tables)('%s as CSV is what the server writes', async table => {
		const values = (await columnsOf(table)).map(({ name, type }) =>
			type === 'boolean' ? `${name}::text as ${name}` : name,
		)
		const reference = await printed(`copy (select ${values.join(', ')} from ${table}) to stdout (format csv, header)`)
		expect(await exported(table, { format: 'csv' })).toBe(reference)
	})

	/** What the server prints for a value. */
	const shown = (name: string) => `case when num_nulls(${name}) = 0 then format('%s', ${name}) end`
	const asItIs = (sql: string) => printed(`copy (${sql}) to stdout (format csv, quote e'\\x01', delimiter e'\\x02')`)

	test.each(tables)('%s as NDJSON and JSON is what row_to_json writes', async table => {
		const plain = ['boolean', 'integer', 'bigint', 'numeric', 'double precision', 'real', 'jsonb', 'amount']
		const values = (await columnsOf(table)).map(({ name, type }) => {
			if (plain.includes(type)) return name
			if (type === 'bytea') return `${base64(name)} as ${name}`
			return type === 'json'
				? `translate(${name}::text, e'\\n\\r', '  ')::json as ${name}`
				: `${shown(name)} as ${name}`
		})
		const reference = await asItIs(`select row_to_json(r) from (select ${values.join(', ')} from ${table}) r`)
		expect(await exported(table, { format: 'ndjson' })).toBe(reference)
		expect(await exported(table, { format: 'json' })).toBe(`[\n${reference.slice(0, -1).replaceAll('\n', ',\n')}\n]\n`)
	})

	test.each(tables)('%s as INSERT has the literals of quote_literal', async table => {
		const columns = (await columnsOf(table)).filter(({ made }) => !made.endsWith('s'))
		const numbers = ['integer', 'bigint', 'numeric', 'double precision', 'real', 'amount', 'oid']
		const values = columns.map(({ name, type }) => {
			if (type === 'boolean') return `coalesce(${name}::text, 'null')`
			const quoted = `coalesce(quote_literal(${shown(name)}), 'null')`
			return numbers.includes(type)
				? `case when ${name}::text ~ '^([0-9]|-[1-9])' then ${name}::text else ${quoted} end`
				: quoted
		})
		const overriding = columns.some(({ made }) => made.startsWith('a')) ? ' overriding system value' : ''
		const begin = `insert into public.${table} (${columns.map(({ name }) => name).join(', ')})${overriding} values (`
		const row =
			values.length === 0
				? `'insert into public.${table} default values;'`
				: `'${begin.replaceAll("'", "''")}' || ${values.join(` || ', ' || `)} || ');'`
		// The marks are around a text with a line end.
		const reference = (await asItIs(`select replace(${row}, e'\\x01', '§') from ${table}`))
			.replaceAll('\u0001', '')
			.replaceAll('§', '\u0001')
		expect(await exported(table, { format: 'sql' })).toBe(reference)
	})

	test.each(['kinds', 'printed'])('a guard changes only formulas: %s', async table => {
		expect(await exported(table, { format: 'csv', guardFormulas: true })).toBe(await exported(table, { format: 'csv' }))
	})

	test('formulas are guarded', async () => {
		expect(await exported('single', { format: 'csv', guardFormulas: true })).toContain(`\n'=1+1\n`)
		await server.sql(
			`create table signs ("=cmd()" text); insert into signs values ('-5'), ('+49 170 12'), ('-a|b'), (e'\ufeff=1')`,
		)
		const signs = await exported('signs', { format: 'csv', guardFormulas: true })
		expect(signs).toBe(`'=cmd()\n-5\n+49 170 12\n'-a|b\n'\ufeff=1\n`)
	})

	test('texts of a collation that treats different texts as equal are guarded and searched', async () => {
		await server.sql(`
			create collation loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
			create table loose_words (word text collate loose, list text[] collate loose);
			insert into loose_words values ('=1', '{b}'), ('Abc', '{=1}')`)
		expect(await exported('loose_words', { format: 'csv', guardFormulas: true })).toBe("word,list\n'=1,{b}\nAbc,{=1}\n")
		for (const [column, value] of [
			['word', 'B'],
			['list', 'B'],
		] as const) {
			const { sort, ...query } = everything('public.loose_words')
			const filters = [{ column, operator: 'contains' as const, values: [value] }]
			expect((await connection.countRows({ ...query, filters }, call())).value).toBe(1)
		}
	})
})

/** Rows as the server sends them: each in a separate message. */
const message = (row: string) => {
	const head = Buffer.from('d\0\0\0\0')
	head.writeInt32BE(4 + Buffer.byteLength(row), 1)
	return Buffer.concat([head, Buffer.from(row)])
}

test('rows are the same wherever the socket divides them', async () => {
	const rows = ['1\ta"b\\\\,\t\\N\n', '\t\\tä\\n🚂\t \n', `${'wide '.repeat(20)}\t\\\\.\t"\n`]
	const sent = Buffer.concat(rows.map(message))
	const whole = await through(csvRow(['a', 'b', 'c']), [sent])
	expect(whole).toBe(`1,"a""b\\,",\n"","\tä\n🚂", \n${'wide '.repeat(20)},\\.,""""\n`)
	for (let at = 0; at <= sent.length; at++)
		expect(await through(csvRow(['a', 'b', 'c']), [sent.subarray(0, at), sent.subarray(at)]), `divided at ${at}`).toBe(
			whole,
		)
	expect(
		await through(
			csvRow(['a', 'b', 'c']),
			[...sent].map(byte => Buffer.of(byte)),
		),
	).toBe(whole)
})

/** Sends chunks to a tap, and returns what a writer makes of the rows. */
async function through({ write, fixedBytes }: RowWriter, chunks: readonly Buffer[]): Promise<string> {
	const stream = new PassThrough()
	const pieces = new ChunkBuffer()
	const tap = new CopyTap(stream, (bytes, start, end) => {
		pieces.reserve(mostBytes(bytes, start, end) + fixedBytes)
		write(bytes, start, pieces)
	})
	for (const chunk of chunks) stream.write(chunk)
	stream.end()
	await new Promise(resolve => stream.once('end', resolve))
	tap.close()
	return String(pieces.take())
}
