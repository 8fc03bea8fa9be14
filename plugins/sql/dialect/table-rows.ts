import {
	type Cell,
	type Count,
	DriverError,
	type Encoded,
	type ExportOptions,
	encodeWithRaw,
	type GridOpening,
	type GridQuery,
	type RowExport,
	type WholeRow,
} from '@roundhouse/kit'
import { csvRows, insertRows, jsonRows } from '../data/cell-rows.ts'
import { exportRows } from '../data/export-rows.ts'
import { documentOf } from '../grid/cells.ts'
import { orderSql } from '../grid/order.ts'
import { selectionOf } from '../grid/selection.ts'
import type { GridTable } from '../grid/table-grid.ts'
import type { TextRow } from '../text/session.ts'
import type { DialectSession, DialectTable, ValueColumn, Values } from './dialect.ts'
import {
	columnIn,
	conditionOf,
	identityIn,
	identityOf,
	isRow,
	literalOf,
	orderOf,
	type Writing,
	whereOf,
} from './rows.ts'

/** Rows of a table: pages, counts, one whole row, exports. */

/** Above it, a grid says that there are more. A count reads all rows. */
const mostCounted = 100_000

/** Returns the cells of whole or short texts. */
export const cellsOf = (values: Values, columns: readonly ValueColumn[], row: TextRow): readonly Cell[] =>
	columns.map((column, at) => {
		const text = row[at] ?? null
		return text === null ? null : values.cellOf(text, column)
	})

/** Counts rows. @param most where the count ends; default: never */
export async function countRows(
	session: DialectSession,
	sql: string,
	signal: AbortSignal,
	most?: number,
): Promise<Count> {
	const counted = most === undefined ? sql : `${sql} limit ${most + 1}`
	const [row] = await session.read(`select count(*) from (select 1 ${counted})`, signal)
	const value = Number(row?.[0])
	return most !== undefined && value > most ? { value, isExact: false, bound: 'least' } : { value, isExact: true }
}

/** Returns what a grid reads of a table. */
export function gridTable(writing: Writing, table: DialectTable, query: GridOpening): GridTable<DialectSession> {
	const { language, values } = writing
	const order = orderOf(writing, table, query.sort)
	const rows = `from ${table.from}${whereOf(writing, table, query)}`
	return {
		columns: table.columns,
		references: table.references,
		referrers: table.referrers,
		order,
		selection: selectionOf({
			cells: table.columns.map(column => values.short(language.quoted(column.name), column)),
			identity: identityOf(writing, table),
			position: order.terms.map(({ text }) => text),
			same: new Map(),
		}),
		from: table.from,
		alias: '',
		condition: () => conditionOf(writing, table, query),
		parameters: () => ({ bind: text => (text === null ? 'null' : values.exact(text)), values: [] }),
		inline: text => (text === null ? 'null' : values.exact(text)),
		quoted: language.quoted,
		idsMayRepeat: table.key.length === 0,
		cellsOf: row => cellsOf(values, table.columns, row),
		identityIn,
		positionIn: row => row,
		read: async (session, { sql }, signal) => ({ rows: await session.read(sql, signal) }),
		readFirst: async (session, asked, signal) => ({
			rows: asked ? await session.read(asked.sql, signal) : [],
			estimate: await countRows(session, rows, signal, mostCounted),
		}),
		count: (session, signal) => countRows(session, rows, signal),
	}
}

/** Reads one row whole. @throws DriverError `not_found` */
export async function readRow(
	writing: Writing,
	{ session, table, id }: { readonly session: DialectSession; readonly table: DialectTable; readonly id: string },
	signal: AbortSignal,
): Promise<Encoded<WholeRow>> {
	const { values } = writing
	const selected = wholeColumns(writing, table).join(', ')
	const sql = `select ${selected} from ${table.from} where ${isRow(writing, table, id)} limit 1`
	const [row] = await session.read(sql, signal)
	if (!row) throw new DriverError('not_found', `There is no row ${id}.`)
	const names = table.columns.map(({ name }) => name)
	const raw = Buffer.from(documentOf(names, cellsOf(values, table.columns, row)))
	return encodeWithRaw({ id, meta: {}, raw })
}

const wholeColumns = ({ language, values }: Writing, { columns }: Pick<DialectTable, 'columns'>) =>
	columns.map(column => values.whole(language.quoted(column.name), column))

/** Every letter of a condition asks for frequent values, so not all rows of a large table are read for them. */
const mostSampled = 10_000

interface Frequent extends Pick<GridQuery, 'filters'> {
	readonly session: DialectSession
	readonly table: DialectTable
	readonly column: string
	readonly limit: number
}

/** Returns the values of a column that are most frequent in the first rows of some filters. */
export async function frequentValues(
	writing: Writing,
	{ session, table, filters, column: name, limit }: Frequent,
	signal: AbortSignal,
): Promise<readonly Cell[]> {
	const { language, values } = writing
	const column = columnIn(table, name)
	const value = language.quoted(name)
	const where = whereOf(writing, table, { filters, match: 'all' })
	const sample = `select ${value} from ${table.from}${where} limit ${mostSampled}`
	const sql = `select ${values.whole(value, column)} from (${sample}) sampled group by ${value} order by count(*) desc limit ${limit}`
	return (await session.read(sql, signal)).flatMap(([text]) => (text == null ? [] : values.cellOf(text, column)))
}

interface Exported {
	readonly table: DialectTable
	readonly query: GridQuery
	readonly options: ExportOptions
}

/** Exports rows on a session, which it closes. @throws DriverError `unsupported` */
export function exportTable(writing: Writing, session: DialectSession, { table, query, options }: Exported): RowExport {
	const { language, values } = writing
	const columns = options.columns?.map(name => columnIn(table, name)) ?? table.columns
	const names = columns.map(({ name }) => name)
	const into = `insert into ${table.from} (${names.map(language.quoted).join(', ')})`
	const formats = new Map([
		['csv', csvRows(names, options.guardFormulas === true)],
		['json', jsonRows(names)],
		['ndjson', jsonRows(names)],
		['sql', insertRows(into, (_, cell) => literalOf(values, cell))],
	])
	const rows = formats.get(options.format)
	if (!rows) throw new DriverError('unsupported', `Rows are not exported as ${options.format}.`)
	const selected = wholeColumns(writing, { columns }).join(', ')
	const sql = `select ${selected} from ${table.from}${chosenRows(writing, { table, query, options })}`
	return exportRows({
		readEach: (take, signal) => session.readEach(sql, take, signal),
		cellsOf: row => cellsOf(values, columns, row),
		rows,
		isArray: options.format === 'json',
		release: () => session.close(),
	})
}

/** Which rows, in which order. */
function chosenRows(writing: Writing, { table, query, options: { rowIds, limit } }: Exported): string {
	const most = limit === undefined ? '' : ` limit ${limit}`
	if (!rowIds) return `${whereOf(writing, table, query)}${orderSql(orderOf(writing, table, query.sort))}${most}`
	if (rowIds.length === 0) return ' where 1 = 0'
	const conditions = rowIds.map(id => `(${isRow(writing, table, id)})`)
	const places = conditions.map((condition, at) => `when ${condition} then ${at}`).join(' ')
	return ` where ${conditions.join(' or ')} order by case ${places} end${most}`
}
