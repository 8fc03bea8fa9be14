import { type Accessor, createEffect, createMemo, createSignal } from 'solid-js'
import type { Column, Row, Sort } from '../../../host/api/api.ts'
import { isNothing } from '../../cells/cell-text.ts'
import { rowHeight } from '../../state/appearance.ts'
import { count } from '../../words/format.ts'
import { columnIndexAt, movedBefore, ordered } from './column-order.ts'
import { createColumnTable, type ShortColumn } from './column-table.ts'
import type { IndexedColumn } from './indexed-column.ts'
import { textLengths, yieldedWidth } from './initial-width.ts'
import { type FirstColumns, isArranged, type Layout, layoutOf, toStore, untouched } from './layout.ts'
import type { Uniform } from './uniform.ts'

/** The columns of one table as shown: visibility, order, width and sort. The layout is stored. */
export function createGridColumns(options: {
	/** Where the layout is stored. */
	readonly store: { get(): unknown; set(layout: ReturnType<typeof toStore>): void }
	readonly columns: Accessor<readonly Column[]>
	/** What a header shows, if it is not the name: names differ, and titles may be equal. */
	titleOf?(name: string): string
	/** The columns that are shown until the user shows others; by default all. */
	first?(): FirstColumns | undefined
	/** The column whose texts are shorter than its values, if there is one. */
	short?(): ShortColumn | undefined
	/** Columns with one value in all rows so far. */
	readonly uniform: Accessor<Uniform | undefined>
	/** Width of the row numbers, left of all columns, in pixels. */
	readonly gutter: Accessor<number>
	/** Rows of the latest query, if there are any. */
	readonly rows: Accessor<readonly Row[]>
	readonly sort: Accessor<readonly Sort[]>
	onSort(sort: readonly Sort[]): void
	/** The user wants to sort by a column by which the engine cannot. */
	onUnsortable(column: Column): void
}) {
	const [layout, setLayout] = createSignal<Layout>(layoutOf(options.store.get()))
	createEffect(() => options.store.set(toStore(layout())))
	/** An arrangement that the user made while all columns were shown stays as it is. */
	const firstColumns = createMemo(() =>
		layout().startsWithFew || !isArranged(layout()) ? options.first?.() : undefined,
	)
	const change = (part: Partial<Layout>) =>
		setLayout(before => ({ ...before, ...part, startsWithFew: firstColumns() !== undefined }))

	const byName = createMemo(() => new Map(options.columns().map((column, index) => [column.name, { column, index }])))
	/**
	 * Order and texts of the first page with rows. Rows of another filter may have others, and columns must not jump. An
	 * empty page has neither.
	 */
	const natural = createMemo<{
		readonly names: readonly string[]
		readonly lengths: ReadonlyMap<string, number> | undefined
	}>(
		before => {
			const names = options.columns().map(({ name }) => name)
			if (before.lengths) return { names: ordered(names, before.names), lengths: before.lengths }
			const rows = options.rows()
			return { names, lengths: rows.length === 0 ? undefined : textLengths(options.columns(), rows) }
		},
		{ names: [], lengths: undefined },
	)
	const lengths = createMemo(() => natural().lengths ?? new Map<string, number>())
	const known = createMemo(() => natural().names.flatMap(name => byName().get(name)?.column ?? []))
	const table = createColumnTable({
		...options,
		columns: known,
		lengths,
		short: createMemo(() => options.short?.()),
		layout,
		first: firstColumns,
		onLayout: change,
	})
	/** The order stays if the engine cannot sort by a column. */
	function sortIfPossible(name: string, sort: () => void): void {
		const column = byName().get(name)?.column
		if (column?.isSortable === false) options.onUnsortable(column)
		else sort()
	}
	const ownSize = (name: string) => table.getColumn(name)?.getSize() ?? 0
	const sizeOf = (name: string) => yielded().get(name) ?? ownSize(name)
	/** The column whose texts are long. */
	const wrapping = createMemo(() => options.first?.()?.filling)
	/** It takes the room that others leave, until the user gives it a width. */
	const filling = () => {
		const name = wrapping()
		return name !== undefined && layout().sizing[name] === undefined ? name : undefined
	}
	const isTall = () => layout().isTall && wrapping() !== undefined
	const widthOf = (name: string) => (name === filling() ? room() : sizeOf(name))
	const all = createMemo(() => table.getAllLeafColumns().map(({ id }) => id))
	const chosen = createMemo(() => table.getVisibleLeafColumns().map(({ id }) => id))
	/** The columns that the user pinned. In a narrow grid they scroll with the others. */
	const first = createMemo(() => table.getStartVisibleLeafColumns().map(({ id }) => id))
	const [viewWidth, setViewWidth] = createSignal(Number.POSITIVE_INFINITY)
	/** The pinned columns that leave half of the grid to the others. */
	const pinned = createMemo(() => {
		let x = options.gutter()
		const fitting = first().findIndex(name => {
			x += ownSize(name)
			return x > viewWidth() / 2
		})
		return new Set(fitting < 0 ? first() : first().slice(0, fitting))
	})
	/** A sorted or pinned column is of interest to the user. */
	const foldable = createMemo(() =>
		chosen().filter(
			name => options.uniform()?.values.has(name) && !first().includes(name) && !table.getColumn(name)?.getIsSorted(),
		),
	)
	const isUniform = (name: string) => byName().get(name)?.column.isUniform === true
	/** Columns that are hidden though the user did not hide each. A value further down must not be hidden unasked. */
	const folded = createMemo(() => {
		const { folding } = layout()
		if (folding === 'none') return []
		return folding === 'all' ? foldable() : foldable().filter(isUniform)
	})
	const isEmpty = (name: string) => isNothing(options.uniform()?.values.get(name) ?? null)
	const shown = createMemo(() => {
		const hidden = new Set(folded())
		const center = table.getCenterVisibleLeafColumns().map(({ id }) => id)
		return [...first(), ...center.filter(name => !hidden.has(name))]
	})
	/** What columns of some widths leave, in pixels. */
	const leftBy = (widthOf: (name: string) => number) => {
		const others = shown().filter(name => name !== filling())
		return viewWidth() - options.gutter() - others.reduce((sum, name) => sum + widthOf(name), 0)
	}
	/** Widths of columns that give way to the one that takes the room. */
	const yielded = createMemo<ReadonlyMap<string, number>>(() => {
		let lacking = leastRoom - leftBy(ownSize)
		const widths = new Map<string, number>()
		if (filling() === undefined) return widths
		const yielding = firstColumns()?.yielding ?? []
		for (const name of yielding.filter(name => shown().includes(name) && layout().sizing[name] === undefined)) {
			const column = byName().get(name)?.column
			if (!column || !(lacking > 0)) continue
			const known = options.short?.()
			const least = yieldedWidth(column, known?.name === name ? known.length : lengths().get(name))
			const given = Math.max(0, Math.min(lacking, ownSize(name) - least))
			widths.set(name, Math.floor(ownSize(name) - given))
			lacking -= given
		}
		return widths
	})
	const room = createMemo(() => {
		const left = leftBy(sizeOf)
		return Number.isFinite(left) && left >= narrowRoom ? Math.floor(left) : scrolledRoom
	})
	const edges = createMemo(() => {
		let x = options.gutter()
		const lefts = shown().map(name => {
			const left = x
			x += widthOf(name)
			return left
		})
		return { lefts, end: x }
	})
	const pinnedWidth = () => edges().lefts[pinned().size] ?? edges().end
	/** The positions of the scroll at which a column begins beside the pinned ones. */
	const starts = createMemo(() =>
		edges()
			.lefts.slice(pinned().size)
			.map(left => left - pinnedWidth()),
	)
	/** The first of them from an offset on, else the offset. */
	const snapped = (offset: number) => starts().find(start => start >= offset) ?? offset
	const resize = (wanted: readonly (readonly [name: string, width: number])[]) =>
		table.setColumnSizing(before => ({
			...before,
			...Object.fromEntries(wanted.map(([name, width]) => [name, Math.round(width)])),
		}))

	return {
		/** The visible columns, in order. */
		visible: shown,
		/** Number of visible columns. */
		count: () => shown().length,
		title: (name: string): string => options.titleOf?.(name) ?? name,
		/** Every column, in order. */
		all,
		/** Every column, with its index in the rows' cells. */
		places: () => all().flatMap(name => byName().get(name) ?? []),
		isShown: (name: string) => table.getColumn(name)?.getIsVisible() ?? false,
		show: (names: readonly string[], isShown: boolean) =>
			table.setColumnVisibility(before => ({ ...before, ...Object.fromEntries(names.map(name => [name, isShown])) })),
		/** The layout for storage. */
		kept: () => toStore(layout()),
		/** Takes a stored layout. */
		take: (stored: unknown) => void setLayout(layoutOf(stored)),
		/** All columns, in their initial order. */
		reset: () => setLayout(untouched),
		/** The column that has three lines in tall rows, if the table has one. */
		wrapping,
		isTall,
		setTall: (isTall: boolean) => change({ isTall }),
		/** In pixels; of all rows the same. */
		rowHeight: () => rowHeight() + (isTall() ? moreLines : 0),
		/** The columns that the user did not hide, in order: the shown ones and the folded ones. */
		names: chosen,
		width: (index: number) => widthOf(shown()[index] ?? ''),
		resize: (name: string, width: number) => resize([[name, width]]),
		/** Fits columns to the contents that `measure` returns. */
		fit(names: readonly string[], measure: (at: IndexedColumn) => number): void {
			const places = names.flatMap(name => byName().get(name) ?? [])
			resize(places.map(place => [place.column.name, measure(place)]))
		},
		/** The visible column at a position, with its index in the rows' cells. */
		at: (index: number): IndexedColumn | undefined => byName().get(shown()[index] ?? ''),
		/** The position of a column; -1 if it is not visible. */
		indexOf: (name: string) => shown().indexOf(name),
		/** Left edges, in pixels. */
		lefts: () => edges().lefts,
		/** Width of all columns with the row numbers, in pixels. */
		totalWidth: () => edges().end,
		/** Width of what is scrolled, in pixels: at its right end a column begins beside the pinned ones too. */
		scrollWidth: () => (edges().end > viewWidth() ? viewWidth() + snapped(edges().end - viewWidth()) : edges().end),
		snapped,
		/** The position nearest to an offset at which a column begins, or the offset inside of a column wider than the view. */
		nearestStart(offset: number): number {
			const at = Math.max(
				0,
				starts().findLastIndex(start => start <= offset),
			)
			const before = starts()[at] ?? 0
			const after = starts()[at + 1] ?? edges().end - pinnedWidth()
			if (after - before > viewWidth() - pinnedWidth()) return offset
			return offset - before < after - offset ? before : after
		},
		gutter: options.gutter,
		/** The column at an offset in pixels; -1 for the row numbers. */
		indexAt: (x: number) => columnIndexAt(edges().lefts, x),

		/** Sets the width of the visible part of the grid, in pixels. */
		setViewWidth,
		pinnedCount: () => pinned().size,
		/** The width of the pinned columns and the row numbers, in pixels. */
		pinnedWidth,
		/** Whether the visible column at a position stays while the others scroll. */
		isStuck: (index: number) => index < pinned().size,
		/** Whether the user pinned a column. In a narrow grid it may scroll all the same. */
		isPinned: (name: string) => table.getColumn(name)?.getIsPinned() === 'start',
		pin: (name: string, isPinned: boolean) => table.getColumn(name)?.pin(isPinned ? 'start' : false),
		/** Moves a column among its visible neighbours; positive numbers move it to the right. */
		move(name: string, by: number): void {
			const index = shown().indexOf(name)
			const many = first().length
			const [start, end] = first().includes(name) ? [0, many] : [many, shown().length]
			const target = Math.max(start, Math.min(index + by, end - 1))
			if (index < 0 || target === index) return
			const other = by < 0 ? shown()[target] : shown()[target + 1]
			table.setColumnOrder([...movedBefore(all(), name, other)])
		},

		/** Columns with one value in the first rows, and whether they are folded behind one word. */
		foldable,
		/** Those of them that are hidden. */
		folded,
		/** Whether a column with one value has none in the first rows. */
		isEmpty,
		/** The columns for a file, in order. Folded ones may have a value further down, unless the driver says that none has. */
		exported: (): readonly string[] => {
			const without = folded().filter(name => isUniform(name) && isEmpty(name))
			return chosen().filter(name => !without.includes(name))
		},
		/** Those of them that have another value further down. */
		differing: () => foldable().filter(name => options.uniform()?.differing.has(name)),
		isFolded: () => folded().length > 0,
		fold: (isFolded: boolean) => change({ folding: isFolded ? 'all' : 'none' }),

		/** A column's sort direction, and its rank among several; `undefined` if the engine cannot sort by it. */
		sorted(name: string): (Pick<Sort, 'direction'> & { readonly place: number | undefined }) | undefined {
			const column = table.getColumn(name)
			const direction = column?.getIsSorted()
			if (!column || !direction || byName().get(name)?.column.isSortable === false) return undefined
			return { direction, place: options.sort().length > 1 ? column.getSortIndex() + 1 : undefined }
		},
		/** Sorts by a column: ascending, descending, off. With `isMulti` the other columns stay. */
		toggleSort: (name: string, isMulti: boolean) =>
			sortIfPossible(name, () => table.getColumn(name)?.toggleSorting(undefined, isMulti)),
		sortBy(name: string, direction: Sort['direction'] | undefined): void {
			const column = table.getColumn(name)
			if (direction) sortIfPossible(name, () => column?.toggleSorting(direction === 'desc'))
			else column?.clearSorting()
		},
	}
}
/** Height of two more lines in a row, in pixels. */
const moreLines = 36

/** The least room that a column takes. With less, it has a width to which the rows scroll. */
const [narrowRoom, scrolledRoom] = [140, 200]
/** The room for which others give way. */
const leastRoom = 320

/** Returns the width of the row numbers in pixels, as wide as the last one. */
export const gutterWidth = (rows: number) => 18 + 7 * Math.max(3, count(rows).length)

/** Room beside the number for the arrow that unfolds a row, in pixels. */
export const arrowWidth = 14

export type GridColumns = ReturnType<typeof createGridColumns>
