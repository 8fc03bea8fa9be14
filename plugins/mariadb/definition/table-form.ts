import { type DefinedIndex, type DefinedKey, DriverError, type TableDefinition, type TableForm } from '@roundhouse/kit'
import { nameOf, type QualifiedName, qualified } from '../sql/names.ts'
import type { RawRow, Session } from '../wire/session.ts'
import { numberedWord, readColumns } from './column-text.ts'
import { primaryName, usualRule } from './statements.ts'

/** The form of a table: what MariaDB and MySQL offer, and the table as the server describes it. */

/** @param place with an empty table for a new one @throws DriverError */
export async function readTableForm(session: Session, place: QualifiedName, signal: AbortSignal): Promise<TableForm> {
	const path = [place.database]
	const { definition, untouched } =
		place.table === ''
			? { definition: { path, name: '', columns: [], keys: [], indexes: [] }, untouched: [] }
			: await readDefinition(session, place, signal)
	return {
		definition,
		types: [...types, ...(session.server.product === 'MariaDB' ? ['uuid', 'inet6'] : [])],
		defaults: [numberedWord, 'current_timestamp()', '(uuid())', 'as (…) stored', 'as (…) virtual'],
		keys: ['primary', 'unique', 'foreign', 'check'],
		methods: ['btree', 'fulltext', 'spatial', 'hash'],
		rules: [usualRule, 'cascade', 'set null', 'no action'],
		movesColumns: true,
		notice:
			'The server commits each statement at once: it applies the whole statement or nothing, and cannot roll it back.',
		untouched,
	}
}

/** The usual ones first. */
const types = [
	...['bigint', 'bigint unsigned', 'int', 'int unsigned', 'smallint', 'tinyint(1)', 'varchar(200)', 'text', 'longtext'],
	...['decimal(12,2)', 'double', 'datetime', 'datetime(6)', 'timestamp', 'date', 'time', 'json', 'char(36)'],
	...['varbinary(200)', 'blob', "enum('a','b')"],
]

interface Read {
	readonly definition: TableDefinition
	readonly untouched: readonly string[]
}

async function readDefinition(session: Session, place: QualifiedName, signal: AbortSignal): Promise<Read> {
	const values = [place.database, place.table]
	const read = async (sql: string, repeated = 1) => {
		const bound = Array.from({ length: repeated }, () => values).flat()
		const { rows } = await session.read({ sql, values: bound }, signal)
		return rows.map(textsOf)
	}
	const [kind, comment] = (await read(relation))[0] ?? []
	if (kind === undefined) throw new DriverError('not_found', `There is no table ${nameOf(place)}.`)
	if (!/^base table$/i.test(kind)) throw new DriverError('unsupported', 'The form is for tables, and this is none.')
	const { rows } = await session.read({ sql: `show create table ${qualified(place)}` }, signal)
	const [, sql = ''] = textsOf(rows[0] ?? [])
	const comments = new Map((await read(commentsSql)).map(([name = '', text = '']) => [name, text]))
	const isMariadb = session.server.product === 'MariaDB'
	const indexes = await read(indexesSql(isMariadb))
	const foreign = await read(foreignSql)
	const checks = await read(isMariadb ? mariadbChecks : mysqlChecks)
	const triggers = await read(triggersSql)
	const isPlain = ([, , , plain]: readonly string[]) => plain === '1'
	const isUnique = ([, , unique]: readonly string[]) => unique === '1'
	return {
		definition: {
			path: [place.database],
			name: place.table,
			...(comment && { comment }),
			columns: readColumns(sql, comments),
			keys: [
				...indexes.filter(row => isPlain(row) && isUnique(row)).map(uniqueKey),
				...foreign.map(foreignKey),
				...checks.map(check),
			],
			indexes: indexes.filter(row => isPlain(row) && !isUnique(row)).map(indexOf),
		},
		untouched: [
			...indexes
				.filter(row => !isPlain(row))
				.map(([name, method, , , , words]) => `${method} index ${name} (${words})`),
			...triggers.map(([name, when]) => `trigger ${name} ${when}`),
		],
	}
}

