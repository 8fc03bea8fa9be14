import { createHash } from 'node:crypto'
import {
	type Cell,
	type Change,
	type Column,
	type ColumnKind,
	DriverError,
	exactNumber,
	type Filter,
	type FilterOperator,
	type GridQuery,
	type Json,
	parseJson,
	type Reference,
	type Row,
	stringifyJson,
	type Table,
} from '@roundhouse/kit'
import { cellOf, engineValue, type Query, type Session } from './client.ts'

/** Tables, rows and changes as SQL. Names are quoted, and values stay apart from the text. */

const noChanges = {
	insert: 'A view takes no changes.',
	update: 'A view takes no changes.',
	delete: 'A view takes no changes.',
}
const operators: readonly FilterOperator[] = [
	...(['equals', 'not_equals', 'less', 'less_or_equal', 'greater', 'greater_or_equal', 'between'] as const),
	...(['in', 'not_in', 'contains', 'starts_with', 'ends_with', 'exists', 'missing'] as const),
]

export interface Shape {
	readonly name: string
	readonly isView: boolean
	readonly columns: readonly Column[]
	/** Columns that identify a row: the key, or all columns of a view. */
	readonly key: readonly string[]
	readonly references: readonly Reference[]
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const listOf = (names: readonly string[]) => names.map(quoted).join(', ')

export async function listTables(session: Session, signal: AbortSignal): Promise<readonly Table[]> {
	const sql = `select name, type from sqlite_schema where type in ('table', 'view') and name not like 'sqlite%' order by name`
	const { rows } = await session.query({ sql }, signal)
	return rows.map(([name, type]) =>
		type === 'view' ? { name: String(name), kind: 'view', cannot: noChanges } : { name: String(name) },
	)
}

/** @throws DriverError `not_found` */
export async function shapeOf(session: Session, name: string, signal: AbortSignal): Promise<Shape> {
	const type = `(select type from sqlite_schema where name = ?)`
	const sql = `select name, type, "notnull", dflt_value, pk, ${type} from pragma_table_info(?) order by cid`
	const { rows } = await session.query({ sql, values: [name, name] }, signal)
	if (rows.length === 0) throw new DriverError('not_found', `There is no table ${name}.`)
	const isView = rows[0]?.[5] === 'view'
	const keys = rows.filter(([, , , , position]) => position !== 0)
	const isNumbered = (type: Json) => keys.length === 1 && /^integer$/i.test(String(type))
	const columns = rows.map(([name, type, isNotNull, fallback, position]): Column => {
		const isKey = position !== 0
		const isGenerated = isKey && isNumbered(type ?? '')
		const kind = kindOf(String(type))
		return {
			name: String(name),
			type: String(type),
			kind,
			isKey,
			isReadOnly: isView,
			isSortable: true,
			...(isKey && keys.length > 1 && { keyPosition: Number(position) }),
			...(isGenerated && { generated: 'default' as const }),
			isNotNull: isNotNull === 1,
			...(isNotNull === 1 && fallback === null && !isGenerated && { isRequired: true }),
			...(fallback !== null && { default: String(fallback) }),
			filterFields: [{ name: String(name), kind, operators }],
		}
	})
	const names = columns.map(column => column.name)
	const inOrder = columns.filter(column => column.isKey).sort((a, b) => (a.keyPosition ?? 0) - (b.keyPosition ?? 0))
	const key = keys.length > 0 ? inOrder.map(column => column.name) : names
	return { name, isView, columns, key, references: await referencesOf(session, name, signal) }
}

async function referencesOf(session: Session, name: string, signal: AbortSignal): Promise<readonly Reference[]> {
	const sql = `select id, "table", "from", "to" from pragma_foreign_key_list(?) order by id, seq`
	const { rows } = await session.query({ sql, values: [name] }, signal)
	return [...Map.groupBy(rows, ([id]) => String(id)).values()].map(parts => ({
		columns: parts.map(([, , from]) => String(from)),
		table: String(parts[0]?.[1]),
		to: parts.map(([, , , to]) => String(to)),
	}))
}

function kindOf(type: string): ColumnKind {
	if (/int|real|numeric|decimal|double|float/i.test(type)) return 'number'
	if (/blob/i.test(type)) return 'binary'
	return /text|char/i.test(type) ? 'text' : 'other'
}

/** The condition of a query, with its values. @throws DriverError for what the user cannot filter by */
function whereOf({ columns }: Shape, { filters, match }: Pick<GridQuery, 'filters' | 'match'>): Query {
	const parts = filters.map(filter => conditionOf(columnIn(columns, filter.column), filter))
	if (parts.length === 0) return { sql: '', values: [] }
	const sql = ` where ${parts.map(part => `(${part.sql})`).join(match === 'all' ? ' and ' : ' or ')}`
	return { sql, values: parts.flatMap(part => part.values ?? []) }
}

function columnIn(columns: readonly Column[], name: string): Column {
	const column = columns.find(column => column.name === name)
	if (!column) throw new DriverError('invalid_argument', `There is no column ${name}.`)
	return column
}

const comparisons: Readonly<Partial<Record<FilterOperator, string>>> = {
	equals: '= ?',
	not_equals: '<> ?',
	less: '< ?',
	less_or_equal: '<= ?',
	greater: '> ?',
	greater_or_equal: '>= ?',
	between: 'between ? and ?',
	exists: 'is not null',
	missing: 'is null',
}

function conditionOf({ name, kind }: Column, { operator, values: typed }: Filter): Query {
	const column = quoted(name)
	const values = typed.map(text => typedValue(name, kind, text))
	const comparison = comparisons[operator]
	if (comparison !== undefined) return { sql: `${column} ${comparison}`, values }
	const list = values.map(() => '?').join(', ')
	if (operator === 'in' || operator === 'not_in')
		return { sql: `${column} ${operator === 'in' ? 'in' : 'not in'} (${list})`, values }
	const [part = ''] = typed
	if (operator === 'contains') return { sql: `instr(${column}, ?) > 0`, values: [part] }
	if (operator === 'starts_with') return { sql: `substr(${column}, 1, length(?)) = ?`, values: [part, part] }
	if (operator === 'ends_with') return { sql: `substr(${column}, -length(?)) = ?`, values: [part, part] }
	throw new DriverError('unsupported', `The driver cannot filter by ${operator}.`)
}

/** Filters contain text, as the user types it. */
function typedValue(column: string, kind: ColumnKind, text: string): Json {
	if (kind !== 'number') return text
	try {
		return exactNumber(text.trim())
	} catch {
		throw new DriverError('invalid_argument', `${column}: ${text} is not a number.`)
	}
}

export function countQuery(shape: Shape, query: Pick<GridQuery, 'filters' | 'match'>): Query {
	const { sql, values = [] } = whereOf(shape, query)
	return { sql: `select count(*) from ${quoted(shape.name)}${sql}`, values }
}

export function pageQuery(
	shape: Shape,
	query: GridQuery,
	{ offset, limit }: { readonly offset: number; readonly limit: number },
): Query {
	const { sql, values = [] } = whereOf(shape, query)
	const sorted = query.sort.map(
		({ column, direction }) => `${quoted(columnIn(shape.columns, column).name)} ${direction}`,
	)
	// The key at the end makes the order certain.
	const order = [...sorted, ...shape.key.map(quoted)].join(', ')
	const columns = listOf(shape.columns.map(({ name }) => name))
	return {
		sql: `select ${columns} from ${quoted(shape.name)}${sql} order by ${order} limit ? offset ?`,
		values: [...values, limit, offset],
	}
}

/** Returns a row of the engine with its id and version: the key as JSON, and a digest of all values. */
export function rowOf({ columns, key }: Shape, values: readonly Json[]): Row {
	const id = stringifyJson(key.map(name => values[columns.findIndex(column => column.name === name)] ?? null))
	const version = createHash('sha256').update(stringifyJson(values)).digest('base64url')
	return { id, version, cells: values.map(cellOf) }
}

export function rowQuery({ name, columns, key }: Shape, id: string): Query {
	const all = listOf(columns.map(column => column.name))
	return { sql: `select ${all} from ${quoted(name)} where ${isRow(key)}`, values: keyIn(id, key) }
}

const isRow = (key: readonly string[]) => key.map(name => `${quoted(name)} is ?`).join(' and ')

/** @throws DriverError `not_found` for a text that is no id */
function keyIn(id: string, key: readonly string[]): readonly Json[] {
	try {
		const values = parseJson(id)
		if (Array.isArray(values) && values.length === key.length) return values
	} catch {
		// The error below says more.
	}
	throw new DriverError('not_found', `There is no row ${id}.`)
}

/** Returns the statement of a change, which returns the row as it is stored. @throws DriverError */
export function changeQuery({ name, columns, key, isView }: Shape, change: Change): Query {
	if (isView) throw new DriverError('unsupported', noChanges[change.kind])
	const stored = `returning ${listOf(columns.map(column => column.name))}`
	if (change.kind === 'delete')
		return { sql: `delete from ${quoted(name)} where ${isRow(key)} ${stored}`, values: keyIn(change.rowId, key) }
	const given: readonly (readonly [string, Cell])[] = Object.entries(
		change.kind === 'insert' ? change.values : change.set,
	)
	const names = given.map(([column]) => columnIn(columns, column).name)
	const values = given.map(([, cell]) => engineValue(cell))
	if (change.kind === 'update') {
		const set = names.map(column => `${quoted(column)} = ?`).join(', ')
		const sql = `update ${quoted(name)} set ${set} where ${isRow(key)} ${stored}`
		return { sql, values: [...values, ...keyIn(change.rowId, key)] }
	}
	if (names.length === 0) return { sql: `insert into ${quoted(name)} default values ${stored}` }
	const places = names.map(() => '?').join(', ')
	return { sql: `insert into ${quoted(name)} (${listOf(names)}) values (${places}) ${stored}`, values }
}
