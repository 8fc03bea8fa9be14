import type { Call, Table } from '@roundhouse/kit'
import {
	CatalogCache,
	type CompletionCatalog,
	type ForeignKey,
	type KnownFunction,
	type KnownObject,
} from '@roundhouse/sql'
import { systemSchemas } from '../catalog/databases.ts'
import { readShape } from '../catalog/shape.ts'
import { kindOfTable } from '../catalog/tables.ts'
import { functionsOf } from '../judge/functions.ts'
import { literal } from '../sql/literals.ts'
import { nameOf, parseName } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'

type Work = <T>(call: Call, work: (session: Session, signal: AbortSignal) => Promise<T>) => Promise<T>

/** What completion reads of the server, from information_schema. */
export class KnownNames {
	readonly #using: Work
	/** The database in which names are looked up. */
	readonly #home: string | undefined
	readonly #kept = new CatalogCache()

	constructor(using: Work, home: string | undefined) {
		this.#using = using
		this.#home = home
	}

	at(call: Call): CompletionCatalog {
		const home = this.#home
		const read = <T>(key: string, work: (session: Session, signal: AbortSignal) => Promise<T>) =>
			this.#kept.of(key, () => this.#using(call, work))
		return {
			tables: () => read('tables', tablesIn(`table_schema not in (${systemList})`)),
			systemTables: () => read('system tables', tablesIn(`table_schema in (${systemList})`)),
			columns: table =>
				read(`columns ${table}`, async (session, signal) => {
					const { columns } = await readShape(session, parseName(table, home), signal)
					return columns
				}),
			functions: () => read('functions', readFunctions),
			procedures: () => read('procedures', (session, signal) => readRoutines(session, 'PROCEDURE', signal)),
			references: () => read('references', readReferences),
			types: async () => types.map(name => ({ name })),
		}
	}
}

const systemList = systemSchemas.map(literal).join(', ')

/** Types of columns, and those of CAST: https://mariadb.com/kb/en/data-types/ */
const types =
	'int bigint smallint tinyint mediumint decimal double float boolean bit char varchar text tinytext mediumtext longtext binary varbinary blob longblob date datetime timestamp time year json enum set uuid signed unsigned geometry point'.split(
		' ',
	)

/** Without the estimates of a list of tables, for which old servers open each of them. */
const tablesIn =
	(condition: string) =>
	async (session: Session, signal: AbortSignal): Promise<readonly Table[]> => {
		const sql = `select table_schema, table_name, table_type from information_schema.tables where ${condition} order by 1, 2`
		const { rows } = await session.read({ sql }, signal)
		return rows.map(row => {
			const [database = '', table = '', type = ''] = row.map(String)
			const kind = kindOfTable(type, {})
			return { name: nameOf({ database, table }), ...(kind !== undefined && { kind }) }
		})
	}

async function readFunctions(session: Session, signal: AbortSignal): Promise<readonly KnownFunction[]> {
	const own = await readRoutines(session, 'FUNCTION', signal)
	const builtIn = [...functionsOf(session.server.product)].map(name => ({ name, result: '', isBuiltIn: true }))
	return [...builtIn, ...own]
}

async function readRoutines(
	session: Session,
	type: 'FUNCTION' | 'PROCEDURE',
	signal: AbortSignal,
): Promise<readonly (KnownObject & { readonly result: string })[]> {
	const sql = `select routine_name, routine_schema, coalesce(dtd_identifier, '') from information_schema.routines
		where routine_type = ? and routine_schema not in (${systemList}) order by 1, 2`
	const { rows } = await session.read({ sql, values: [type] }, signal)
	return rows.map(row => {
		const [name = '', schema = '', result = ''] = row.map(String)
		return { name, result, schema }
	})
}

const foreignKeys = `
select table_schema, table_name, constraint_name, column_name, referenced_table_schema, referenced_table_name,
	referenced_column_name
from information_schema.key_column_usage where referenced_table_name is not null
order by table_schema, table_name, constraint_name, ordinal_position`

async function readReferences(session: Session, signal: AbortSignal): Promise<readonly ForeignKey[]> {
	const { rows } = await session.read({ sql: foreignKeys }, signal)
	const keys = new Map<string, { from: Side; to: Side }>()
	for (const row of rows) {
		const [schema = '', table = '', constraint, column = '', toSchema = '', toTable = '', toColumn = ''] =
			row.map(String)
		const name = JSON.stringify([schema, table, constraint])
		const key = keys.get(name) ?? {
			from: { schema, table, columns: [] },
			to: { schema: toSchema, table: toTable, columns: [] },
		}
		key.from.columns.push(column)
		key.to.columns.push(toColumn)
		keys.set(name, key)
	}
	return [...keys.values()]
}

interface Side {
	readonly schema: string
	readonly table: string
	readonly columns: string[]
}
