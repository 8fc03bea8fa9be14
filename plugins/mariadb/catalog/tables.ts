import { type Cannot, type FoundColumn, logTextNames, type Table } from '@roundhouse/kit'
import { literal } from '../sql/literals.ts'
import { nameOf } from '../sql/names.ts'
import type { RawRow, Session } from '../wire/session.ts'
import { systemSchemas } from './databases.ts'

/** The list of tables, with estimates that the server keeps. */

const systemList = systemSchemas.map(literal).join(', ')

/** Condition for the tables `t` of one database, or of all but those of the server. */
const inDatabase = (database: string | undefined) =>
	database === undefined ? `t.table_schema not in (${systemList})` : `t.table_schema = ${literal(database)}`

const listing = (database: string | undefined) => `
select t.table_schema, t.table_name, t.table_type, t.engine, t.table_rows, t.data_length + t.index_length, t.create_options,
	t.table_comment, v.is_updatable
from information_schema.tables t
left join information_schema.views v on v.table_schema = t.table_schema and v.table_name = t.table_name
where ${inDatabase(database)} order by t.table_schema, t.table_name`

/** @param database `undefined`: all databases, except those of the server */
export async function listTables(
	session: Session,
	database: string | undefined,
	signal: AbortSignal,
): Promise<readonly Table[]> {
	const { rows } = await session.read({ sql: listing(database) }, signal)
	const times = await timesOfLogs(session, database, signal)
	return rows.map(row => {
		const table = tableOf(row)
		const time = times.get(table.name)
		return time === undefined ? table : { ...table, sort: [{ column: time, direction: 'desc' }] }
	})
}

/**
 * Returns the time of each table that is a log, where an index gives the newest rows: without one, the server sorts the
 * whole table. A column without NOT NULL could have its rows without a time first.
 */
async function timesOfLogs(
	session: Session,
	database: string | undefined,
	signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
	// MUL and UNI: the first column of an index.
	const isTime = `t.data_type in ('datetime', 'timestamp') and t.is_nullable = 'NO' and t.column_key in ('MUL', 'UNI')`
	const sql = `select t.table_schema, t.table_name, t.column_name, ${isTime} from information_schema.columns t
		where ${inDatabase(database)} and (${isTime} or lower(t.column_name) in (${logTextNames.map(literal).join(', ')}))
		order by t.table_schema, t.table_name, t.ordinal_position`
	const { rows } = await session.read({ sql }, signal)
	const byTable = Map.groupBy(rows, ([schema, table]) => nameOf({ database: String(schema), table: String(table) }))
	return new Map(
		[...byTable].flatMap(([name, columns]): [string, string][] => {
			const time = columns.find(([, , , isTime]) => Number(isTime) === 1)
			const hasText = columns.some(([, , , isTime]) => Number(isTime) === 0)
			return time && hasText ? [[name, String(time[2])]] : []
		}),
	)
}

const mostColumns = 1_000

/** Returns the columns whose name contains a text, whatever its case. */
export async function columnsNamed(
	session: Session,
	{ text, database }: { readonly text: string; readonly database: string | undefined },
	signal: AbortSignal,
): Promise<readonly FoundColumn[]> {
	const sql = `select t.table_schema, t.table_name, t.column_name, t.column_type from information_schema.columns t
		where locate(lower(?), lower(t.column_name)) > 0 and ${inDatabase(database)}
		order by t.table_schema, t.table_name, t.ordinal_position limit ${mostColumns}`
	const { rows } = await session.read({ sql, values: [text] }, signal)
	return rows.map(([schema, table, name, type]) => ({
		table: nameOf({ database: String(schema), table: String(table) }),
		name: String(name),
		type: String(type),
	}))
}

function tableOf(row: RawRow): Table {
	const [schema, name, type, engine, count, size, options, , isUpdatable] = row.map(value =>
		value === null ? undefined : String(value),
	)
	const place = { database: schema ?? '', table: name ?? '' }
	const kind = kindOfTable(type ?? '', { options, engine })
	return {
		name: nameOf(place),
		title: place.table,
		path: [place.database],
		...(kind !== undefined && { kind }),
		...(count !== undefined && { rowCount: Number(count), isRowCountEstimated: !isCounted(engine) }),
		...(size !== undefined && { sizeBytes: Number(size) }),
		...(engine !== undefined && { details: [{ name: 'Engine', value: engine }] }),
		...cannotOf({ database: place.database, type: type ?? '', engine, isUpdatable: isUpdatable === 'YES' }),
	}
}

/** These engines keep the number of rows. InnoDB guesses. */
const isCounted = (engine: string | undefined) => /^(?:myisam|aria|memory|archive)$/i.test(engine ?? '')

/** @param type `table_type` of information_schema @param about its `create_options` and `engine` */
export function kindOfTable(
	type: string,
	{ options = '', engine = '' }: { readonly options?: string | undefined; readonly engine?: string | undefined },
): string | undefined {
	// Its rows are those of other tables.
	if (/^mrg_/i.test(engine)) return 'merge table'
	const word: Readonly<Record<string, string>> = {
		VIEW: 'view',
		'SYSTEM VIEW': 'system view',
		SEQUENCE: 'sequence',
		'SYSTEM VERSIONED': 'versioned table',
		TEMPORARY: 'temporary table',
	}
	return word[type] ?? (/\bpartitioned\b/i.test(options) ? 'partitioned table' : undefined)
}

/** What decides which changes a table takes. */
interface Taking {
	readonly database: string
	/** `table_type` of information_schema. */
	readonly type: string
	readonly engine: string | undefined
	/** Of a view. */
	readonly isUpdatable: boolean
}

/** Returns what a table never takes. What the role may not change, the server says when it is tried. */
export function cannotOf({ database, type, engine, isUpdatable }: Taking): Pick<Table, 'cannot'> {
	if (['information_schema', 'performance_schema'].includes(database.toLowerCase()) || type === 'SYSTEM VIEW')
		return { cannot: all('A table of the server takes no changes.') }
	if (type === 'SEQUENCE') return { cannot: all('A sequence takes no changes of rows. Use ALTER SEQUENCE.') }
	if (type === 'VIEW') {
		const rows = 'A view has no key, so its rows cannot be changed here. Use the console.'
		const never = 'A view that is defined like this takes no new rows.'
		return { cannot: { update: rows, delete: rows, ...(!isUpdatable && { insert: never }) } }
	}
	if (engine?.toUpperCase() === 'ARCHIVE') {
		const rows = 'A table of the engine ARCHIVE keeps its rows as they are.'
		return { cannot: { update: rows, delete: rows } }
	}
	return {}
}

const all = (reason: string): Cannot => ({ insert: reason, update: reason, delete: reason })
