import { createMemo, Index, type JSX } from 'solid-js'
import type { Row } from '../../../host/ui-server/api.ts'
import { cellOf, cellText } from '../../cells/cell-text.ts'
import { columnStyle, type GridColumns } from '../columns/grid-columns.ts'
import type { Edits } from '../edit/edits.ts'

export const rowHeight = 28

/** The id of the cell in focus, for `aria-activedescendant`. */
export const cellId = (row: number, column: number) => `cell-${row}-${column}`

/** One pooled row: its index changes as the grid scrolls, and only what differs is written. */
export function GridRow(props: {
	readonly index: number
	/** `undefined` while it is on its way. */
	readonly row: Row | undefined
	/** `false` for a slot beyond the last row. */
	readonly isInTable: boolean
	readonly columns: GridColumns
	readonly slots: readonly number[]
	readonly edits: Edits
	/** The column in focus, when it is in this row. */
	readonly currentColumn: number | undefined
	/** The first and last selected column, when more than one cell is selected. */
	readonly selected: readonly [first: number, last: number] | undefined
}): JSX.Element {
	const staged = createMemo(() => props.row && props.edits.get(props.row.id))
	const fault = () => props.row && props.edits.faultOf(props.row.id)?.message
	return (
		<div
			class="grid-row"
			classList={{
				current: props.currentColumn !== undefined,
				deleted: staged()?.isDeleted ?? false,
				faulty: fault() !== undefined,
				waiting: props.row === undefined,
			}}
			role="row"
			aria-rowindex={props.index + 2}
			title={fault()}
			data-row={props.index}
			style={{
				transform: `translateY(${props.index * rowHeight}px)`,
				display: props.isInTable ? '' : 'none',
			}}
		>
			<Index each={props.slots}>
				{column => {
					const at = () => props.columns.at(column())
					const change = () => {
						const name = at()?.column.name
						return name === undefined ? undefined : staged()?.cells.get(name)
					}
					const shown = createMemo(() => {
						const index = at()?.index
						if (index === undefined || !props.row) return undefined
						const staged = change()
						// A staged null is a value: `??` would show what was there before.
						return cellText(staged ? staged.after : cellOf(props.row, index))
					})
					const isCurrent = () => column() === props.currentColumn
					const isSelected = () =>
						props.selected !== undefined && column() >= props.selected[0] && column() <= props.selected[1]
					return (
						<div
							class={`grid-cell look-${shown()?.look ?? 'missing'}`}
							classList={{ current: isCurrent(), selected: isSelected(), staged: change() !== undefined }}
							role="gridcell"
							id={isCurrent() ? cellId(props.index, column()) : undefined}
							aria-colindex={column() + 1}
							aria-selected={isCurrent() || isSelected()}
							aria-readonly={at()?.column.isReadOnly}
							data-column={column()}
							style={columnStyle(props.columns, column())}
						>
							{shown()?.text ?? ''}
						</div>
					)
				}}
			</Index>
		</div>
	)
}
