import type { JSX } from 'solid-js'
import type { OpenTable } from './open-table.ts'
import { at, cellCount } from './select/selection.ts'
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
		if (isSelected()) return 'cells are selected'
		return scrolling.top() > 0 ? 'the first row is out of view' : undefined
	}
	return (
		<TimeBar
			table={props.table}
			isActive={props.isActive}
			refresh={
				<RefreshChoice
					busyWith={busyWith}
					isSilent={() => !props.isActive || document.hidden || isEditing() || rows.isOpening()}
					isAway={() => isSelected() || scrolling.top() > 0}
					toFirstRow={() => {
						place.setSelection(at({ row: 0, column: place.selection().focus.column }))
						scrolling.scrollTo(0)
					}}
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
