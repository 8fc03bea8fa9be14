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
