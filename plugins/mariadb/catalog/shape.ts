import { createHash } from 'node:crypto'
import { type Cannot, type Column, DriverError } from '@roundhouse/kit'
import { literal } from '../sql/literals.ts'
import { nameOf, type QualifiedName, qualified, quoted } from '../sql/names.ts'
import type { Query, RawRow, Session } from '../wire/session.ts'
import { type References, readReferences } from './references.ts'
import { cannotOf, kindOfTable } from './tables.ts'
import { choicesIn, isSpatial, isUnbounded, kindOf, operatorsOf } from './types.ts'

/** A column with the properties that are needed to generate SQL. */
export interface ShapeColumn extends Column {
	/** `data_type` of information_schema; `json` also for MariaDB's, which is a checked LONGTEXT. */
	readonly base: string
	/** The type as SQL: `bigint(20) unsigned`, `enum('a','b')`. */
	readonly sqlType: string
	readonly isUnsigned: boolean
	/** Of a text. One that does not end in `_bin` treats some different texts as equal. */
	readonly collation: string | undefined
	/** Whether its values may be longer than a cell shows. */
	readonly isUnbounded: boolean
	readonly isNotNull: boolean
	/** Whether the server computes it from other columns. */
	readonly isComputed: boolean
	/** Whether `select *` leaves it out. */
	readonly isInvisible: boolean
}

/** A table with the properties that are needed to generate queries. */
export interface Shape extends References {
	readonly place: QualifiedName
	readonly name: string
	/** As in the list of tables: `view`. */
	readonly kind: string | undefined
	readonly engine: string | undefined
	/** Whether a rollback undoes changes of its rows. MyISAM and Aria keep them. */
	readonly isTransactional: boolean
	readonly hasTriggers: boolean
	readonly columns: readonly ShapeColumn[]
	/** Columns of the primary key, or of a unique key without NULL. Empty if there is none. */
	readonly key: readonly string[]
	/** Indexes beside the primary key, one text each: `unique btree (email)`. */
	readonly indexes: readonly string[]
	readonly cannot: Cannot | undefined
	/** Row count that the server estimates, or -1 if the server has no estimate. */
	readonly estimatedRows: number
	readonly comment: string | undefined
	/** Names and types of all columns, to see whether they have changed. */
	readonly signature: string
}

const of = (sql: string, { database, table }: QualifiedName): Query => ({ sql, values: [database, table] })

/** Each view of information_schema is asked for one table: joined to another view, it would open all tables of the server. */
const relation = ({ database, table }: QualifiedName): Query => ({
	sql: `
select t.table_type, t.engine, t.table_rows, t.table_comment, t.create_options,
	(select v.is_updatable from information_schema.views v where v.table_schema = ? and v.table_name = ?),
	(select e.transactions from information_schema.engines e where e.engine = t.engine),
	exists (select 1 from information_schema.triggers g where g.event_object_schema = ? and g.event_object_table = ?)
from information_schema.tables t where t.table_schema = ? and t.table_name = ?`,
	values: [database, table, database, table, database, table],
})

const columns = `
select column_name, column_type, data_type, is_nullable, column_default, extra, generation_expression, column_comment,
	collation_name, privileges
from information_schema.columns where table_schema = ? and table_name = ? order by ordinal_position`

const indexes = `
select index_name, non_unique, column_name, sub_part, nullable, index_type, collation
from information_schema.statistics where table_schema = ? and table_name = ? order by index_name, seq_in_index`

/** MariaDB has no type JSON, but a check that its values are JSON. Older servers of MySQL have no such view. */
const jsonChecks = `
select check_clause from information_schema.check_constraints where constraint_schema = ? and table_name = ?
	and check_clause like 'json_valid(%'`

/** Reads the columns, keys and references of a table from information_schema. @throws DriverError `not_found` */
export async function readShape(session: Session, place: QualifiedName, signal: AbortSignal): Promise<Shape> {
	const table = await readTable(session, place, signal)
	return { ...table, ...(await readReferences(session, place, signal)) }
}

