import type { Access } from '@roundhouse/kit'
import pg from 'pg'
import type { TestServer } from '../servers/server.ts'
import { call, open } from './fixture.ts'

/** A database whose state is observed while statements run in it without the driver and its read-only transactions. */
export interface Observed extends AsyncDisposable {
	/** The driver's verdict. Of several statements it is that of the first. */
	access(sql: string): Promise<Access>
	/** Runs a statement, and returns whether anything differs afterwards. An error of the statement is ignored. */
	changes(sql: string): Promise<boolean>
}

/** Volatile columns of the catalog. */
const statistics =
	"array['relpages', 'reltuples', 'relallvisible', 'relallfrozen', 'relfrozenxid', 'relminmxid', 'datfrozenxid', 'datminmxid']"

/** What no user has made has a lower number. */
const own = (key = 'oid') => `where t.${key} >= 16384`

const catalogs: readonly string[] = [
	...['class', 'proc', 'type', 'rewrite', 'trigger', 'constraint', 'operator', 'cast', 'extension', 'policy'].map(
		name => `pg_${name} t ${own()}`,
	),
	`pg_attribute t ${own('attrelid')}`,
	`pg_attrdef t ${own('adrelid')}`,
	`pg_index t ${own('indexrelid')}`,
	`pg_aggregate t join pg_proc p on p.oid = t.aggfnoid where p.oid >= 16384`,
	...['namespace', 'enum', 'sequence', 'roles', 'database', 'db_role_setting', 'default_acl', 'publication'].map(
		name => `pg_${name} t`,
	),
	...['event_trigger', 'statistic_ext', 'description', 'largeobject', 'largeobject_metadata'].map(
		name => `pg_${name} t ${name === 'description' ? own('objoid') : ''}`,
	),
	// The session
	`(select name, setting from pg_settings) t`,
	`(select name, statement from pg_prepared_statements) t`,
	`(select objid, mode from pg_locks where locktype = 'advisory') t`,
]

const digest = (source: string) =>
	`(select md5(coalesce(string_agg(row::text, ',' order by row::text), '')) from (select to_jsonb(t) - ${statistics} as row from ${source}) d)`

/** Opens the driver, and a client that runs the statements. */
export async function observe(server: TestServer, database: string): Promise<Observed> {
	await using owned = new AsyncDisposableStack()
	const connection = owned.use(await open({ ...server.settings, database }))
	const { port, password } = server
	const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database })
	await client.connect()
	owned.defer(() => client.end())
	let notifications = 0
	client.on('notification', () => {
		notifications++
	})
	// The server sends a session its own notifications before the end of the statement.
	await client.query("listen noise; set statement_timeout = '5s'")
	const { rows: relations } = await client.query<{ name: string }>(
		`select oid::regclass::text as name from pg_class where relkind in ('r', 'm', 'S') and oid >= 16384 order by oid`,
	)
	const sources = [...relations.map(({ name }) => `(select * from ${name}) t`), ...catalogs]
	const sql = `select ${sources.map((source, at) => `${digest(source)} as "${at}"`).join(', ')}`
	const state = async () => JSON.stringify([(await client.query(sql)).rows, notifications])
	let before = await state()
	const moved = owned.move()
	return {
		access: async text => (await connection.console.analyse(text, call()))[0]?.access ?? 'destructive',
		changes: async text => {
			await client.query(text).catch(() => {})
			const after = await state()
			const isChanged = after !== before
			before = after
			return isChanged
		},
		[Symbol.asyncDispose]: () => moved.disposeAsync(),
	}
}
