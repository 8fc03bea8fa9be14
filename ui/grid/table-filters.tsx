import { type JSX, Show } from 'solid-js'
import type { Cell, Column } from '../../host/api/api.ts'
import { type CellFilterUse, cellFilters } from './filter/cell-filter.ts'
import { FilterBar } from './filter/filter-bar.tsx'
import { FilterChips } from './filter/filter-chips.tsx'
import type { TableQuery } from './filter/table-query.ts'
import type { OpenTable } from './open-table.ts'

/** The filters as fields while they are open, else as chips. */
export function TableFilters(props: {
	readonly query: TableQuery
	readonly columns: readonly Column[]
	onOpen(): void
}): JSX.Element {
	const { filters } = props.query
	return (
		<>
			<Show when={filters.isOpen()}>
				<FilterBar
					columns={props.columns}
					rows={filters.rows()}
					match={filters.match()}
					onChange={filters.change}
					onMatch={filters.setMatch}
					onApply={filters.apply}
				/>
			</Show>
			<Show when={!filters.isOpen() && filters.chips().length > 0}>
				<FilterChips
					columns={props.columns}
					chips={filters.chips()}
					match={filters.match()}
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
	const { columns, place, sheet } = table
	const { focus } = place.selection()
	const [row, at] = [sheet.at(focus.row), columns.at(focus.column)]
	if (row && at) filterBy(table, { column: at.column, cell: sheet.cell(row, at), use })
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
