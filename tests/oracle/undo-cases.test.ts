import type { Change } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import mysql from 'mysql2/promise'
import { expect, test } from 'vitest'
import { hasServer, password, startServer as startMariadb } from '../../plugins/mariadb/servers/server.ts'
import { connected } from '../../plugins/mariadb/test/connection.ts'
import { startServer } from '../../plugins/postgres/servers/server.ts'
import { open } from '../../plugins/postgres/test/fixture.ts'
import { connect } from '../../plugins/search-engine/connect.ts'
import { startSample } from '../../plugins/search-engine/sample/main.ts'
import { call } from './random-table.ts'
import { openKeptChanges, undoCase } from './undo.ts'

/** Undos of odd values, and after others changed the table itself. What does not come back is named. */

const update = (set: Extract<Change, { readonly kind: 'update' }>['set'], id = '["1"]'): Change => ({
	kind: 'update',
	rowId: id,
	set,
})
const deletion: Change = { kind: 'delete', rowId: '["1"]' }

/** Types with values. All come back by the undo of an update to null and by that of a deletion. */
const postgresValues = `
numeric | repeat('9', 1000)::numeric / 7
numeric | '1.10000'
numeric | 'NaN'
float8 | '-0'
float8 | '-Infinity'
float4 | 16777217
int8 | -9223372036854775808
json | '{"a": 1,  "a":2 , "b":[ 1.10,  1e2 ]}'
json | 'null'
json | E'{"a":\\n1}\\n'
jsonb | 'null'
json[] | array['null'::json, null, '{"a" :1}']
timestamptz | 'infinity'
timestamptz | '294276-12-31 23:59:59.999999+00'
timestamp | '0044-03-15 00:00:00.000001 BC'
date | '5874897-12-31'
time | '24:00:00'
timetz | '23:59:60+15:59:59'
interval | '1 year -2 mons +3 days -04:05:06.789'
bytea | '\\x00ff5c27'
bytea | decode(repeat('ab', 20000), 'hex')
int[] | '[0:2]={1,2,3}'
text[] | array['a,b', '"q"', null, 'NULL', '', '\\', '{x}']
numrange | '(,1.10]'
comp | row(1, 'a "b", c', array[1, null])::comp
comp | row(null, null, null)::comp
mood | 'b c'
bpchar | 'ab  '
"char" | ''
text | E'\\r\\n\\t\\u0001\\u2028\\U0001F600'''
text | repeat('x', 2000000)
varbit | ''
money | '-12345.67'
point | '(0.1,-0)'
tsvector | 'a:1A b:2'
xml | '<a>  &lt; </a>'
xid | '1'
pg_lsn | '16/B374D848'`
const mariadbValues = `
date | '0000-00-00'
date | '2020-00-00'
datetime(6) | '9999-12-31 23:59:59.999999'
timestamp null | '0000-00-00 00:00:00'
time(6) | '-838:59:59.999999'
year | 0
bit(1) | b'1'
bit(64) | b'1000000000000000000000000000000000000000000000000000000000000001'
bigint unsigned | 18446744073709551615
decimal(65,30) | '12345678901234567890123456789012345.123456789012345678901234567890'
int zerofill | 42
float | 16777217
double | -0e0
enum('a','b,c','') | 'b,c'
set('a','b','c') | ''
json | '{"a": 1,  "a":2 , "b":[ 1.10]}'
json | 'null'
longtext | concat('a', char(13), char(10), char(0), 'b')
varchar(10) | 'ab  '
binary(5) | 'ab'
blob | x'00ff5c27'
varchar(10) character set latin1 | _latin1 x'e980'
varchar(10) character set sjis | _sjis x'815c'
uuid | 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'
inet6 | '::1'
int invisible default 4 | 9`
const linesOf = (text: string) =>
	text
		.trim()
		.split('\n')
		.map(line => line.split(' | ') as [string, string])

/** What others do to the table `t (id, a, b)` after the update of `a`, and what is said then. */
const othersDo: readonly (readonly [sql: string, named: RegExp])[] = [
	[`alter table t add c text default 'by others'`, /^c$/],
	[`alter table t drop column b`, /changed since/],
	[`alter table t rename column a to aa`, /changed since/],
	[
		`drop table t; create table t (id int primary key, a text, b int); insert into t values (1, 'x', 7)`,
		/changed since/,
	],
	[`alter table t add constraint no_x check (a <> 'x')`, /violates|failed/],
]

