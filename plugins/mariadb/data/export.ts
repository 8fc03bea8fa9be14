import { DriverError, type ExportOptions, type GridQuery, type RowExport } from '@roundhouse/kit'
import {
	type CellRows,
	csvRows,
	exportRows as exportBy,
	insertRows,
	jsonRows,
	orderSql,
	type RawRow,
} from '@roundhouse/sql'
import { columnIn, printed, type Shape, type ShapeColumn } from '../catalog/shape.ts'
import { cellOf } from '../grid/cells.ts'
import { orderOf } from '../grid/order.ts'
import { hasKey, isRow, row } from '../grid/row-key.ts'
import { conditionOf } from '../sql/conditions.ts'
import { qualified, quoted } from '../sql/names.ts'
import { changedTo } from '../sql/values.ts'
import type { Session } from '../wire/session.ts'

interface Exported {
	readonly shape: Shape
	readonly query: GridQuery
	readonly options: ExportOptions
	readonly run?: RunRead
}

/** Exports a table on a separate session, which it closes. @throws DriverError `unsupported` */
export function exportTable(session: Session, { shape, query, options, run }: Exported): RowExport {
	const columns = (options.columns?.map(name => columnIn(shape, name)) ?? shape.columns).filter(
		column => options.format !== 'sql' || column.generated !== 'always',
	)
	return exportRows(session, {
		sql: `select ${columns.map(printed).join(', ')}${rowsSql({ shape, query, options })}`,
		columns,
		rows: rowsOf(shape, columns, options),
		isArray: options.format === 'json',
		release: () => session.close(),
		run,
	})
}

/** Rows of a statement, and how they are written. */
interface WrittenRows {
	readonly sql: string
	readonly columns: readonly Pick<ShapeColumn, 'kind' | 'base'>[]
	readonly rows: CellRows
	readonly isArray: boolean
	readonly release: () => void
	/** Runs the read. Default: as it is */
	readonly run?: RunRead | undefined
}

/** Runs a read, and what is to be done around it. */
type RunRead = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>

export const exportRows = (
	session: Session,
	{ sql, columns, run = (_, work) => work(), ...written }: WrittenRows,
): RowExport =>
	exportBy<RawRow>({
		...written,
		readEach: (take, signal) => run(signal, () => session.readEach({ sql }, take, signal)),
		cellsOf: values => columns.map((column, at) => cellOf(column, values[at] ?? null)),
	})

function rowsOf(shape: Shape, columns: readonly ShapeColumn[], { format, guardFormulas }: ExportOptions): CellRows {
	const names = columns.map(({ name }) => name)
	switch (format) {
		case 'csv':
			return csvRows(names, guardFormulas === true)
		case 'json':
		case 'ndjson':
			return jsonRows(names)
		case 'sql': {
			const into = `insert into ${qualified(shape.place)} (${names.map(quoted).join(', ')})`
			return insertRows(into, (at, cell) => {
				const column = columns[at]
				return column ? changedTo(column, cell) : 'null'
			})
		}
		default:
			throw new DriverError('unsupported', `Rows are not exported as ${format}.`)
	}
}

/** A table of more rows is exported in the order in which it is stored, because a sort costs more than the export. */
const mostSorted = 200_000

/** Which rows, in which order. */
function rowsSql({ shape, query, options: { rowIds, limit } }: Exported): string {
	const table = ` from ${qualified(shape.place)} ${row}`
	if (rowIds) return `${table}${chosenSql(shape, rowIds)}`
	const condition = conditionOf(shape, query)
	const where = condition === undefined ? '' : ` where ${condition}`
	const isCheap = hasKey(shape) && (where !== '' || shape.estimatedRows <= mostSorted)
	const isOrdered = query.sort.length > 0 || limit !== undefined || isCheap
	const order = isOrdered ? orderSql(orderOf(shape, query.sort)) : ''
	return `${table}${where}${order}${limit === undefined ? '' : ` limit ${limit}`}`
}

function chosenSql(shape: Shape, rowIds: readonly string[]): string {
	if (rowIds.length === 0) return ' where false'
	const conditions = rowIds.map(id => `(${isRow(shape, id)})`)
	const places = conditions.map((condition, at) => `when ${condition} then ${at}`).join(' ')
	return ` where ${conditions.join(' or ')} order by case ${places} end`
}
