import { createMemo, type JSX } from 'solid-js'
import type { Row } from '../../../host/api/api.ts'
import { shownCell } from '../columns/shown-cell.ts'
import type { GridFeature } from '../feature.ts'
import { isFound } from '../find/find-cells.ts'
import type { GridModel } from '../model.ts'
import { markOf } from './marks.ts'

/** The id of the focused cell, for `aria-activedescendant`. */
export const cellId = (row: number, column: number) => `cell-${row}-${column}`

/** A recycled cell. Its column changes while the user scrolls, and only changed attributes are written to the DOM. */
export function GridCell(props: {
	readonly rowIndex: number
	/** Index of the column among the visible columns. */
	readonly column: number
	readonly row: Row | undefined
	readonly grid: GridModel
	readonly features: readonly GridFeature[]
	readonly isCurrent: boolean
	readonly isActive: boolean
	readonly isSelected: boolean
	/** Stays at the left edge. */
	readonly isPinned?: boolean
}): JSX.Element {
	const { source, columns, find, scrolling } = props.grid
	const at = createMemo(() => columns.at(props.column))
	const shown = createMemo(() => {
		const place = at()
		return place && props.row && shownCell(source, props.row, place)
	})
	const marking = props.features.filter(feature => feature.cellMark)
	const View = props.features.find(feature => feature.CellView)?.CellView
	const text = () => shown()?.text ?? ''
	const mark = createMemo(() => {
		const [place, { row }] = [at(), props]
		return place && row && markOf(marking, feature => feature.cellMark?.(row, place))
	})
	return (
		<div
			class="grid-cell"
			// Use only `classList`, because an update of `class` would remove the classes that `classList` set.
			classList={{
				[`look-${shown()?.look ?? 'missing'}`]: true,
				'of-numbers': at()?.column.kind === 'number',
				pinned: props.isPinned ?? false,
				wrapped: columns.isTall() && at()?.column.name === columns.wrapping(),
				selected: props.isSelected,
				found: isFound(text(), find.searchText()),
				current: props.isCurrent,
				...mark()?.classList,
			}}
			role="gridcell"
			id={props.isCurrent && props.isActive ? cellId(props.rowIndex, props.column) : undefined}
			aria-colindex={props.column + 1}
			aria-selected={props.isCurrent || props.isSelected}
			aria-readonly={mark()?.isReadOnly === true}
			aria-invalid={mark()?.isInvalid === true}
			title={mark()?.title}
			data-column={props.column}
			style={scrolling.columnStyle(props.column)}
		>
			{View ? <View row={props.row} place={at()} text={text()} /> : text()}
		</div>
	)
}
