import type { Row, Table } from '../../host/api/api.ts'
import { type RowSort, sortedRows } from '../grid/sorted-rows.ts'
import { bytes, count, rowCountText } from '../words/format.ts'
import { seriesOf } from '../words/series.ts'

/** The rows of the page of all tables: found by name, sorted, grouped. Pure. */

/** A column of the page. A table without a value has an empty cell, which sorts last. */
export interface ListColumn {
	readonly title: string
	readonly isNumber: boolean
	value(table: Table): string | number | undefined
	text(table: Table): string
	/** The text of a group, if it has one. It says what is not exact. */
	sum?(tables: readonly Table[]): string | undefined
	/** How the text is marked. */
	state?(table: Table): 'closed' | 'bad' | 'warning' | 'good' | undefined
}

/** A row of the page: a table, or the tables whose names differ only by a date or a number at their end. */
export type Line = Row &
	(
		| { readonly kind: 'table'; readonly table: Table; readonly isInner: boolean }
		| { readonly kind: 'group'; readonly name: string; readonly tables: readonly Table[]; readonly isOpen: boolean }
	)

const conditions = { closed: 'closed', bad: 'unhealthy', warning: 'needs attention' } as const

/**
 * Returns the columns in which at least one table has a value, except the name.
 * @param words for rows, and for a table of no other kind
 */
export function columnsOf(
	tables: readonly Table[],
	words: { readonly rows: string; readonly table: string },
): readonly ListColumn[] {
	const hasKinds = tables.some(({ kind }) => kind !== undefined)
	const details = new Map(
		tables.flatMap(table => table.details ?? []).map(({ name, value }) => [name, typeof value === 'number']),
	)
	const detail = (table: Table, name: string) => table.details?.find(found => found.name === name)
	const all: readonly ListColumn[] = [
		textColumn('Schema', ({ path }) => path?.join(' · ')),
		textColumn('Kind', ({ kind }) => (hasKinds ? (kind ?? words.table) : undefined)),
		{
			...textColumn('State', ({ condition }) => condition && conditions[condition.state]),
			state: ({ condition }) => condition?.state,
		},
		{
			title: words.rows,
			isNumber: true,
			value: ({ rowCount }) => rowCount,
			text: rowCountText,
			sum: tables => {
				const isEstimated = tables.some(({ isRowCountEstimated }) => isRowCountEstimated)
				return sumText(tables, ({ rowCount }) => rowCount, count, isEstimated ? '≈ ' : '')
			},
		},
		{
			title: 'Size',
			isNumber: true,
			value: ({ sizeBytes }) => sizeBytes,
			text: ({ sizeBytes }) => (sizeBytes === undefined ? '' : bytes(sizeBytes)),
			sum: tables => sumText(tables, ({ sizeBytes }) => sizeBytes, bytes),
		},
		...[...details].map(([name, isNumber]) => ({
			title: name,
			isNumber,
			value: (table: Table) => detail(table, name)?.value,
			text: (table: Table) => {
				const value = detail(table, name)?.value
				return typeof value === 'number' ? count(value) : (value ?? '')
			},
			state: (table: Table) => detail(table, name)?.state,
		})),
	]
	return all.filter(({ value }) => tables.some(table => value(table) !== undefined))
}

function textColumn(title: string, value: (table: Table) => string | undefined): ListColumn {
	return { title, isNumber: false, value, text: table => value(table) ?? '' }
}

export const nameColumn: ListColumn = textColumn('Name', ({ title, name }) => title ?? name)

/** Returns the tables whose name contains a text. With `*` or `?` the text is a pattern of the whole name. */
export function found(text: string, tables: readonly Table[]): readonly Table[] {
	const wanted = text.trim().toLowerCase()
	if (!/[*?]/.test(wanted)) return tables.filter(({ name }) => name.toLowerCase().includes(wanted))
	return tables.filter(({ name }) => fits(name.toLowerCase(), wanted))
}

/** Matches `*` and `?`, in time linear in the product of the lengths. */
function fits(name: string, pattern: string): boolean {
	let [at, place, star, from] = [0, 0, -1, 0]
	while (at < name.length) {
		if (pattern[place] === '*') {
			star = place++
			from = at
		} else if (pattern[place] === '?' || pattern[place] === name[at]) {
			at++
			place++
		} else if (star >= 0) {
			place = star + 1
			at = ++from
		} else return false
	}
	while (pattern[place] === '*') place++
	return place === pattern.length
}

/**
 * Returns the lines of tables in order, by name if there is no other. Groups of one table are no groups.
 *
 * @param columns the first is that of the name
 */
export function linesOf(
	tables: readonly Table[],
	options: { readonly isGrouped: boolean; readonly sort: readonly RowSort[]; isOpen(group: string): boolean },
	columns: readonly ListColumn[],
): readonly Line[] {
	const sort: readonly RowSort[] = options.sort.length === 0 ? [{ column: 0, direction: 'asc' }] : options.sort
	const sorted = sortedRows(
		tables.map(table => tableLine(table, columns)),
		sort,
	)
	if (!options.isGrouped) return sorted
	const groups = Map.groupBy(sorted, ({ table }) => seriesOf(table.name) ?? table.name)
	return [...groups].flatMap(([name, members]): readonly Line[] => {
		if (members.length < 2) return members
		const grouped = members.map(({ table }) => table)
		const isOpen = options.isOpen(name)
		const cells = columns.map(({ sum }, at) => (at === 0 ? name : (sum?.(grouped) ?? missing)))
		const group: Line = { kind: 'group', id: `group ${name}`, cells, name, tables: grouped, isOpen }
		return isOpen ? [group, ...members.map(member => ({ ...member, isInner: true }))] : [group]
	})
}

/** Whether names differ only by a date or a number at their end, so that there is something to group. */
export function hasGroups(tables: readonly Table[]): boolean {
	return [...Map.groupBy(tables, ({ name }) => seriesOf(name) ?? name).values()].some(({ length }) => length > 1)
}

const missing = { missing: true } as const

const tableLine = (table: Table, columns: readonly ListColumn[]) => ({
	kind: 'table' as const,
	id: `table ${table.name}`,
	cells: columns.map(({ value }) => value(table) ?? missing),
	table,
	isInner: false,
})

export const namesOf = (line: Line): readonly string[] =>
	line.kind === 'table' ? [line.table.name] : line.tables.map(({ name }) => name)

export const nameOf = (line: Line): string => (line.kind === 'table' ? nameColumn.text(line.table) : line.name)

/** Without a part of its numbers, a sum is only the least that it can be. */
function sumText(
	tables: readonly Table[],
	numberOf: (table: Table) => number | undefined,
	print: (sum: number) => string,
	before = '',
): string | undefined {
	const known = tables.map(numberOf).filter(number => number !== undefined)
	if (known.length === 0) return undefined
	const sum = print(known.reduce((all, number) => all + number, 0))
	return (known.length < tables.length ? '≥ ' : before) + sum
}
