import { DriverError, type ExportOptions, type GridQuery } from '@roundhouse/kit'
import { orderSql } from '@roundhouse/sql'
import { columnIn, from, patternText, type Shape, type ShapeColumn } from '../catalog/shape.ts'
import { orderOf } from '../grid/order.ts'
import { idValues, matchesRow, row, rowKeyOf } from '../grid/row-key.ts'
import { inline } from '../sql/binding.ts'
import { conditionOf } from '../sql/conditions.ts'
import { literal, quoted } from '../sql/names.ts'
import { printed } from '../sql/printed.ts'
import { csvHeader, csvRow } from './rows/csv-row.ts'
import { type JsonColumn, jsonRow } from './rows/json-row.ts'
import { type SqlColumn, sqlRow } from './rows/sql-row.ts'
import type { RowWriter } from './rows/text-row.ts'

/** What the server sends for an export, and how a row of it is written. */
export interface ExportPlan {
	/** The query whose rows COPY sends. */
	readonly sql: string
	/** Before the rows. */
	readonly header: string
	readonly writer: RowWriter
}

interface Export {
	readonly shape: Shape
	readonly query: GridQuery
	readonly options: ExportOptions
}

/** @throws DriverError `unsupported` for an unknown format */
export function exportPlan({ shape, query, options }: Export): ExportPlan {
	const columns = options.columns?.map(name => columnIn(shape, name)) ?? shape.columns
	const rows = rowsSql({ shape, query, options })
	const select = (values: readonly string[]) => `select ${values.join(', ')}${rows}`
	switch (options.format) {
		case 'csv':
			return {
				sql: select(columns.map(column => csvValue(column, options.guardFormulas === true))),
				header: csvHeader(
					columns.map(({ name }) => name),
					options.guardFormulas === true,
				),
				writer: csvRow(columns),
			}
		case 'ndjson':
		case 'json':
			return { sql: select(columns.map(jsonValue)), header: '', writer: jsonRow(columns.map(jsonColumn)) }
		case 'sql': {
			const inserted = insertedOf(columns)
			const writer = sqlRow(inserted.map(sqlColumn), insertAround(shape, inserted))
			return { sql: select(inserted.map(sqlValue)), header: '', writer }
		}
		default:
			throw new DriverError('unsupported', `Rows are not exported as ${options.format}.`)
	}
}

/** Which rows, in which order. */
function rowsSql({ shape, query, options: { rowIds, limit } }: Export): string {
	const table = ` from ${from(shape)} ${row}`
	if (rowIds) return `${table}${selectionSql(shape, rowIds)}`
	const condition = conditionOf(shape, query, inline)
	const where = condition === undefined ? '' : ` where ${condition}`
	const isOrdered = query.sort.length > 0 || limit !== undefined || isKeyOrderCheap(shape, where !== '')
	const order = isOrdered ? orderSql(orderOf(shape, query.sort)) : ''
	return `${table}${where}${order}${limit === undefined ? '' : ` limit ${limit}`}`
}

/** A table of more rows is exported in the order in which it is stored, because a sort costs more than the export. */
const mostSorted = 200_000

/** Whether the order of the key, which is that of the grid, costs little. Without a key, the rows have that order anyway. */
function isKeyOrderCheap(shape: Shape, isFiltered: boolean): boolean {
	if (rowKeyOf(shape).by !== 'key') return false
	// A small table may have no estimate.
	return isFiltered || (shape.kind === 'r' && shape.estimatedRows <= mostSorted)
}

function selectionSql(shape: Shape, rowIds: readonly string[]): string {
	if (rowIds.length === 0) return ' where false'
	const lists = rowIds.map((id, at) => `(${[String(at), ...idValues(shape, id).map(literal)].join(', ')})`)
	const parts = idValues(shape, rowIds[0] ?? '').map((_, at) => chosen(at))
	const matches = matchesRow(shape, (at, type) => `${chosen(at)}::${type}`)
	return ` join (values ${lists.join(', ')}) chosen(${place}, ${parts.join(', ')}) on ${matches} order by ${place}`
}

/** No column of the table has these names. */
const place = '"roundhouse place"'
const chosen = (at: number) => `"roundhouse part ${at}"`

const base64 = (name: string) => `translate(encode(${name}, 'base64'), e'\\n', '')`
/** What the kit's `withGuard` guards, as an expression of the server. */
const formula = literal(
	`^'*([\\s\ufeff]*[=@＝＠]|[\\t\\r\\n]|[\\s\ufeff]*[+＋－-](?!([A-Za-z0-9_.,:-]*|[0-9 ()./-]*)$))`,
)

/** Types beside dates and numbers whose values may begin with a sign. They contain no text of a user. */
const signed = new Set(['interval', 'money'])

/** Whether values may be text of a user. A changed number, date or JSON text could not be read again. */
export const isGuardable = ({ kind, base }: Pick<ShapeColumn, 'kind' | 'base'>) =>
	kind === 'text' || (kind === 'other' && !signed.has(base))

/** What COPY writes in CSV, also for bytes. Only booleans differ: it writes `t` and `f`, which spreadsheets do not know. */
function csvValue(column: ShapeColumn, isGuarded: boolean): string {
	const { name, kind, base } = column
	const value = `${row}.${quoted(name)}`
	if (kind === 'boolean') return `${value}::text`
	if (!isGuarded || !isGuardable({ kind, base })) return value
	const text = printed(value, base)
	return `case when ${patternText(column, text)} ~ ${formula} then '''' || ${text} else ${text} end`
}

/** Types whose values are numbers of JSON. An `oid` is text. */
const jsonNumbers = new Set(['int2', 'int4', 'int8', 'float4', 'float8', 'numeric'])

/** Everything but numbers, booleans and JSON is text, as in the grid. */
export function jsonColumn({ name, kind, base }: Pick<ShapeColumn, 'name' | 'kind' | 'base'>): JsonColumn {
	if (kind === 'number') return { name, as: jsonNumbers.has(base) ? 'number' : 'text' }
	return { name, as: kind === 'boolean' || kind === 'json' ? kind : 'text' }
}

function jsonValue({ name, kind, base }: ShapeColumn): string {
	const value = `${row}.${quoted(name)}`
	if (kind === 'number' || kind === 'boolean' || base === 'jsonb') return value
	if (kind === 'binary') return base64(value)
	// Line ends between the parts of a JSON text would end the line.
	return kind === 'json' ? `translate(${value}::text, e'\\n\\r', '  ')` : printed(value, base)
}

function sqlValue({ name, kind, base }: ShapeColumn): string {
	const value = `${row}.${quoted(name)}`
	return kind === 'boolean' ? `${value}::text` : printed(value, base)
}

const isIdentity = ({ generated, note }: ShapeColumn) => generated === 'always' && !note?.includes('Computed: ')
/** The server computes the others. */
const insertedOf = (columns: readonly ShapeColumn[]) =>
	columns.filter(column => column.generated !== 'always' || isIdentity(column))

function insertAround(shape: Shape, columns: readonly ShapeColumn[]): readonly [string, string] {
	if (columns.length === 0) return [`insert into ${from(shape)} default values`, ';']
	const names = columns.map(({ name }) => quoted(name)).join(', ')
	const overriding = columns.some(isIdentity) ? ' overriding system value' : ''
	return [`insert into ${from(shape)} (${names})${overriding} values (`, ');']
}

const sqlColumn = ({ kind }: ShapeColumn): SqlColumn => ({
	as: kind === 'boolean' || kind === 'number' ? kind : 'text',
})
