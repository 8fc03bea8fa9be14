import { createMemo, type JSX } from 'solid-js'
import type { Row } from '../../../host/api/api.ts'
import { columnStyle, type GridColumns } from '../columns/grid-columns.ts'
import { shownCell } from '../columns/shown-cell.ts'
import type { Edits } from '../edit/edits.ts'
import { isFound } from '../find/find-cells.ts'
import type { ColumnPlace } from '../rows/column-place.ts'
import type { Sheet } from '../sheet/sheet.ts'

/** The id of the focused cell, for `aria-activedescendant`. */
export const cellId = (row: number, column: number) => `cell-${row}-${column}`

/** A recycled cell. Its column changes while the user scrolls, and only changed attributes are written to the DOM. */
export function GridCell(props: {
	readonly rowIndex: number
	/** Index of the column among the visible columns. */
	readonly column: number
	readonly row: Row | undefined
	readonly sheet: Sheet
	readonly columns: GridColumns
	readonly edits: Edits
	readonly isCurrent: boolean
	readonly isActive: boolean
	/** The search text in lower case, or an empty string. */
	readonly searchText: string
	readonly isSelected: boolean
	/** Stays at the left edge. */
	readonly isPinned?: boolean
}): JSX.Element {
	const at = createMemo(() => props.columns.at(props.column))
	const change = () => {
		const place = at()
		return place && props.row && props.edits.get(props.row.id)?.cells.get(place.column.name)
	}
	const isRefused = () => {
		const place = at()
		return place && props.row && props.edits.faultOf(props.row.id)?.column === place.column.name
	}
	const shown = createMemo(() => {
		const place = at()
		return place && props.row && shownCell(props.sheet.cell(props.row, place), place.column)
	})
	const inRow = <T,>(ask: (row: Row, place: ColumnPlace) => T) => {
		const place = at()
		return place && props.row && ask(props.row, place)
	}
	const isReadOnly = () => inRow(props.sheet.isReadOnly)
	const readOnlyReason = () => inRow(props.sheet.readOnlyReason)
	return (
		<div
			class="grid-cell"
			// Use only `classList`, because an update of `class` would remove the classes that `classList` set.
			classList={{
				[`look-${shown()?.look ?? 'missing'}`]: true,
				pinned: props.isPinned ?? false,
				selected: props.isSelected,
				staged: change() !== undefined,
				refused: isRefused(),
				found: isFound(shown()?.text ?? '', props.searchText),
				current: props.isCurrent,
			}}
			role="gridcell"
			id={props.isCurrent && props.isActive ? cellId(props.rowIndex, props.column) : undefined}
			aria-colindex={props.column + 1}
			aria-selected={props.isCurrent || props.isSelected}
			aria-readonly={isReadOnly()}
			aria-invalid={isRefused()}
			title={readOnlyReason()}
			data-column={props.column}
			style={columnStyle(props.columns, props.column)}
		>
			{shown()?.text ?? ''}
		</div>
	)
}
