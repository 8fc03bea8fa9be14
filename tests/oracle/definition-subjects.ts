import { hasServer, startServer as startMariadb } from '../../plugins/mariadb/servers/server.ts'
import { inQuotes } from '../../plugins/mariadb/sql/names.ts'
import { connected } from '../../plugins/mariadb/test/connection.ts'
import { startServer as startPostgres } from '../../plugins/postgres/servers/server.ts'
import { quoted as quotedByPostgres } from '../../plugins/postgres/sql/names.ts'
import { open } from '../../plugins/postgres/test/fixture.ts'
import type { DefinitionDialect, DefinitionSubject } from './definitions.ts'

/** Drivers with a form of tables, each on a server of the tests. */

type Subject = DefinitionSubject & AsyncDisposable

const postgres: DefinitionDialect = {
	families: [
		[
			{ type: 'bigint', defaults: ['0', '-7', '42'] },
			{ type: 'integer', defaults: ['0', '-7', '42'] },
			{ type: 'numeric(10,2)', defaults: ['0', '1.50'] },
			{ type: 'numeric(14,4)', defaults: ['0.0001'] },
			{ type: 'double precision', defaults: ['0', '1.5'] },
		],
		[
			{ type: 'text', defaults: ["'open'", "''", "'it''s'", "lower('X'::text)"] },
			{ type: 'varchar(20)', defaults: ["'open'", "''"] },
			{ type: 'varchar(40)', defaults: ["'wide'"] },
			{ type: 'char(5)', defaults: ["'abc'"] },
		],
		[
			{ type: 'timestamptz', defaults: ['now()', 'CURRENT_TIMESTAMP'] },
			{ type: 'timestamp', defaults: [] },
			{ type: 'date', defaults: ['CURRENT_DATE', "'2026-01-31'"] },
		],
		[{ type: 'boolean', defaults: ['true', 'false'] }],
		[
			{ type: 'jsonb', defaults: ["'{}'"] },
			{ type: 'json', defaults: ["'[]'"] },
		],
		[{ type: 'uuid', defaults: ['gen_random_uuid()'] }],
		[{ type: 'text[]', defaults: ["'{}'"] }],
		[{ type: 'shop.mood', defaults: ["'fine'"] }],
	],
	numbered: { type: 'bigint', default: 'identity' },
	referring: {
		type: 'bigint',
		table: 'shop.other',
		rules: ['no action', 'cascade', 'restrict', 'set null', 'set default'],
	},
	indexesReferences: false,
	movesColumns: false,
	hasDescending: true,
	hasValue: column => `${quotedByPostgres(column)} IS NOT NULL`,
}

export async function openPostgresDefinitions(): Promise<Subject> {
	await using owned = new AsyncDisposableStack()
	const schema = `create schema shop; create table shop.other (id bigint primary key); create type shop.mood as enum ('fine', 'bad')`
	const server = owned.use(await startPostgres({ schema }))
	const connection = owned.use(await open(server.settings))
	const moved = owned.move()
	return {
		connection,
		dialect: postgres,
		path: ['shop'],
		nameOf: table => `shop.${table}`,
		[Symbol.asyncDispose]: () => moved.disposeAsync(),
	}
}

const mariadb: DefinitionDialect = {
	families: [
		[
			{ type: 'bigint', defaults: ['0', '-7', '42'] },
			{ type: 'int', defaults: ['0', '-7', '42'] },
			{ type: 'int unsigned', defaults: ['5'] },
			{ type: 'decimal(10,2)', defaults: ['0.00', '1.50'] },
			{ type: 'double', defaults: ['0', '1.5'] },
			{ type: 'tinyint(1)', defaults: ['0', '1'] },
		],
		[
			{ type: 'varchar(20)', defaults: ["'open'", "''", "'it''s'", "'x y'"] },
			{ type: 'varchar(40)', defaults: ["'wide'"] },
			{ type: 'char(5)', defaults: ["'abc'"] },
			{ type: 'text', defaults: ["'long'"] },
		],
		[
			{ type: 'datetime', defaults: ['current_timestamp()', "'2026-01-31 00:00:00'"] },
			{ type: 'timestamp', defaults: ['current_timestamp()'] },
			{ type: 'date', defaults: ["'2026-01-31'"] },
		],
		[{ type: 'json', defaults: [] }],
		[{ type: 'uuid', defaults: ['uuid()'] }],
		[{ type: "enum('new','it''s','a,b')", defaults: ["'new'", "'a,b'"] }],
		[{ type: 'varbinary(20)', defaults: [] }],
	],
	numbered: { type: 'bigint', default: 'auto_increment' },
	referring: { type: 'bigint', table: 'shop.other', rules: ['restrict', 'cascade'] },
	primaryName: 'PRIMARY',
	indexesReferences: true,
	movesColumns: true,
	hasDescending: true,
	hasValue: column => `${inQuotes(column)} is not null`,
}

/** @returns nothing on a machine without a server */
export async function openMariadbDefinitions(): Promise<Subject | undefined> {
	if (!hasServer) return undefined
	await using owned = new AsyncDisposableStack()
	const server = owned.use(await startMariadb({ schema: 'create table other (id bigint primary key)' }))
	const connection = owned.use(await connected(server.settings))
	const moved = owned.move()
	return {
		connection,
		dialect: mariadb,
		path: ['shop'],
		nameOf: table => `shop.${table}`,
		[Symbol.asyncDispose]: () => moved.disposeAsync(),
	}
}
