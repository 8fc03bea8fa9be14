import { DriverError, type ExportOptions, type GridQuery } from '@roundhouse/kit'
import { columnIn, from, type Shape, type ShapeColumn } from '../catalog/shape.ts'
import { orderOf, orderSql } from '../grid/order.ts'
import { idValues, matchesRow, row } from '../grid/row-key.ts'
import { inline } from '../sql/binding.ts'
import { conditionOf } from '../sql/conditions.ts'
import { literal, quoted } from '../sql/names.ts'

/**
 * The statements of exports. The server writes the text of a row itself: COPY passes it on as it is, if the marks around
 * a value are characters that no value contains.
 */

interface Export {
	readonly shape: Shape
	readonly query: GridQuery
	readonly options: ExportOptions
}

/** @throws DriverError `unsupported` for an unknown format */
export function exportSql({ shape, query, options }: Export): string {
	const columns = options.columns?.map(name => columnIn(shape, name)) ?? shape.columns
	const rows = rowsSql({ shape, query, options })
	switch (options.format) {
		case 'csv': {
			const values = columns.map(
				column => `${csvValue(column, options.guardFormulas === true)} as ${quoted(column.name)}`,
			)
			return `copy (select ${values.join(', ')}${rows}) to stdout (format csv, header)`
		}
		case 'ndjson':
		case 'json': {
			const values = columns.map(column => `${jsonValue(column)} as ${quoted(column.name)}`)
			return asTheyAre(`select row_to_json(${line}) from (select ${values.join(', ')}${rows}) ${line}`)
		}
		case 'sql':
			return asTheyAre(`select ${insertText(shape, columns)}${rows}`)
		default:
			throw new DriverError('unsupported', `Rows are not exported as ${options.format}.`)
	}
}

const line = '"roundhouse line"'
const asTheyAre = (sql: string) => `copy (${sql}) to stdout (format csv, quote e'\\x01', delimiter e'\\x02')`
/** The mark around a text with a line end. */
export const mark = 1

/** Which rows, in which order. */
function rowsSql({ shape, query, options: { rowIds, limit } }: Export): string {
	const table = ` from ${from(shape)} ${row}`
	if (rowIds) return `${table}${selectionSql(shape, rowIds)}`
	const condition = conditionOf(shape, query, inline)
	const where = condition === undefined ? '' : ` where ${condition}`
	// All rows without a sort come in the order of the table, which is the fastest.
	const order = query.sort.length > 0 || limit !== undefined ? orderSql(orderOf(shape, query.sort)) : ''
	return `${table}${where}${order}${limit === undefined ? '' : ` limit ${limit}`}`
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
/** What spreadsheets run as a formula. */
const formula = literal('^\\s*[=+@＝＋－＠-]|^[\\t\\r\\n]')

function csvValue({ name, kind }: ShapeColumn, isGuarded: boolean): string {
	const value = `${row}.${quoted(name)}`
	if (kind === 'binary') return base64(value)
	// COPY writes `t` and `f`, and all other values as they are.
	if (kind === 'boolean') return `${value}::text`
	if (!isGuarded || kind === 'number') return value
	const text = `${value}::text`
	return `case when ${text} ~ ${formula} then '''' || ${text} else ${text} end`
}

/** Everything but numbers, booleans and JSON is text, as in the grid. */
function jsonValue({ name, kind, base }: ShapeColumn): string {
	const value = `${row}.${quoted(name)}`
	if (kind === 'number' || kind === 'boolean' || base === 'jsonb') return value
	if (kind === 'binary') return base64(value)
	// Line ends between the parts of a JSON text would end the line.
	return kind === 'json' ? `translate(${value}::text, e'\\n\\r', '  ')::json` : `${value}::text`
}

function insertText(shape: Shape, all: readonly ShapeColumn[]): string {
	const isIdentity = ({ generated, note }: ShapeColumn) => generated === 'always' && !note?.includes('Computed: ')
	const columns = all.filter(column => column.generated !== 'always' || isIdentity(column))
	const names = columns.map(({ name }) => quoted(name)).join(', ')
	const overriding = columns.some(isIdentity) ? ' overriding system value' : ''
	const begin = literal(`insert into ${from(shape)} (${names})${overriding} values (`)
	const values = columns.map(sqlValue).join(` || ', ' || `)
	return columns.length === 0 ? literal(`insert into ${from(shape)} default values;`) : `${begin} || ${values} || ');'`
}

function sqlValue({ name, kind }: ShapeColumn): string {
	const text = `${row}.${quoted(name)}::text`
	if (kind === 'boolean') return `coalesce(${text}, 'null')`
	// NaN and infinity need quotes.
	if (kind === 'number')
		return `case when ${text} ~ '^-?[0-9]' then ${text} else coalesce(quote_literal(${text}), 'null') end`
	return `coalesce(quote_literal(${text}), 'null')`
}