test('PostgreSQL', async () => {
	await using server = await startServer({
		schema: `create type mood as enum ('a', 'b c'); create type comp as (a int, b text, c int[]);`,
		settings: { timezone: 'UTC' },
	})
	await using connection = await open(server.settings)
	await using keeping = await openKeptChanges()
	const printed = async (table: string) =>
		(await server.sql(`select x::text as row from ${table} x order by 1`)).map(({ row }) => String(row))
	for (const [at, [type, value]] of linesOf(postgresValues).entries()) {
		const table = `public.v${at}`
		await server.sql(`create table ${table} (id int primary key, v ${type}); insert into ${table} values (1, ${value})`)
		for (const changes of [[update({ v: null })], [deletion]]) {
			const done = await undoCase(keeping.kept, connection, { table, changes, state: () => printed(table) })
			expect([type, value, done]).toEqual([type, value, { isSame: true, named: [], goneOfOthers: [] }])
		}
	}
	for (const [at, [sql, named]] of othersDo.entries()) {
		const path = `set search_path = s${at}`
		await server.sql(`create schema s${at}; ${path}; create table t (id int primary key, a text, b int);
			insert into t values (1, 'x', 1), (2, 'y', 2)`)
		const table = `s${at}.t`
		const others = () => server.sql(`${path}; ${sql}`)
		const changes = [update({ a: 'changed' })]
		const done = await undoCase(keeping.kept, connection, { table, changes, others, state: () => printed(table) })
		expect([sql, done.named.join()]).toEqual([sql, expect.stringMatching(named)])
		if (at === 0) expect(await printed(table)).toContain('(1,x,1,"by others")')
	}
	// Each row has the other's id, and the version of the same transaction.
	await server.sql(`create table swapped (id int primary key, a text, b int not null);
		insert into swapped values (1, 'x', 2), (2, 'y', 1)`)
	const swapped = await undoCase(keeping.kept, connection, {
		table: 'public.swapped',
		changes: [update({ a: 'one' }), update({ a: 'two' }, '["2"]')],
		state: () => printed('swapped'),
		others: () => server.sql('alter table swapped drop constraint swapped_pkey, add primary key (b)'),
	})
	expect(swapped).toMatchObject({ named: ['The row was changed since.', 'The row was changed since.'] })
	// A trigger deletes the row that comes back.
	await server.sql(`create table watched (id int primary key); insert into watched values (1);
		create function remove() returns trigger language plpgsql as 'begin delete from public.watched; return new; end'`)
	const removed = await undoCase(keeping.kept, connection, {
		table: 'public.watched',
		changes: [deletion],
		state: () => printed('watched'),
		others: () => server.sql('create trigger remove after insert on watched for each row execute function remove()'),
	})
	expect(removed.named).toEqual(['the whole row, which is not there'])
})

test.skipIf(!hasServer)('MariaDB', async () => {
	await using server = await startMariadb()
	await using connection = await connected(server.settings)
	await using keeping = await openKeptChanges()
	const client = await mysql.createConnection({
		socketPath: server.socketPath,
		user: 'root',
		password,
		database: 'shop',
		rowsAsArray: true,
		multipleStatements: true,
	})
	try {
		await client.query("set sql_mode = ''")
		for (const engine of ['InnoDB', 'MyISAM']) {
			const values = linesOf(mariadbValues)
			for (const [at, [type, value]] of (engine === 'InnoDB' ? values : values.slice(0, 5)).entries()) {
				const table = `${engine}${at}`
				await client.query(`create table ${table} (id int primary key, v ${type}, w text) engine = ${engine};
					insert into ${table} (id, v, w) values (1, ${value}, 'w')`)
				const state = async () => {
					const [rows] = await client.query(`select hex(concat(v)), w from ${table}`)
					return [JSON.stringify(rows)]
				}
				for (const changes of [[update({ w: null })], [deletion]]) {
					const done = await undoCase(keeping.kept, connection, { table: `shop.${table}`, changes, state })
					expect([type, value, done]).toEqual([type, value, { isSame: true, named: [], goneOfOthers: [] }])
				}
			}
		}
	} finally {
		await client.end()
	}
})

test('the sample of Elasticsearch: a document of an index that was made again has the version of the change, and stays', async () => {
	const sample = await startSample(directContext(), {})
	await using keeping = await openKeptChanges()
	const url = String(sample.settings.hosts)
	const send = async (method: string, path: string, body?: string) => {
		const headers = { 'content-type': 'application/json' }
		const answer = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })
		return answer.text()
	}
	const make = async (...documents: readonly string[]) => {
		await send(
			'PUT',
			'/again',
			'{"settings":{"number_of_shards":1},"mappings":{"properties":{"a":{"type":"keyword"}}}}',
		)
		for (const document of documents) await send('PUT', '/again/_doc/1?refresh=true', document)
	}
	const connection = await connect({ hosts: url, auth: 'none', timeZone: 'UTC' }, directContext(), call)
	try {
		await make('{"a":"before"}')
		const done = await undoCase(keeping.kept, connection, {
			table: 'again',
			changes: [update({ a: 'changed' }, '["again","1"]')],
			state: async () => [await send('GET', '/again/_source/1')],
			others: async () => {
				await send('DELETE', '/again')
				await make('{"a":"another"}', '{"a":"of others"}')
			},
		})
		expect(done).toMatchObject({ named: ['The row was changed since.'], goneOfOthers: [] })
	} finally {
		await connection.close()
		await sample.close()
	}
})
