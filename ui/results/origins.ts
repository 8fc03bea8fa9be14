import { isCutCell } from '@roundhouse/kit/cell'
import type { Cell, ResultBody, ResultOrder } from '../../host/api/api.ts'
import { copyText } from '../cells/cell-text.ts'
import type { ShownFilter, TabConnection } from '../state/tab.ts'
import type { ResultRows } from './chart-columns.ts'

export type Origin = NonNullable<Extract<ResultBody, { readonly view: 'rows' }>['origins']>[number]

/** Rows of a table that rows of a result are from, or refer to. */
export interface OriginRows {
	readonly table: string
	/** The columns of the result with the key, if several rows of the table are in one of the result. */
	readonly by?: string
	/** Whether the column is from this table, or refers to it. */
	readonly hasColumn: boolean
	readonly filters: readonly ShownFilter[]
}

/** What rows of a result are used for outside of it. */
export interface RowUses {
	/** Opens rows of a table. */
	open(table: string, filters: OriginRows['filters']): void
	/** Copies rows as the statements that insert them into a table. */
	copyInserts(table: string, rows: readonly Readonly<Record<string, Cell>>[]): void
	/**
	 * Reads the rows again in an order of the engine, which a truncated result needs. Absent: the rows that were read are
	 * sorted. @returns why it could not; `undefined` if the user cancelled it
	 */
	readonly sort?: (sort: ResultOrder) => Promise<ResultRows | string | undefined>
	/** Where values of the rows are changed; absent if they are not. */
	readonly edits?: ResultEdits
}

/** What changes of rows of a result need. */
export interface ResultEdits {
	readonly connection: TabConnection
	/** Whether the session that ran the statement is in a transaction, whose rows others may not have. */
	isInTransaction(): boolean
}

/** Returns the table that all columns of a result are from, if there is one. */
export function onlyOrigin({ columns, origins = [] }: Pick<ResultRows, 'columns' | 'origins'>): Origin | undefined {
	const [origin, ...others] = origins
	return others.length === 0 && origin?.columns.length === columns.length ? origin : undefined
}

/** Returns rows of a result as rows of the table that all of its columns are from, by the table's names of the columns. */
export function rowsOfTable(
	result: ResultRows,
	{ top, bottom }: { readonly top: number; readonly bottom: number },
): { readonly table: string; readonly rows: readonly Readonly<Record<string, Cell>>[] } | undefined {
	const { table, columns, names } = onlyOrigin(result) ?? {}
	if (table === undefined || !columns || !names) return undefined
	const rows = result.rows.slice(top, bottom + 1)
	const entries = columns.map((at, place) => [names[place] ?? '', at] as const).filter(([name]) => name !== '')
	return { table, rows: rows.map(row => Object.fromEntries(entries.map(([name, at]) => [name, row[at] ?? null]))) }
}

/** Returns the uses of tables whose rows the result names, with the names of their columns. */
export const onlyKnown = ({ origins = [] }: Pick<ResultRows, 'origins'>): readonly Origin[] =>
	origins.filter(({ key, names }) => key.length > 0 && names !== undefined)

/** More values make a filter that is slow to read. */
const mostRows = 1_000

/**
 * Returns the tables whose rows are in these rows of a result, with the filters that show them: the one that the column
 * is from, or all for a column of no known table.
 * @param column of the result
 */
export function originRows(
	{ rows, columns, origins = [] }: ResultRows,
	{ top, bottom }: { readonly top: number; readonly bottom: number },
	column: number,
): readonly OriginRows[] {
	const chosen = rows.slice(top, bottom + 1)
	const isOf = ({ columns }: Origin) => columns.includes(column)
	// The row of another table is not what the user points at.
	const fitting = origins.some(isOf) ? origins.filter(isOf) : origins
	return fitting.flatMap(origin => {
		const filters = filtersOf(origin.key, chosen)
		const isOneOfSeveral = fitting.some(other => other !== origin && other.table === origin.table)
		const by = isOneOfSeveral && { by: origin.key.map(({ at }) => columns[at]?.name).join(', ') }
		return filters ? [{ table: origin.table, ...by, filters, hasColumn: isOf(origin) }] : []
	})
}

/** Returns the rows of other tables that the column refers to. */
export function referredRows(
	{ rows, references = [] }: ResultRows,
	{ top, bottom }: { readonly top: number; readonly bottom: number },
	column: number,
): readonly OriginRows[] {
	const chosen = rows.slice(top, bottom + 1)
	return references
		.filter(({ columns }) => columns.includes(column))
		.flatMap(({ table, key }) => {
			const filters = filtersOf(key, chosen)
			return filters ? [{ table, filters, hasColumn: true }] : []
		})
}

/** `undefined` if a key has no value, or if no filter can name all of the rows. */
function filtersOf(key: Origin['key'], rows: ResultRows['rows']): readonly ShownFilter[] | undefined {
	const found = key.map(({ column, at }) => {
		const texts = new Set<string>()
		for (const row of rows) {
			const cell = row[at] ?? null
			if (cell === null || isCutCell(cell)) return undefined
			texts.add(copyText(cell))
		}
		return { column, texts: [...texts] }
	})
	const [first, ...others] = found
	if (!first || found.includes(undefined)) return undefined
	const known = found.filter(part => part !== undefined)
	if (known.every(({ texts }) => texts.length === 1)) {
		return known.map(({ column, texts: [text = ''] }) => ({ column, operator: 'equals', text }))
	}
	// A list is one value a line.
	const isListable =
		others.length === 0 && first.texts.length <= mostRows && !first.texts.some(text => /[\r\n]/.test(text))
	return isListable ? [{ column: first.column, operator: 'in', text: first.texts.join('\n') }] : undefined
}
