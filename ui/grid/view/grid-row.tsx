import { createMemo, Index, type JSX } from 'solid-js'
import type { CellSelection, Rectangle } from '../../cells/selection.ts'
import { rowHeight } from '../../state/appearance.ts'
import { count } from '../../words/format.ts'
import type { GridColumns } from '../columns/grid-columns.ts'
import type { Edits } from '../edit/edits.ts'
import { notSent } from '../edit/staged.ts'
import type { Sheet } from '../sheet/sheet.ts'
import { GridCell } from './grid-cell.tsx'
import type { Scrolling } from './scrolling.ts'

/** A pooled row: its index changes while scrolling, and only differences are written. */
export function GridRow(props: {
	readonly index: number
	readonly sheet: Sheet
	readonly columns: GridColumns
	readonly scrolling: Scrolling
	readonly edits: Edits
	/** Its current cell has an id: two visible grids have one such cell. */
	readonly isActive: boolean
	/** The search text in lower case, or an empty string. */
	readonly searchText: string
	readonly selection: CellSelection
	/** The selection, if it is more than one cell. */
	readonly selected: Rectangle | undefined
}): JSX.Element {
	/** A slot may be beyond the last row. */
	const isInTable = () => props.index < props.sheet.count()
	const isNew = () => props.index < props.sheet.insertedCount()
	const row = createMemo(() => (isInTable() ? props.sheet.at(props.index) : undefined))
	const staged = () => {
		const shown = row()
		return shown && props.edits.get(shown.id)
	}
	const fault = () => {
		const shown = row()
		return shown && props.edits.faultOf(shown.id)
	}
	const currentColumn = createMemo(() => {
		const { focus } = props.selection
		return focus.row === props.index ? focus.column : undefined
	})
	/** The first and the last selected column. */
	const span = createMemo(
		() => {
			const { selected } = props
			return selected && props.index >= selected.top && props.index <= selected.bottom
				? ([selected.left, selected.right] as const)
				: undefined
		},
		undefined,
		{ equals: (a, b) => a?.[0] === b?.[0] && a?.[1] === b?.[1] },
	)
	const isSelected = (column: number) => {
		const columns = span()
		return columns !== undefined && column >= columns[0] && column <= columns[1]
	}
	const Cell = (cell: { readonly column: number; readonly isPinned?: boolean }) => (
		<GridCell
			rowIndex={props.index}
			column={cell.column}
			row={row()}
			sheet={props.sheet}
			columns={props.columns}
			edits={props.edits}
			isCurrent={cell.column === currentColumn()}
			isActive={props.isActive}
			searchText={props.searchText}
			isSelected={isSelected(cell.column)}
			isPinned={cell.isPinned ?? false}
		/>
	)
	return (
		<div
			class="grid-row"
			classList={{
				current: currentColumn() !== undefined,
				new: isNew(),
				changed: (staged()?.cells.size ?? 0) > 0,
				deleted: staged()?.isDeleted ?? false,
				faulty: fault() !== undefined && fault() !== notSent,
				waiting: isInTable() && row() === undefined,
			}}
			role="row"
			aria-rowindex={props.index + 2}
			title={fault()?.message}
			data-row={props.index}
			style={{
				transform: `translateY(${props.index * rowHeight() - props.scrolling.shift()}px)`,
				display: isInTable() ? '' : 'none',
			}}
		>
			<div
				class="grid-number"
				classList={{ selected: span() !== undefined }}
				role="rowheader"
				style={{ width: `${props.columns.gutter()}px` }}
			>
				{isNew() ? 'new' : count(props.index + 1 - props.sheet.insertedCount())}
			</div>
			<Index each={props.scrolling.pinnedSlots()}>{column => <Cell column={column()} isPinned />}</Index>
			<Index each={props.scrolling.columnSlots()}>{column => <Cell column={column()} />}</Index>
		</div>
	)
}