const textsOf = (row: RawRow): readonly string[] =>
	row.map(value => (value === null ? '' : typeof value === 'string' ? value : Buffer.from(value).toString('utf8')))

const relation =
	'select table_type, table_comment from information_schema.tables where table_schema = ? and table_name = ?'

const commentsSql =
	'select column_name, column_comment from information_schema.columns where table_schema = ? and table_name = ?'

/** Rows: name, method, whether unique, whether plain, columns as JSON, words for people. */
const indexesSql = (isMariadb: boolean) => `
select index_name, lower(max(index_type)), min(1 - non_unique),
	min(column_name is not null and sub_part is null and index_comment = '' and ${isMariadb ? "ignored = 'NO'" : "is_visible = 'YES'"}
		and (non_unique = 1 or (index_type = 'BTREE' and coalesce(collation, 'A') = 'A'))),
	concat('[', group_concat(json_array(column_name, collation = 'D') order by seq_in_index separator ','), ']'),
	group_concat(concat(coalesce(column_name, '(expression)'), coalesce(concat('(', sub_part, ')'), '')) order by seq_in_index separator ', ')
from information_schema.statistics where table_schema = ? and table_name = ?
group by index_name order by index_name <> 'PRIMARY', max(non_unique), index_name`

const foreignSql = `
select k.constraint_name, concat('[', group_concat(json_quote(k.column_name) order by k.ordinal_position separator ','), ']'),
	k.referenced_table_schema, k.referenced_table_name,
	concat('[', group_concat(json_quote(k.referenced_column_name) order by k.ordinal_position separator ','), ']'),
	lower(max(r.delete_rule)), lower(max(r.update_rule))
from information_schema.key_column_usage k join information_schema.referential_constraints r
	on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name and r.table_name = k.table_name
where k.table_schema = ? and k.table_name = ? and k.referenced_table_name is not null
group by k.constraint_name, k.referenced_table_schema, k.referenced_table_name order by k.constraint_name`

/** A check of one column belongs to the column. */
const mariadbChecks = `
select constraint_name, check_clause from information_schema.check_constraints
where constraint_schema = ? and table_name = ? and level = 'Table' order by constraint_name`

const mysqlChecks = `
select c.constraint_name, c.check_clause from information_schema.check_constraints c
join information_schema.table_constraints t on t.constraint_schema = c.constraint_schema and t.constraint_name = c.constraint_name
where t.table_schema = ? and t.table_name = ? and t.constraint_type = 'CHECK' order by c.constraint_name`

const triggersSql = `
select trigger_name, lower(concat(action_timing, ' ', event_manipulation)) from information_schema.triggers
where event_object_schema = ? and event_object_table = ? order by trigger_name`

// The server has made the lists, as the queries say.
const columnsIn = (json: string | undefined) =>
	JSON.parse(json || '[]') as readonly (readonly [column: string, isDescending: unknown])[]
const namesIn = (json: string | undefined) => JSON.parse(json || '[]') as readonly string[]

function uniqueKey([name = '', , , , columns]: readonly string[]): DefinedKey {
	const kind = name === primaryName ? 'primary' : 'unique'
	return { id: name, name, kind, columns: columnsIn(columns).map(([column]) => column) }
}

function indexOf([name = '', method = '', , , columns]: readonly string[]): DefinedIndex {
	const parts = columnsIn(columns).map(([column, isDescending]) => ({ column, isDescending: Boolean(isDescending) }))
	return { id: name, name, method, isUnique: false, columns: parts }
}

function foreignKey(row: readonly string[]): DefinedKey {
	const [name = '', columns, database = '', table = '', to, onDelete = usualRule, onUpdate = usualRule] = row
	const references = { table: nameOf({ database, table }), columns: namesIn(to), onDelete, onUpdate }
	// A foreign key can have the name of an index, so its id differs.
	return { id: `foreign ${name}`, name, kind: 'foreign', columns: namesIn(columns), references }
}

const check = ([name = '', expression = '']: readonly string[]): DefinedKey => ({
	id: `check ${name}`,
	name,
	kind: 'check',
	columns: [],
	expression,
})
