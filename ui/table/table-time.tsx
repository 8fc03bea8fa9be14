import type { JSX } from 'solid-js'
import { cellCount } from '../cells/selection.ts'
import type { OpenTable } from './open-table.ts'
import { filterBy } from './table-filters.tsx'
import { LiveButton } from './time-bar/live-button.tsx'
import { createLiveTail } from './time-bar/live-tail.ts'
import { TimeBar } from './time-bar/time-bar.tsx'

/** The time bar of an open table, with a live tail that moves no row that the user works with. */
export function TableTime(props: {
	readonly table: OpenTable
	readonly isActive: boolean
	/** Whether the tab is in view. */
	readonly isShown: boolean
	/** Whether a row is shown beside the grid. */
	readonly isRowOpen: boolean
}): JSX.Element {
	const { edits, place, scrolling } = props.table
	function busyWith(): string | undefined {
		if (edits.count() > 0) return 'changes are staged'
		if (cellCount(place.rectangle()) > 1) return 'cells are selected'
		// The row that is open beside the grid stays there, and the selection follows it.
		if (!props.isRowOpen && (props.table.isFollowing() || place.selection().focus.row > 0)) return 'a cell is selected'
		if (scrolling.block() !== undefined) return 'a row is unfolded'
		if (scrolling.top() > 0) return 'the first row is out of view'
		return isEditing() ? 'you type' : undefined
	}
	const live = createLiveTail({
		table: props.table,
		isShown: () => props.isShown,
		busyWith,
		toTop: props.table.toTop,
		// After the space for all rows has its new height.
		onMoved: by => queueMicrotask(() => scrolling.scrollTo(scrolling.top() + by * scrolling.rowHeight())),
		kept: props.table.live,
	})
	return (
		<TimeBar
			table={props.table}
			isActive={props.isActive}
			onPart={(column, cell) => filterBy(props.table, { column, cell, use: 'for' })}
			live={<LiveButton live={live} isActive={props.isActive} />}
		/>
	)
}

/** Returns whether the user types into a cell, a dialog or an editor. */
function isEditing(): boolean {
	const focused = document.activeElement
	return focused?.matches('.grid :is(input, textarea, select), [role="dialog"] *, [contenteditable="true"]') ?? false
}
