import { cutText } from '@roundhouse/kit/cut-text'
import X from 'lucide-solid/icons/x'
import { batch, createMemo, For, type JSX, Show } from 'solid-js'
import type { Cell, Column, Row, Sort } from '../../host/api/api.ts'
import { copyText } from '../controls/copy-button.tsx'
import type { CellFilterUse } from '../grid/filter-command.ts'
import { useHost } from '../state/host.tsx'
import type { ShownFilter, ShownTable } from '../state/tab.ts'
import { messageOf } from '../words/message-of.ts'
import { cellFilters } from './filter/cell-filter.ts'
import { FilterBar } from './filter/filter-bar.tsx'
import { FilterChips } from './filter/filter-chips.tsx'
import { type FilterRow, type Operator, toFilters } from './filter/filters.ts'
import { suggestValues } from './filter/suggest-values.ts'
import type { TableQuery } from './filter/table-query.ts'
import type { OpenTable } from './open-table.ts'

/** The filters as fields while they are open, else as chips. */
export function TableFilters(props: { readonly table: OpenTable }): JSX.Element {
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
					onOpen={() => filters.toggle(rows.columns())}
					onReplace={filters.replace}
					onDrop={filters.drop}
				/>
			</Show>
			<LostSorts table={props.table} />
		</>
	)
}

/** The sorts that no header shows, because the engine cannot sort by the column, or the column is gone. */
function LostSorts({ table: { query, rows } }: { readonly table: OpenTable }): JSX.Element {
	const lost = createMemo(() => {
		const columns = rows.columns()
		// Before the first rows, columns are unknown. If these cannot be read, a sort may be the reason.
		if (columns.length === 0 && rows.failure() === undefined) return []
		return query.sort().filter(({ column }) => !columns.find(({ name }) => name === column)?.isSortable)
	})
	const words = ({ column }: Sort) => (rows.columns().length > 0 ? `Not sorted by ${column}` : `Sort by ${column}`)
	return (
		<Show when={lost().length > 0}>
			<ul class="filter-chips" aria-label="Sorts">
				<For each={lost()}>
					{sort => (
						<li class="filter-chip">
							<span class="filter-chip-body">
								<span class="filter-chip-words">{words(sort)}</span>
								<button
									type="button"
									aria-label={`Remove the sort by ${sort.column}`}
									onClick={() => query.setSort(query.sort().filter(other => other !== sort))}
								>
									<X size={12} />
								</button>
							</span>
						</li>
					)}
				</For>
			</ul>
		</Show>
	)
}

/** Rows of the table with other filters, in an order. */
export const rowsOf = ({ target }: OpenTable, filters: readonly ShownFilter[], sort: readonly Sort[]): ShownTable => ({
	kind: 'table',
	table: target.table,
	raw: '',
	match: 'all',
	filters: [...filters],
	sort: [...sort],
})

/** Filters the table by the focused cell. */
export const filterByCell = (table: OpenTable, use: CellFilterUse): Promise<void> =>
	withFocusedCell(table, 'filtered for', focused => filterBy(table, { ...focused, use }))

/** Returns the filters that keep the rows with a value alone. None, with a message, if there are no such filters. */
export function filtersOf(
	{ selected }: OpenTable,
	{ column, cell }: { readonly column: Column; readonly cell: Cell },
): readonly ShownFilter[] {
	const filters = cellFilters(column, cell, 'for')
	if (typeof filters !== 'string') return filters.map(({ column, operator, text }) => ({ column, operator, text }))
	else selected.say(filters)
	return []
}

/** Runs an action with the focused cell as it is in view, or as soon as its row is loaded. `done` names the outcome. */
export async function withFocusedCell(
	{ columns, place, sheet, selected }: OpenTable,
	done: string,
	work: (focused: FocusedCell) => void | Promise<void>,
): Promise<void> {
	const { row, column } = place.selection().focus
	const run = (found: Row | undefined) => {
		const at = columns.at(column)
		if (found && at) return work({ row: found, column: at.column, cell: sheet.cell(found, at) })
	}
	if (row >= sheet.count()) return
	const shown = sheet.at(row)
	if (!shown) return void (await selected.use(done, ([found]) => run(found), { top: row, bottom: row }))
	try {
		await run(shown)
	} catch (error) {
		selected.say(messageOf(error))
	}
}
interface FocusedCell {
	readonly row: Row
	readonly column: Column
	readonly cell: Cell
}

/** Copies the filter for the value of the focused cell, as text for the query bar or a statement. */
export const copyFilter = (table: OpenTable): Promise<void> =>
	withFocusedCell(table, 'copied', async ({ column, cell }) => {
		const filters = cellFilters(column, cell, 'for')
		table.selected.say(typeof filters === 'string' ? filters : await copied(table, filters))
	})

/** Returns a message for the user. */
async function copied(table: OpenTable, filters: readonly FilterRow[]): Promise<string> {
	try {
		const text = await table.filterText(toFilters(filters))
		if (text === null) return 'This driver has no text for filters.'
		if (!(await copyText(text))) return 'The filter was not copied: the browser did not allow it.'
		return `Copied ${cutText(text, 80)}`
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
