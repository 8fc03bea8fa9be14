import { type Accessor, createEffect, createMemo, createSignal } from 'solid-js'
import type { Column, Sort } from '../../../host/ui-server/api.ts'
import type { PreferenceStore } from '../../state/preferences.ts'
import type { ColumnPlace } from '../rows/column-place.ts'
import { indexAt, movedBefore, ordered } from './column-order.ts'
import { type Layout, layoutOf, of, toStore, untouched } from './layout.ts'

const [narrowest, widest] = [60, 1200]

/** Wide enough for a timestamp in milliseconds and the largest whole numbers. */
const widths: Readonly<Record<Column['kind'], number>> = {
	text: 200,
	number: 180,
	boolean: 90,
	date: 200,
	json: 260,
	binary: 160,
	other: 160,
}

/** Wide enough for the name and its type, and for what such values usually need. */
function widthOf({ name, type, kind, isKey, isReadOnly }: Column): number {
	if (isKey) return 160
	return Math.max(widths[kind] * (isReadOnly ? 0.65 : 1), Math.min(40 + 7 * (name.length + type.length), 320))
}

/** The columns of one table as they are shown: which, in what order, how wide, sorted how. Kept for the next time. */
export function createGridColumns(options: {
	readonly preferences: PreferenceStore
	/** Where the table's layout is kept. */
	readonly key: string
	readonly columns: Accessor<readonly Column[]>
	/** Those that said the same in every row so far. */
	readonly uniform: Accessor<{ has(name: string): boolean } | undefined>
	/** How wide the rows' numbers stand, left of all columns. */
	readonly gutter: Accessor<number>
	readonly sort: Accessor<readonly Sort[]>
	onSort(sort: readonly Sort[]): void
}) {
	const [layout, setLayout] = createSignal<Layout>(layoutOf(options.preferences.get(options.key)))
	createEffect(() => options.preferences.set(options.key, toStore(layout())))
	const change = (part: Partial<Layout>) => setLayout(before => ({ ...before, ...part }))

	const byName = createMemo(() => new Map(options.columns().map((column, index) => [column.name, { column, index }])))
	/** As they came first: the documents of another filter may have another order, and columns do not jump for that. */
	const natural = createMemo<readonly string[]>(
		before =>
			ordered(
				options.columns().map(({ name }) => name),
				before,
			),
		[],
	)
	const all = createMemo(() => ordered(natural(), layout().order))
	const hidden = createMemo(() => new Set(layout().hidden))
	const isPinned = (name: string) => of(layout().pins, name) ?? byName().get(name)?.column.isKey ?? false
	const chosen = createMemo(() => all().filter(name => !hidden().has(name)))
	/** A sort or a pin says that the person looks at the column. */
	const foldable = createMemo(() =>
		chosen().filter(
			name => options.uniform()?.has(name) && !isPinned(name) && !options.sort().some(({ column }) => column === name),
		),
	)
	const shown = createMemo(() => {
		const folded = new Set(layout().isUnfolded ? [] : foldable())
		const unfolded = chosen().filter(name => !folded.has(name))
		return [...unfolded.filter(isPinned), ...unfolded.filter(name => !isPinned(name))]
	})
	const pinnedCount = createMemo(() => shown().filter(isPinned).length)
	const widthOfName = (name: string) => {
		const found = byName().get(name)
		return of(layout().widths, name) ?? (found ? widthOf(found.column) : narrowest)
	}
	const edges = createMemo(() => {
		let x = options.gutter()
		const lefts = shown().map(name => {
			const left = x
			x += widthOfName(name)
			return left
		})
		return { lefts, end: x }
	})
	const resize = (wanted: Readonly<Record<string, number>>) => {
		const fitting = Object.entries(wanted).map(([name, width]) => [
			name,
			Math.round(Math.max(narrowest, Math.min(width, widest))),
		])
		change({ widths: { ...layout().widths, ...Object.fromEntries(fitting) } })
	}

	return {
		/** How many are shown. */
		count: () => shown().length,
		/** Every column, in order. */
		all,
		isShown: (name: string) => !hidden().has(name),
		show(names: readonly string[], isShown: boolean): void {
			const changed = new Set(names)
			const others = layout().hidden.filter(name => !changed.has(name))
			change({ hidden: isShown ? others : [...others, ...names] })
		},
		/** All columns, as they came. */
		reset: () => setLayout(untouched),
		/** The columns that the person did not hide, in order: the shown ones, and those that are folded. */
		names: chosen,
		width: (index: number) => widthOfName(shown()[index] ?? ''),
		resize: (name: string, width: number) => resize({ [name]: width }),
		/** Makes columns as wide as `measure` has their contents. */
		fit(names: readonly string[], measure: (at: ColumnPlace) => number): void {
			const places = names.map(name => byName().get(name)).filter(place => place !== undefined)
			resize(Object.fromEntries(places.map(place => [place.column.name, measure(place)])))
		},
		/** The shown column at a place, with its index in the rows' cells. */
		at: (index: number): ColumnPlace | undefined => byName().get(shown()[index] ?? ''),
		/** Where a column is shown; -1 where it is not. */
		indexOf: (name: string) => shown().indexOf(name),
		/** Left edges, in pixels. */
		lefts: () => edges().lefts,
		/** The width of all, with the rows' numbers. */
		totalWidth: () => edges().end,
		gutter: options.gutter,
		/** The column at so many pixels; -1 where the rows' numbers stand. */
		indexAt: (x: number) => indexAt(edges().lefts, x),

		pinnedCount,
		/** How much of the view the pinned columns and the rows' numbers take. */
		pinnedWidth: () => edges().lefts[pinnedCount()] ?? edges().end,
		isPinned,
		pin: (name: string, isPinned: boolean) => change({ pins: { ...layout().pins, [name]: isPinned } }),
		/** Puts a column so many places to the right among those that are shown, or to the left. */
		move(name: string, by: number): void {
			const index = shown().indexOf(name)
			const among = isPinned(name) ? [0, pinnedCount()] : [pinnedCount(), shown().length]
			const [first = 0, end = 0] = among
			const target = Math.max(first, Math.min(index + by, end - 1))
			if (index < 0 || target === index) return
			const other = by < 0 ? shown()[target] : shown()[target + 1]
			change({ order: movedBefore(all(), name, other) })
		},

		/** Columns that say the same in every row, and whether they stand behind one word. */
		foldable,
		isFolded: () => foldable().length > 0 && !layout().isUnfolded,
		fold: (isFolded: boolean) => change({ isUnfolded: !isFolded }),

		/** How a column is sorted, and as which of several. */
		sorted(name: string): (Pick<Sort, 'direction'> & { readonly place: number | undefined }) | undefined {
			const sorts = options.sort()
			const index = sorts.findIndex(sort => sort.column === name)
			const sort = sorts[index]
			return sort && { direction: sort.direction, place: sorts.length > 1 ? index + 1 : undefined }
		},
		/** Sorts by a column: up, down, not at all. With `isMulti` the other columns stay. */
		toggleSort(name: string, isMulti: boolean): void {
			const sorts = options.sort()
			const before = sorts.find(sort => sort.column === name)?.direction
			const direction: Sort['direction'] | undefined =
				before === undefined ? 'asc' : before === 'asc' ? 'desc' : undefined
			const sort: Sort | undefined = direction && { column: name, direction }
			if (!isMulti) return options.onSort(sort ? [sort] : [])
			if (!before) return options.onSort(sort ? [...sorts, sort] : sorts)
			options.onSort(sorts.flatMap(other => (other.column === name ? (sort ?? []) : other)))
		},
		sortBy: (name: string, direction: Sort['direction'] | undefined) =>
			options.onSort(
				direction ? [{ column: name, direction }] : options.sort().filter(({ column }) => column !== name),
			),
	}
}
export type GridColumns = ReturnType<typeof createGridColumns>

/** Where a column stands; out of sight while there is none. */
export function columnStyle(columns: GridColumns, index: number) {
	return { left: `${columns.lefts()[index] ?? -9999}px`, width: `${columns.width(index)}px` }
}
