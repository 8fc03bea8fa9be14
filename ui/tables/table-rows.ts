import type { Table } from '../../host/api/api.ts'
import { bytes, count } from '../words/format.ts'

/** The rows of the page of all tables: found by name, grouped, sorted. Pure. */

/** A column of the page. A value without text is left empty, and sorts last. */
export interface ListColumn {
	readonly title: string
	readonly isNumber: boolean
	value(table: Table): string | number | undefined
	text(table: Table): string
	/** How the text is marked. */
	state?(table: Table): 'closed' | 'bad' | 'warning' | 'good' | undefined
}

/** A column with the characters of its longest text. */
export interface SizedColumn extends ListColumn {
	readonly longest: number
}

/** A line of the page: a table, or the tables whose names differ only by a date or a number at their end. */
export type Line =
	| { readonly kind: 'table'; readonly table: Table; readonly isInner: boolean }
	| { readonly kind: 'group'; readonly name: string; readonly tables: readonly Table[]; readonly isOpen: boolean }

export interface LineSort {
	/** Title of a column. */
	readonly column: string
	readonly direction: 'ascending' | 'descending'
}

const conditions = { closed: 'closed', bad: 'unhealthy', warning: 'needs attention' } as const

/** Returns the columns in which at least one table has a value, except the name. */
export function columnsOf(tables: readonly Table[], rows: string): readonly SizedColumn[] {
	const details = new Map(
		tables.flatMap(table => table.details ?? []).map(({ name, value }) => [name, typeof value === 'number']),
	)
	const detail = (table: Table, name: string) => table.details?.find(found => found.name === name)
	const all: readonly ListColumn[] = [
		textColumn('Place', ({ path }) => path?.join(' · ')),
		textColumn('Kind', ({ kind }) => kind),
		{
			...textColumn('State', ({ condition }) => condition && conditions[condition.state]),
			state: ({ condition }) => condition?.state,
		},
		{
			title: rows,
			isNumber: true,
			value: ({ rowCount }) => rowCount,
			text: ({ rowCount, isRowCountEstimated }) =>
				rowCount === undefined ? '' : `${isRowCountEstimated ? '≈ ' : ''}${count(rowCount)}`,
		},
		{
			title: 'Size',
			isNumber: true,
			value: ({ sizeBytes }) => sizeBytes,
			text: ({ sizeBytes }) => (sizeBytes === undefined ? '' : bytes(sizeBytes)),
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
	const withLongest = (column: ListColumn) => ({
		...column,
		longest: tables.reduce((most, table) => Math.max(most, column.text(table).length), column.title.length),
	})
	return all.filter(({ value }) => tables.some(table => value(table) !== undefined)).map(withLongest)
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

/** A date, a number of at least four digits, or both, at the end of a name: `2026.11.25`, `2026-11-25-000003`, `000017`. */
const ending = /\d{4}([._-]?\d{2}){0,2}([._-]\d{4,})?$|\d{4,}$/

/** Returns the lines of tables in order. Groups of one table are no groups. */
export function linesOf(
	tables: readonly Table[],
	options: { readonly isGrouped: boolean; readonly sort: LineSort; isOpen(group: string): boolean },
	columns: readonly ListColumn[],
): readonly Line[] {
	const column = columns.find(({ title }) => title === options.sort.column) ?? nameColumn
	const sorted = sortedTables(tables, column, options.sort.direction)
	const plain = (table: Table): Line => ({ kind: 'table', table, isInner: false })
	if (!options.isGrouped) return sorted.map(plain)
	const groups = Map.groupBy(sorted, ({ name }) => name.replace(ending, '*'))
	return [...groups].flatMap(([name, members]): readonly Line[] => {
		if (members.length < 2) return members.map(plain)
		const group: Line = { kind: 'group', name, tables: members, isOpen: options.isOpen(name) }
		return group.isOpen ? [group, ...members.map((table): Line => ({ kind: 'table', table, isInner: true }))] : [group]
	})
}

const collator = new Intl.Collator(undefined, { numeric: true })

function sortedTables(tables: readonly Table[], { value }: ListColumn, direction: LineSort['direction']) {
	const sign = direction === 'ascending' ? 1 : -1
	return tables.toSorted((a, b) => {
		const [left, right] = [value(a), value(b)]
		if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined)
		if (typeof left === 'number' && typeof right === 'number') return sign * (left - right)
		return sign * collator.compare(String(left), String(right))
	})
}

/** Returns a text for a group in a column: the sum of rows and of bytes, or nothing. It says what is not exact. */
export function groupText(tables: readonly Table[], title: string, rows: string): string {
	if (title === rows) {
		const isEstimated = tables.some(({ isRowCountEstimated }) => isRowCountEstimated)
		return sumText(tables, ({ rowCount }) => rowCount, count, isEstimated ? '≈ ' : '')
	}
	return title === 'Size' ? sumText(tables, ({ sizeBytes }) => sizeBytes, bytes) : ''
}

/** Without a part of its numbers, a sum is only the least that it can be. */
function sumText(
	tables: readonly Table[],
	numberOf: (table: Table) => number | undefined,
	print: (sum: number) => string,
	before = '',
): string {
	const known = tables.map(numberOf).filter(number => number !== undefined)
	if (known.length === 0) return ''
	const sum = print(known.reduce((all, number) => all + number, 0))
	return (known.length < tables.length ? '≥ ' : before) + sum
}
