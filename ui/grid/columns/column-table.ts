import {
	type ColumnDef,
	columnOrderingFeature,
	columnPinningFeature,
	columnSizingFeature,
	columnVisibilityFeature,
	createTable,
	rowSortingFeature,
	tableFeatures,
	type Updater,
} from '@tanstack/solid-table'
import { type Accessor, createMemo } from 'solid-js'
import type { Column, Sort } from '../../../host/api/api.ts'
import { ordered } from './column-order.ts'
import { initialWidth, narrowWidth } from './initial-width.ts'
import type { FirstColumns, Layout } from './layout.ts'

const features = tableFeatures({
	columnOrderingFeature,
	columnPinningFeature,
	columnSizingFeature,
	columnVisibilityFeature,
	rowSortingFeature,
})
/** The table holds columns only: rows come in pages and are drawn from a pool (grid/rows, grid/view). */
type NoRow = Record<string, never>

const [narrowest, widest] = [48, 1200]

function definitionOf(
	column: Column,
	{ length, note }: { readonly length: number | undefined; readonly note: string | undefined },
	isNarrow: boolean,
): ColumnDef<typeof features, NoRow> {
	return {
		id: column.name,
		// Not `accessorKey`, because TanStack Table reads a name with dots as a path. The table has no rows, so no value
		// is read.
		accessorFn: () => undefined,
		size: isNarrow ? narrowWidth(column, length, note) : initialWidth(column, length),
		minSize: narrowest,
		maxSize: widest,
		// Users look for the newest rows first.
		sortDescFirst: column.kind === 'date',
	}
}

/** A column that shows a part of its values: the time of a date, for example. */
export interface ShortColumn {
	readonly name: string
	/** Characters of the longest part. */
	readonly length: number
	/** The word behind its name. */
	readonly note: string
}

export interface ColumnTableOptions {
	/** In their initial order. */
	readonly columns: Accessor<readonly Column[]>
	/** The characters of their longest texts, as far as known. */
	readonly lengths: Accessor<ReadonlyMap<string, number>>
	readonly layout: Accessor<Layout>
	/** The column whose texts are shorter than its values. */
	readonly short: Accessor<ShortColumn | undefined>
	/** Other columns are hidden until the user shows them. */
	readonly first: Accessor<FirstColumns | undefined>
	onLayout(change: Partial<Layout>): void
	readonly sort: Accessor<readonly Sort[]>
	onSort(sort: readonly Sort[]): void
}

/**
 * A TanStack Table of one grid's columns: order, visibility, pinning, size, and sorting by several columns. Its state
 * is the stored layout and the query's sort; the engine does the sorting.
 */
export function createColumnTable(options: ColumnTableOptions) {
	const { columns, lengths, short, layout, first, onLayout, sort, onSort } = options
	const isFirst = createMemo(() => new Set(first()?.names))
	const definitions = createMemo(() =>
		columns().map(column => {
			const shown = short()?.name === column.name ? short() : undefined
			const { length = lengths().get(column.name), note } = shown ?? {}
			return definitionOf(column, { length, note }, isFirst().has(column.name))
		}),
	)
	const names = createMemo(() => {
		const all = columns().map(({ name }) => name)
		const known = new Set(all)
		const begin = (first()?.names ?? []).filter(name => known.has(name))
		return [...begin, ...all.filter(name => !isFirst().has(name))]
	})
	const visibility = createMemo(() => ({
		...(first() && Object.fromEntries(names().map(name => [name, isFirst().has(name)]))),
		...layout().visibility,
	}))
	const order = createMemo(() => [...ordered(names(), layout().order)])
	const pinned = createMemo(() => {
		const chosen = layout().pinned
		const isPinned = new Set(chosen ?? columns().flatMap(({ name, isKey }) => (isKey && !first() ? [name] : [])))
		return order().filter(name => isPinned.has(name))
	})
	const sorting = () => sort().map(({ column, direction }) => ({ id: column, desc: direction === 'desc' }))
	const resolve = <T>(updater: Updater<T>, before: T): T => (updater instanceof Function ? updater(before) : updater)
	return createTable<typeof features, NoRow>({
		features,
		data: [],
		get columns() {
			return definitions()
		},
		get state() {
			return {
				columnOrder: order(),
				columnVisibility: visibility(),
				columnSizing: { ...layout().sizing },
				columnPinning: { start: pinned(), end: [] },
				sorting: sorting(),
			}
		},
		manualSorting: true,
		onColumnOrderChange: updater => onLayout({ order: resolve(updater, order()) }),
		onColumnVisibilityChange: updater => onLayout({ visibility: resolve(updater, { ...layout().visibility }) }),
		onColumnSizingChange: updater => onLayout({ sizing: resolve(updater, { ...layout().sizing }) }),
		onColumnPinningChange: updater => onLayout({ pinned: resolve(updater, { start: pinned(), end: [] }).start }),
		onSortingChange: updater =>
			onSort(resolve(updater, sorting()).map(({ id, desc }) => ({ column: id, direction: desc ? 'desc' : 'asc' }))),
	})
}
