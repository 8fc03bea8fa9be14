import { createMemo, createSignal } from 'solid-js'
import type { Column, Row, Sort, Table } from '../../host/api/api.ts'
import { createGridColumns } from '../grid/columns/grid-columns.ts'
import { uniqueNames } from '../grid/columns/unique-names.ts'
import { createMemoryRows } from '../grid/memory-rows.ts'
import { createGridModel } from '../grid/model.ts'
import type { PreferenceStore } from '../state/preferences.ts'
import { columnsOf, type Line, linesOf, nameColumn } from './table-rows.ts'

export type TablesModel = ReturnType<typeof createTablesModel>

/** The width of the boxes that choose lines, in pixels. */
const gutter = 34

/** The tables of a connection as lines of a grid: grouped and sorted in memory. */
export function createTablesModel(options: {
	/** Preferences of this list begin with it. */
	readonly key: string
	readonly preferences: PreferenceStore
	/** Words for a table and for its rows. */
	readonly tableNoun: { readonly one: string; readonly many: string }
	readonly rows: string
	tables(): readonly Table[]
	/** Those that the search finds. */
	fitting(): readonly Table[]
	isGrouped(): boolean
}) {
	const { key, preferences } = options
	const [opened, setOpened] = createSignal<ReadonlySet<string>>(new Set())
	const [sort, setSort] = createSignal<readonly Sort[]>([{ column: nameColumn.title, direction: 'asc' }])
	const listed = createMemo(() => [
		nameColumn,
		...columnsOf(options.tables(), { rows: options.rows, table: options.tableNoun.one.toLowerCase() }),
	])
	const names = createMemo(() => uniqueNames(listed().map(({ title }) => title)))
	const lines = createMemo(() =>
		linesOf(
			options.fitting(),
			{
				isGrouped: options.isGrouped(),
				sort: sort()
					.map(({ column, direction }) => ({ column: names().indexOf(column), direction }))
					.filter(({ column }) => column >= 0),
				isOpen: name => opened().has(name),
			},
			listed(),
		),
	)
	/** The longest text of each column, for its first width. A name may stand in a group. */
	function widest(): readonly Row[] {
		const tables = options.tables()
		if (tables.length === 0) return []
		const cells = listed().map(({ text }, at) => {
			const longest = tables.reduce((longest, table) => {
				const shown = text(table)
				return shown.length > longest.length ? shown : longest
			}, '')
			return at === 0 ? indent + longest : longest
		})
		return [{ id: 'widest', cells }]
	}
	const byId = createMemo(() => new Map(lines().map(line => [line.id, line])))
	const lineOf = (row: { readonly id: string } | undefined): Line | undefined => byId().get(row?.id ?? '')
	const columns = createGridColumns({
		store: {
			get: () => preferences.get(`${key}/columns`) ?? { pinned: [nameColumn.title] },
			set: layout => preferences.set(`${key}/columns`, layout),
		},
		columns: () =>
			listed().map(
				({ isNumber }, at): Column => ({
					name: names()[at] ?? '',
					type: '',
					kind: isNumber ? 'number' : 'text',
					isKey: false,
					isReadOnly: true,
					isSortable: true,
				}),
			),
		titleOf: name => listed()[names().indexOf(name)]?.title ?? name,
		uniform: () => undefined,
		rows: widest,
		gutter: () => gutter,
		sort,
		onSort: setSort,
		onUnsortable: () => {},
	})
	const grid = createGridModel({
		source: createMemoryRows(lines, (row, { index }) => {
			const line = lineOf(row)
			// What the view of a name has before and after it counts for the width that fits.
			if (index === 0 && line?.kind === 'group') return `${indent}${line.name}  ${line.tables.length}`
			if (line?.kind !== 'table') return undefined
			const text = listed()[index]?.text(line.table)
			return index === 0 && line.isInner ? `${indent}${text}` : text
		}),
		columns,
		nouns: { row: options.tableNoun, column: { one: 'column', many: 'columns' } },
	})
	return {
		grid,
		lines,
		lineOf,
		/** The column of the page at a place of the grid. */
		columnAt: (index: number) => listed()[index],
		toggle(group: string): void {
			const next = new Set(opened())
			if (!next.delete(group)) next.add(group)
			setOpened(next)
		},
	}
}

const indent = '    '
