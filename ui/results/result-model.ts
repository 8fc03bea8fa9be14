import { batch, createMemo, createSignal, onCleanup } from 'solid-js'
import type { Cell, Column, Row, Sort } from '../../host/api/api.ts'
import { cellText } from '../cells/cell-text.ts'
import { plainNumber } from '../cells/plain-number.ts'
import { showToast } from '../controls/toasts.tsx'
import { createGridColumns, gutterWidth } from '../grid/columns/grid-columns.ts'
import { initialWidth } from '../grid/columns/initial-width.ts'
import { uniqueNames } from '../grid/columns/unique-names.ts'
import { createMemoryRows } from '../grid/memory-rows.ts'
import { createGridModel, type GridModel } from '../grid/model.ts'
import { createSlices } from '../grid/slices.ts'
import { sortedInSlices } from '../grid/sorted-rows.ts'
import type { Engine } from '../state/engine.tsx'
import { count, counted } from '../words/format.ts'
import { scopeOf } from './answer.ts'
import type { ResultRows } from './chart-columns.ts'
import type { RowUses } from './origins.ts'
import { createResultEditing } from './result-editing.ts'
import { conditionOf, filteredRows, type ResultFilter } from './result-filters.ts'

/** Rows that the engine has found. */
interface Found {
	/** The filters that it applied. The window applies the others. */
	readonly by: readonly ResultFilter[]
	/** Whether it has found more than it read. */
	readonly isTruncated: boolean
}

/** How the rows are to be shown. */
interface Arranged {
	/** Those of another run. */
	readonly rows?: readonly Row[]
	readonly order: readonly Sort[]
	/** Whether the rows came in this order from the engine. */
	readonly isByEngine: boolean
	readonly filters: readonly ResultFilter[]
	readonly found?: Found
}

export type ResultModel = ReturnType<typeof createResultModel>

