import type { JSX } from 'solid-js'
import { cellCount } from '../cells/selection.ts'
import type { OpenTable } from './open-table.ts'
import { filterBy } from './table-filters.tsx'
import { RefreshChoice } from './time-bar/refresh-choice.tsx'
import { TimeBar } from './time-bar/time-bar.tsx'

/** The time bar of an open table, whose refresh waits while the user works with rows. */
export function TableTime(props: {
	readonly table: OpenTable
	readonly isActive: boolean
	/** Whether a row is shown beside the grid. */
	readonly isRowOpen: boolean
}): JSX.Element {
	const { edits, place, rows, scrolling } = props.table
	/** Every grid has a focused cell. The one in the first row is where a table opens, and counts as none. */
	const isSelected = () => cellCount(place.rectangle()) > 1 || place.selection().focus.row > 0
	function busyWith(): string | undefined {
		if (edits.count() > 0) return 'changes are staged'
		if (props.isRowOpen) return 'a row is open'
		if (isSelected()) return cellCount(place.rectangle()) > 1 ? 'cells are selected' : 'a cell is selected'
		return scrolling.top() > 0 ? 'the first row is out of view' : undefined
	}
	return (
		<TimeBar
			table={props.table}
			isActive={props.isActive}
			onPart={(column, cell) => filterBy(props.table, { column, cell, use: 'for' })}
			refresh={
				<RefreshChoice
					busyWith={busyWith}
					isSilent={() => !props.isActive || document.hidden || isEditing() || rows.isOpening()}
					isAway={() => isSelected() || scrolling.top() > 0}
					toFirstRow={props.table.toTop}
					refresh={props.table.reload}
				/>
			}
		/>
	)
}

/** Returns whether the user types into a cell, a dialog or an editor. */
function isEditing(): boolean {
	const focused = document.activeElement
	return focused?.matches('.grid :is(input, textarea, select), [role="dialog"] *, [contenteditable="true"]') ?? false
}