/** Reads the columns and keys of a table from information_schema. @throws DriverError `not_found` */
export async function readTable(
	session: Session,
	place: QualifiedName,
	signal: AbortSignal,
): Promise<Omit<Shape, keyof References>> {
	const name = nameOf(place)
	// No name of the server has such a character, and it refuses to compare names with one.
	if (/[\u{10000}-\u{10ffff}]/u.test(name)) throw new DriverError('not_found', `There is no table ${name}.`)
	const queries = [relation(place), of(columns, place), of(indexes, place)]
	const isMariaDb = session.server.product === 'MariaDB'
	const all = [...queries, ...(isMariaDb ? [of(jsonChecks, place)] : [])]
	const [found, described, indexed, checked] = await session.readAll(all, signal)
	const [first] = found?.rows ?? []
	if (!first) throw new DriverError('not_found', `There is no table ${name}.`)
	const [type = '', engine, rows, comment, options, updatable, transactions, triggers] = first.map(textOf)
	const { cannot } = cannotOf({ database: place.database, type, engine, isUpdatable: updatable === 'YES' })
	const known = indexesIn(indexed?.rows ?? [])
	const key = keyOf(known)
	const json = new Set((checked?.rows ?? []).map(([clause]) => jsonColumn(String(clause))))
	const signature = createHash('md5').update(JSON.stringify(described?.rows)).digest('hex')
	return {
		place,
		name,
		kind: kindOfTable(type, { options, engine }),
		engine,
		isTransactional: transactions === 'YES',
		hasTriggers: triggers === '1',
		key,
		columns: (described?.rows ?? []).flatMap(row => columnOf(row, { key, cannot, json, isMariaDb })),
		indexes: known.filter(({ name }) => name !== 'PRIMARY').map(indexText),
		cannot,
		estimatedRows: Number(rows ?? -1),
		comment: comment === '' || type === 'VIEW' ? undefined : comment,
		signature,
	}
}

/** Returns the signature of a table, to compare it with that of a shape. */
export async function readSignature(session: Session, place: QualifiedName, signal: AbortSignal): Promise<string> {
	const { rows } = await session.read(of(columns, place), signal)
	return createHash('md5').update(JSON.stringify(rows)).digest('hex')
}

const textOf = (value: RawRow[number]) => (value === null ? undefined : String(value))

const jsonColumn = (clause: string) => /^json_valid\(`((?:[^`]|``)+)`\)$/i.exec(clause)?.[1]?.replaceAll('``', '`')

interface Index {
	readonly name: string
	readonly isUnique: boolean
	readonly method: string
	readonly parts: {
		/** `undefined` for an expression. */
		readonly column: string | undefined
		/** Length of the beginning that is indexed. */
		readonly prefix: string | undefined
		readonly isNullable: boolean
		readonly isDescending: boolean
	}[]
}

function indexesIn(rows: readonly RawRow[]): readonly Index[] {
	const all = new Map<string, Index>()
	for (const row of rows) {
		const [name = '', nonUnique, column, prefix, nullable, method = '', order] = row.map(textOf)
		const index = all.get(name) ?? { name, isUnique: nonUnique === '0', method: method.toLowerCase(), parts: [] }
		index.parts.push({ column, prefix, isNullable: nullable === 'YES', isDescending: order === 'D' })
		all.set(name, index)
	}
	return [...all.values()]
}

/** The primary key, or else the shortest unique index of whole columns without NULL. */
function keyOf(indexes: readonly Index[]): readonly string[] {
	const usable = indexes.filter(
		({ isUnique, parts }) =>
			isUnique &&
			parts.every(({ column, prefix, isNullable }) => column !== undefined && prefix === undefined && !isNullable),
	)
	const rank = ({ name, parts }: Index) => (name === 'PRIMARY' ? 0 : parts.length)
	const [best] = usable.toSorted((a, b) => rank(a) - rank(b))
	return (best?.parts ?? []).map(({ column = '' }) => column)
}

function indexText({ isUnique, method, parts }: Index): string {
	const columns = parts.map(({ column, prefix, isDescending }) => {
		const name = column === undefined ? '(expression)' : quoted(column)
		return `${name}${prefix === undefined ? '' : `(${prefix})`}${isDescending ? ' desc' : ''}`
	})
	return `${isUnique ? 'unique ' : ''}${method} (${columns.join(', ')})`
}

interface ColumnContext {
	readonly key: readonly string[]
	readonly cannot: Cannot | undefined
	/** Names of the columns that a check restricts to JSON. */
	readonly json: ReadonlySet<string | undefined>
	readonly isMariaDb: boolean
}

