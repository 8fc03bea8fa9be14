import { batch, type JSX, Show } from 'solid-js'
import type { Cell, Column } from '../../host/api/api.ts'
import { copyText } from '../controls/copy-button.tsx'
import { useHost } from '../state/host.tsx'
import { messageOf } from '../words/message-of.ts'
import { type CellFilterUse, cellFilters } from './filter/cell-filter.ts'
import { FilterBar } from './filter/filter-bar.tsx'
import { FilterChips } from './filter/filter-chips.tsx'
import { type FilterRow, type Operator, toFilters } from './filter/filters.ts'
import { suggestValues } from './filter/suggest-values.ts'
import type { TableQuery } from './filter/table-query.ts'
import type { OpenTable } from './open-table.ts'

/** The filters as fields while they are open, else as chips. */
export function TableFilters(props: { readonly table: OpenTable; onOpen(): void }): JSX.Element {
	const { query, rows, target } = props.table
	const { filters } = query
	const suggest = suggestValues(useHost(), target.connection, query.chosen)
	return (
		<>
			<Show when={filters.isOpen()}>
				<FilterBar
					columns={rows.columns()}
					rows={filters.rows()}
					match={filters.match()}
					hasTime={query.hasTime()}
					suggest={suggest}
					onChange={filters.change}
					onMatch={filters.setMatch}
					onApply={filters.apply}
				/>
			</Show>
			<Show when={!filters.isOpen() && filters.chips().length > 0}>
				<FilterChips
					columns={rows.columns()}
					chips={filters.chips()}
					match={query.hasTime() ? 'all' : filters.match()}
					suggest={suggest}
					onOpen={props.onOpen}
					onReplace={filters.replace}
					onDrop={filters.drop}
				/>
			</Show>
		</>
	)
}

/** Filters the table by the focused cell. */
export function filterByCell(table: OpenTable, use: CellFilterUse): void {
	const focused = focusedCell(table)
	if (focused) filterBy(table, { ...focused, use })
}

function focusedCell({
	columns,
	place,
	sheet,
}: OpenTable): { readonly column: Column; readonly cell: Cell } | undefined {
	const { focus } = place.selection()
	const [row, at] = [sheet.at(focus.row), columns.at(focus.column)]
	return row && at && { column: at.column, cell: sheet.cell(row, at) }
}

/** Copies the filter for the value of the focused cell, as text for the query bar or a statement. */
export async function copyFilter(table: OpenTable): Promise<void> {
	const focused = focusedCell(table)
	if (!focused) return
	const filters = cellFilters(focused.column, focused.cell, 'for')
	table.selected.say(typeof filters === 'string' ? filters : await copied(table, filters))
}

/** Returns a message for the user. */
async function copied(table: OpenTable, filters: readonly FilterRow[]): Promise<string> {
	try {
		const text = await table.filterText(toFilters(filters))
		if (text === null) return 'This driver has no text for filters.'
		if (!(await copyText(text))) return 'The filter was not copied: the browser did not allow it.'
		return `Copied ${text.length > 80 ? `${text.slice(0, 80)} …` : text}`
	} catch (error) {
		return `The filter was not copied: ${messageOf(error)}`
	}
}

/** Filters the table by a value of a column, or says why that is impossible. */
export function filterBy(
	{ query, selected }: OpenTable,
	{ column, cell, use }: { readonly column: Column; readonly cell: Cell; readonly use: CellFilterUse },
): void {
	const filters = cellFilters(column, cell, use)
	if (typeof filters === 'string') selected.say(filters)
	else query.filters.put(filters)
}

const ends: readonly Operator[] = ['greater_or_equal', 'less']

/** Filters the table for the values of a column from `from` up to, but not including, `to`, instead of another range. */
export function filterByRange({ query }: OpenTable, column: Column, range: readonly [from: string, to: string]): void {
	batch(() => {
		dropRange(query, column)
		query.filters.put(
			ends.map((operator, at) => ({ column: column.name, operator, text: range[at] ?? '', isOn: true })),
		)
	})
}

/** Removes the filters of {@link filterByRange}. */
export function dropRange({ filters }: TableQuery, column: Column): void {
	const isEnd = ({ column: name, operator }: FilterRow) => name === column.name && ends.includes(operator)
	for (const chip of filters.chips().filter(isEnd)) filters.drop(chip)
}
