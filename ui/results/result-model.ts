import { batch, createMemo, createSignal } from 'solid-js'
import type { Cell, Row, Sort } from '../../host/api/api.ts'
import { cellText } from '../cells/cell-text.ts'
import { plainNumber } from '../cells/plain-number.ts'
import { showToast } from '../controls/toasts.tsx'
import { createGridColumns, gutterWidth } from '../grid/columns/grid-columns.ts'
import { uniqueNames } from '../grid/columns/unique-names.ts'
import { createMemoryRows } from '../grid/memory-rows.ts'
import { createGridModel, type GridModel } from '../grid/model.ts'
import { sortedRows } from '../grid/sorted-rows.ts'
import type { Engine } from '../state/engine.tsx'
import { scopeOf } from './answer.ts'
import type { ResultRows } from './chart-columns.ts'
import type { RowUses } from './origins.ts'
import { createResultEditing } from './result-editing.ts'
import { filteredRows, type ResultFilter } from './result-filters.ts'

export type ResultModel = ReturnType<typeof createResultModel>

/** The rows of a result as the window shows them: sorted and filtered in memory, in a grid. */
export function createResultModel(
	result: ResultRows,
	{ rowNoun, columnNoun, displayName }: Pick<Engine, 'rowNoun' | 'columnNoun' | 'displayName'>,
	{ edits, sort: sortByEngine }: Pick<RowUses, 'edits' | 'sort'> = {},
) {
	const names = uniqueNames(result.columns.map(({ name }) => name))
	const ownColumns = result.columns.map((column, at) => ({
		...column,
		name: names[at] ?? column.name,
		isReadOnly: true,
		isSortable: true,
	}))
	const titles = new Map(names.map((name, at) => [name, result.columns[at]?.name ?? name]))
	const rowsOf = ({ rows, isComputed }: ResultRows) =>
		rows.map((cells, at): Row => ({ id: String(at), cells: isComputed ? cells.map(plain) : cells }))
	const [all, setAll] = createSignal(rowsOf(result))
	const editing =
		edits &&
		createResultEditing({ ...result, columns: ownColumns }, edits, {
			all,
			setAll: change => setAll(rows => [...change(rows)]),
			grid: (): GridModel => grid,
		})
	const columns = createMemo(() => editing?.columns() ?? ownColumns)
	const [sort, setSort] = createSignal<readonly Sort[]>([])
	/** Whether the rows came in this order from the engine. */
	const [isByEngine, setByEngine] = createSignal(false)
	const inResult = ({ column, direction }: Sort) => ({ at: names.indexOf(column), direction })
	const [filters, setFilters] = createSignal<readonly ResultFilter[]>([])
	const filtered = createMemo(() => filteredRows(all(), filters()))
	const rows = createMemo(() =>
		isByEngine()
			? filtered()
			: sortedRows(
					filtered(),
					sort()
						.map(inResult)
						.map(({ at, direction }) => ({ column: at, direction })),
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
		onSort: next => void order(next),
		onUnsortable: () => {},
	})
	const grid: GridModel = createGridModel({
		source: { ...createMemoryRows(rows), ...(editing && { cell: editing.cell, track: editing.track }) },
		columns: gridColumns,
		nouns: { row: rowNoun, column: columnNoun },
	})
	/** Only the engine knows the first rows in another order of a truncated result. */
	async function order(next: readonly Sort[]): Promise<void> {
		if (!result.isTruncated || !sortByEngine || (next.length === 0 && !isByEngine())) return take(next)
		if (editing?.isStaged()) return void showToast('Save or discard the changes in this result first.')
		const read = await sortByEngine({ columns: names.length, by: next.map(inResult) })
		if (read === undefined) return
		if (typeof read === 'string') {
			showToast(`Only the ${scopeOf(result, rowNoun)} are sorted: ${read}`)
			return take(next)
		}
		if (read.columns.length !== names.length)
			return void showToast(`The ${columnNoun.many} have changed. Run it again.`)
		batch(() => {
			setAll(rowsOf(read))
			setByEngine(next.length > 0)
			setSort(next)
		})
		grid.place.toTop()
	}
	function take(next: readonly Sort[]): void {
		batch(() => {
			setByEngine(false)
			setSort(next)
		})
		for (const { column } of next) showScope(column)
		// Another order begins at the top, as in a table.
		grid.place.toTop()
	}
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
		/** Who has sorted the rows; `undefined` if they are as the statement says. */
		sortedBy: () => (sort().length === 0 ? undefined : isByEngine() ? displayName : 'this window'),
		isByEngine,
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