/** The rows of a result as the window shows them: sorted and filtered in memory, in a grid. */
export function createResultModel(
	result: ResultRows,
	{ rowNoun, columnNoun }: Pick<Engine, 'rowNoun' | 'columnNoun'>,
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
	const [all, setAll] = createSignal<readonly Row[]>(rowsOf(result))
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
	const inResult = ({ column, direction }: Sort) => ({ column: names.indexOf(column), direction })
	const [filters, setFilters] = createSignal<readonly ResultFilter[]>([])
	/** What the engine has found, of all rows of the statement; `undefined` if the rows are those of the first run. */
	const [found, setFound] = createSignal<Found>()
	/** The places of the shown rows among all; `undefined` if all are shown as they came. */
	const [order, setOrder] = createSignal<readonly number[]>()
	const [isArranging, setArranging] = createSignal(false)
	let arranging = new AbortController()
	onCleanup(() => arranging.abort())
	const rows = createMemo((): readonly Row[] => order()?.flatMap(at => all()[at] ?? []) ?? all())
	const shown = createMemo((): ResultRows => ({ ...result, rows: rows().map(({ cells }) => cells) }))
	const [first, ...others] = ownColumns
	let layout: unknown = {
		// A key that does not come first is no head of its rows: the lines of a log begin with their time.
		...(first?.isKey === false && { pinned: [] }),
		...(others.length === 0 && first && { sizing: { [first.name]: widthOfOne(first, all()) } }),
	}
	const gridColumns = createGridColumns({
		// The layout of a result lasts as long as the result.
		store: { get: () => layout, set: next => (layout = next) },
		columns,
		titleOf: name => titles.get(name) ?? name,
		uniform: () => undefined,
		rows: all,
		gutter: () => gutterWidth(result.rows.length),
		sort,
		onSort: next => void arrange(next, filters()),
		onUnsortable: () => {},
	})
	const grid: GridModel = createGridModel({
		source: { ...createMemoryRows(rows), ...(editing && { cell: editing.cell, track: editing.track }) },
		columns: gridColumns,
		nouns: { row: rowNoun, column: columnNoun },
	})
	/** Only the engine knows the rows of a truncated result that come first in another order, or have a value. */
	async function arrange(order: readonly Sort[], kept: readonly ResultFilter[]): Promise<void> {
		const asked = kept.flatMap(filter => {
			const condition = conditionOf(filter, result.columns[filter.column]?.kind ?? 'other')
			return condition ? [{ filter, condition }] : []
		})
		const isOfEngine = order.length + asked.length > 0 || isByEngine() || found() !== undefined
		if (!result.isTruncated || !sortByEngine || !isOfEngine) return take(order, kept)
		if (editing?.isStaged()) return void showToast('Save or discard the changes in this result first.')
		const where = asked.map(({ condition }) => condition)
		const sorts = order.map(inResult).map(({ column, direction }) => ({ at: column, direction }))
		const read = await sortByEngine({ columns: names.length, by: sorts, ...(where.length > 0 && { where }) })
		if (read === undefined) return
		if (typeof read === 'string') {
			const what = kept === filters() ? 'sorted' : 'searched'
			showToast(`Only the ${scopeOf(result, rowNoun)} are ${what}: ${read}`)
			return take(order, kept)
		}
		if (read.columns.length !== names.length)
			return void showToast(`The ${columnNoun.many} have changed. Run it again.`)
		const by = asked.map(({ filter }) => filter)
		await show({
			rows: rowsOf(read),
			isByEngine: order.length > 0,
			order,
			filters: kept,
			...(by.length > 0 && { found: { by, isTruncated: read.isTruncated } }),
		})
	}
	/** Arranges the rows of the first run. */
	async function take(order: readonly Sort[], filters: readonly ResultFilter[]): Promise<void> {
		const isOther = isByEngine() || found() !== undefined
		const isShown = await show({ order, filters, isByEngine: false, ...(isOther && { rows: rowsOf(result) }) })
		if (isShown) for (const { column } of order) showScope(column)
	}
	/** @returns whether they are shown, which a later arrangement prevents */
	async function show(arranged: Arranged): Promise<boolean> {
		arranging.abort()
		arranging = new AbortController()
		const { signal } = arranging
		setArranging(true)
		const slices = createSlices(signal)
		try {
			const left = arranged.filters.filter(filter => arranged.found?.by.includes(filter) !== true)
			const kept = await filteredRows(arranged.rows ?? all(), left, slices)
			const sorts = arranged.isByEngine ? [] : arranged.order.map(inResult)
			const sorted = await sortedInSlices(kept, sorts, slices)
			if (signal.aborted) return false
			batch(() => {
				// Rows that stay may have been saved meanwhile.
				if (arranged.rows) setAll(arranged.rows)
				setOrder(left.length + sorts.length === 0 ? undefined : sorted.map(({ id }) => Number(id)))
				setByEngine(arranged.isByEngine)
				setSort(arranged.order)
				setFilters(arranged.filters)
				setFound(arranged.found)
				setArranging(false)
			})
			// Another order begins at the top, as in a table.
			grid.place.toTop()
			return true
		} catch (error) {
			if (signal.aborted) return false
			throw error
		}
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
		sortedBy: () => (sort().length === 0 ? undefined : isByEngine() ? 'the server' : 'this window'),
		isByEngine,
		/** Whether the window sorts or filters many rows. */
		isArranging,
		/** The shown rows with the columns of the result, in the shown order. */
		shown,
		filters,
		/** The words for how many rows the filters leave, and of which: `10+ rows of all, found by the server`. */
		filteredWords(): string {
			const [left, now] = [rows().length, found()]
			if (!now)
				return `${count(left)} of the ${result.isTruncated ? 'first ' : ''}${counted(result.rows.length, rowNoun)}`
			const noun = left === 1 && !now.isTruncated ? rowNoun.one : rowNoun.many
			return `${count(left)}${now.isTruncated ? '+' : ''} ${noun} of all, found by the server`
		},
		addFilter: (filter: ResultFilter) => void arrange(sort(), [...filters(), filter]),
		dropFilter: (filter: ResultFilter) =>
			void arrange(
				sort(),
				filters().filter(other => other !== filter),
			),
		/** Returns the title of a column by its index in the result. */
		titleAt: (index: number) => result.columns[index]?.name ?? '',
	}
}

/** Returns a number that the engine computed with all its digits. */
export function plain(cell: Cell): Cell {
	const { look, text } = cellText(cell)
	return look === 'number' ? { number: plainNumber(text) } : cell
}

/** A single column, for example of a plan, is as wide as its longest text, and its name is whole. In pixels. */
function widthOfOne(column: Column, rows: readonly Row[]): number {
	const longest = Math.max(
		0,
		...rows.slice(0, mostLooked).map(({ cells: [cell = null] }) => cellText(cell).text.length),
	)
	return Math.max(40 + 7 * longest, initialWidth(column, 0))
}
const mostLooked = 10_000
