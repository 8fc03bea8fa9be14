import { createMemo, createSignal } from 'solid-js'
import type { Cell, Row, Sort } from '../../host/api/api.ts'
import { cellText } from '../cells/cell-text.ts'
import { plainNumber } from '../cells/plain-number.ts'
import { createGridColumns, gutterWidth } from '../grid/columns/grid-columns.ts'
import { uniqueNames } from '../grid/columns/unique-names.ts'
import { createMemoryRows } from '../grid/memory-rows.ts'
import { createGridModel, type GridModel } from '../grid/model.ts'
import { sortedRows } from '../grid/sorted-rows.ts'
import type { Engine } from '../state/engine.tsx'
import { scopeOf } from './answer.ts'
import type { ResultRows } from './chart-columns.ts'
import type { ResultEdits } from './origins.ts'
import { createResultEditing } from './result-editing.ts'
import { filteredRows, type ResultFilter } from './result-filters.ts'

export type ResultModel = ReturnType<typeof createResultModel>

/** The rows of a result as the window shows them: sorted and filtered in memory, in a grid. */
export function createResultModel(
	result: ResultRows,
	{ rowNoun, columnNoun }: Pick<Engine, 'rowNoun' | 'columnNoun'>,
	edits?: ResultEdits,
) {
	const names = uniqueNames(result.columns.map(({ name }) => name))
	const ownColumns = result.columns.map((column, at) => ({
		...column,
		name: names[at] ?? column.name,
		isReadOnly: true,
		isSortable: true,
	}))
	const titles = new Map(names.map((name, at) => [name, result.columns[at]?.name ?? name]))
	const [all, setAll] = createSignal(
		result.rows.map((cells, at): Row => ({ id: String(at), cells: result.isComputed ? cells.map(plain) : cells })),
	)
	const editing =
		edits &&
		createResultEditing({ ...result, columns: ownColumns }, edits, {
			all,
			setAll: change => setAll(rows => [...change(rows)]),
			grid: (): GridModel => grid,
		})
	const columns = createMemo(() => editing?.columns() ?? ownColumns)
	const [sort, setSort] = createSignal<readonly Sort[]>([])
	const [filters, setFilters] = createSignal<readonly ResultFilter[]>([])
	const filtered = createMemo(() => filteredRows(all(), filters()))
	const rows = createMemo(() =>
		sortedRows(
			filtered(),
			sort().map(({ column, direction }) => ({ column: names.indexOf(column), direction })),
		),
	)
	const shown = createMemo((): ResultRows => ({ ...result, rows: rows().map(({ cells }) => cells) }))
	const [first, ...others] = ownColumns
	let layout: unknown = others.length === 0 && first ? { sizing: { [first.name]: widthOfOne(all()) } } : {}
	const gridColumns = createGridColumns({
		// The layout of a result lasts as long as the result.
		store: { get: () => layout, set: next => (layout = next) },
		columns,
		titleOf: name => titles.get(name) ?? name,
		uniform: () => undefined,
		rows: all,
		gutter: () => gutterWidth(result.rows.length),
		sort,
		onSort: next => {
			setSort(next)
			for (const { column } of next) showScope(column)
			// Another order begins at the top, as in a table.
			grid.place.toTop()
		},
		onUnsortable: () => {},
	})
	const grid: GridModel = createGridModel({
		source: { ...createMemoryRows(rows), ...(editing && { cell: editing.cell, track: editing.track }) },
		columns: gridColumns,
		nouns: { row: rowNoun, column: columnNoun },
	})
	/** Makes room for the words behind a sorted column: of a cut result, the order is that of its first rows. */
	function showScope(name: string): void {
		const words = `${titles.get(name)} of the ${scopeOf(result, rowNoun)}`
		const needed = 70 + 7 * words.length
		const at = gridColumns.indexOf(name)
		if (result.isTruncated && gridColumns.width(at) < needed) gridColumns.resize(name, needed)
	}
	return {
		result,
		grid,
		/** Changes of values; absent if none can be changed. */
		editing,
		/** The shown rows with the columns of the result, in the shown order. */
		shown,
		filters,
		addFilter(filter: ResultFilter): void {
			setFilters(known => [...known, filter])
			grid.place.toTop()
		},
		dropFilter: (filter: ResultFilter) => setFilters(known => known.filter(other => other !== filter)),
		/** Returns the title of a column by its index in the result. */
		titleAt: (index: number) => result.columns[index]?.name ?? '',
	}
}

/** Returns a number that the engine computed with all its digits. */
export function plain(cell: Cell): Cell {
	const { look, text } = cellText(cell)
	return look === 'number' ? { number: plainNumber(text) } : cell
}

/** A single column, for example of a plan, is as wide as its longest text. In pixels. */
function widthOfOne(rows: readonly Row[]): number {
	const longest = Math.max(
		0,
		...rows.slice(0, mostLooked).map(({ cells: [cell = null] }) => cellText(cell).text.length),
	)
	return 40 + 7 * longest
}
const mostLooked = 10_000
