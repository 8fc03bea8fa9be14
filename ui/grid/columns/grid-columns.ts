import {
	columnResizingFeature,
	columnSizingFeature,
	columnVisibilityFeature,
	createColumnHelper,
	createTable,
	rowSortingFeature,
	tableFeatures,
} from '@tanstack/solid-table'
import { type Accessor, createEffect, createMemo } from 'solid-js'
import type { Column, Row, Sort } from '../../../host/ui-server/api.ts'
import type { PreferenceStore } from '../../state/preferences.ts'

/**
 * TanStack Table holds the columns and their state and no rows: rows come straight from the pages, which is many times
 * faster to show (docs/performance.md).
 */

const features = tableFeatures({
	columnVisibilityFeature,
	columnSizingFeature,
	columnResizingFeature,
	rowSortingFeature,
})
const helper = createColumnHelper<typeof features, Row>()

const widths: Readonly<Record<Column['kind'], number>> = {
	text: 200,
	number: 120,
	boolean: 90,
	date: 190,
	json: 260,
	binary: 160,
	other: 160,
}

/** Wide enough for the name and its type, and for what such values usually need. */
function widthOf({ name, type, kind, isKey, isReadOnly }: Column): number {
	if (isKey) return 160
	return Math.max(widths[kind] * (isReadOnly ? 0.65 : 1), Math.min(40 + 7 * (name.length + type.length), 320))
}

export function createGridColumns(options: {
	readonly preferences: PreferenceStore
	/** Where the table's layout is kept. */
	readonly key: string
	readonly columns: Accessor<readonly Column[]>
	readonly sort: Accessor<readonly Sort[]>
	onSort(sort: readonly Sort[]): void
}) {
	const stored = layoutOf(options.preferences.get(options.key))
	const definitions = createMemo(() =>
		helper.columns(
			options.columns().map(column =>
				helper.display({
					id: column.name,
					size: widthOf(column),
					minSize: 60,
					maxSize: 1200,
					enableSorting: true,
				}),
			),
		),
	)
	const sorting = () => options.sort().map(({ column, direction }) => ({ id: column, desc: direction === 'desc' }))
	const table = createTable<typeof features, Row>({
		features,
		get columns() {
			return definitions()
		},
		data: [],
		manualSorting: true,
		enableSortingRemoval: true,
		sortDescFirst: false,
		columnResizeMode: 'onChange',
		initialState: {
			columnSizing: stored.widths,
			columnVisibility: Object.fromEntries(stored.hidden.map(name => [name, false])),
		},
		state: {
			get sorting() {
				return sorting()
			},
		},
		onSortingChange: update => {
			const after = typeof update === 'function' ? update(sorting()) : update
			options.onSort(after.map(({ id, desc }) => ({ column: id, direction: desc ? 'desc' : 'asc' })))
		},
	})
	const visible = createMemo(() => table.getVisibleLeafColumns())
	const byName = createMemo(() => new Map(options.columns().map((column, index) => [column.name, { column, index }])))
	const headers = createMemo(() => new Map(table.getLeafHeaders().map(header => [header.column.id, header])))
	createEffect(() => {
		const hidden = Object.entries(table.atoms.columnVisibility.get()).flatMap(([name, isShown]) =>
			isShown ? [] : [name],
		)
		options.preferences.set(options.key, { widths: table.atoms.columnSizing.get(), hidden })
	})

	return {
		count: () => visible().length,
		/** Every column, in order. */
		all: () => options.columns().map(column => column.name),
		isShown: (name: string) => table.atoms.columnVisibility.get()[name] !== false,
		show(names: readonly string[], isShown: boolean): void {
			const changed = Object.fromEntries(names.map(name => [name, isShown]))
			table.setColumnVisibility(visibility => ({ ...visibility, ...changed }))
		},
		/** All columns, as wide as they came. */
		reset(): void {
			table.setColumnVisibility({})
			table.setColumnSizing({})
		},
		/** The shown columns, in order. */
		names: () => visible().map(column => column.id),
		width: (index: number) => visible()[index]?.getSize() ?? 0,
		/** The shown column at a place, with its index in the rows' cells. */
		at(index: number) {
			const name = visible()[index]?.id
			return name === undefined ? undefined : byName().get(name)
		},
		/** Left edges, in pixels. */
		lefts: createMemo(() => {
			let x = 0
			return visible().map(column => {
				const left = x
				x += column.getSize()
				return left
			})
		}),
		/** Changes when a width or a visibility does. */
		layout: () => [table.atoms.columnSizing.get(), table.atoms.columnVisibility.get()],
		sorted: (name: string) => options.sort().find(sort => sort.column === name)?.direction,
		toggleSort: (name: string, isMulti: boolean) => table.getColumn(name)?.toggleSorting(undefined, isMulti),
		resizeHandler: (name: string) => headers().get(name)?.getResizeHandler(),
	}
}
export type GridColumns = ReturnType<typeof createGridColumns>

/** Where a column stands; out of sight while there is none. */
export function columnStyle(columns: GridColumns, index: number) {
	return { left: `${columns.lefts()[index] ?? -9999}px`, width: `${columns.width(index)}px` }
}

interface Layout {
	readonly widths: Record<string, number>
	readonly hidden: readonly string[]
}

/** How the person left the columns, whatever else the preference holds. */
function layoutOf(stored: unknown): Layout {
	const { widths, hidden } = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
	const entries = typeof widths === 'object' && widths !== null ? Object.entries(widths) : []
	return {
		widths: Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number')),
		hidden: Array.isArray(hidden) ? hidden.filter(name => typeof name === 'string') : [],
	}
}