/** Returns a column that the user may read, or none. */
function columnOf(row: RawRow, context: ColumnContext): readonly ShapeColumn[] {
	const [
		name = '',
		sqlType = '',
		type = '',
		nullable,
		written,
		extra = '',
		expression,
		comment,
		collation,
		rights = '',
	] = row.map(textOf)
	if (!rights.includes('select')) return []
	const { key, cannot, json, isMariaDb } = context
	const base = json.has(name) ? 'json' : type
	const kind = kindOf(base)
	const isComputed = /generated/i.test(extra) && !/default_generated/i.test(extra)
	const isNumbered = /auto_increment/i.test(extra)
	const generated = isComputed ? ('always' as const) : isNumbered ? ('default' as const) : undefined
	const isNotNull = nullable === 'NO'
	const isKey = key.includes(name)
	const byDefault = defaultOf(written, { extra, isMariaDb })
	const note = noteOf({ comment, extra, expression, isSet: base === 'set', sqlType })
	const column: ShapeColumn = {
		name,
		type: base === 'json' ? 'json' : sqlType,
		kind,
		base,
		sqlType,
		isUnsigned: /\bunsigned\b/i.test(sqlType),
		collation,
		isUnbounded: isUnbounded(base, sqlType),
		isComputed,
		isInvisible: /invisible/i.test(extra),
		isKey,
		...(isKey && key.length > 1 && { keyPosition: key.indexOf(name) + 1 }),
		isReadOnly: isComputed || readOnlyBy(rights, cannot),
		isSortable: !isSpatial(base),
		isNotNull,
		...(kind === 'date' && { zone: base === 'timestamp' ? ('UTC' as const) : ('none' as const) }),
		...(isNotNull && byDefault === undefined && generated === undefined && { isRequired: true }),
		...(byDefault !== undefined && generated === undefined && { default: byDefault }),
		...(generated !== undefined && { generated }),
		...(base === 'enum' && { choices: choicesIn(sqlType) }),
		...(note !== '' && { note }),
		filterFields: [{ name, kind: kind === 'other' ? 'text' : kind, operators: operatorsOf(base) }],
	}
	return [column]
}

/** The rights of the role on a column, within what the table takes. */
function readOnlyBy(rights: string, cannot: Cannot | undefined): Column['isReadOnly'] {
	if (rights.includes('update') && cannot?.update === undefined) return false
	return rights.includes('insert') && cannot?.insert === undefined ? 'after_insert' : true
}

/** MariaDB writes a default as SQL, with `NULL` for none. MySQL writes the value, or an expression that it marks. */
function defaultOf(
	written: string | undefined,
	{ extra, isMariaDb }: { readonly extra: string; readonly isMariaDb: boolean },
): string | undefined {
	if (written === undefined || (isMariaDb && written.toUpperCase() === 'NULL')) return undefined
	if (isMariaDb || /default_generated/i.test(extra) || /^current_timestamp/i.test(written)) return written
	return literal(written)
}

interface Noted {
	readonly comment: string | undefined
	readonly extra: string
	readonly expression: string | undefined
	readonly isSet: boolean
	readonly sqlType: string
}

function noteOf({ comment, extra, expression, isSet, sqlType }: Noted): string {
	const onUpdate = /on update \S+/i.exec(extra)?.[0]
	return [
		comment,
		expression ? `Computed: ${expression}` : '',
		onUpdate === undefined ? '' : `Set ${onUpdate.toLowerCase()}.`,
		isSet ? `Any of ${choicesIn(sqlType).join(', ')}, with commas.` : '',
	]
		.filter(Boolean)
		.join(' ')
}

export const from = ({ place }: Shape) => qualified(place)

/**
 * Returns SQL of a value as it is read. The server prints six digits of a FLOAT, and all of a DOUBLE, which a comparison with
 * the column finds again.
 */
export const printed = ({ name, base }: Pick<ShapeColumn, 'name' | 'base'>) =>
	base === 'float' ? `cast(${quoted(name)} as double)` : quoted(name)

/** Returns the column of that name. @throws DriverError `invalid_argument` */
export function columnIn({ columns, name: table }: Shape, name: string): ShapeColumn {
	const column = columns.find(column => column.name === name)
	if (!column) throw new DriverError('invalid_argument', `${table} has no column ${name}.`)
	return column
}

/** Returns the column without the properties that only SQL generation needs. */
export function gridColumn({
	base,
	sqlType,
	isUnsigned,
	collation,
	isUnbounded,
	isComputed,
	isInvisible,
	...column
}: ShapeColumn): Column {
	return column
}
