import Pause from 'lucide-solid/icons/pause'
import Play from 'lucide-solid/icons/play'
import { For, type JSX, Show } from 'solid-js'
import { IconButton } from '../../controls/icon-button.tsx'
import type { OpenTable } from '../open-table.ts'
import { at, cellCount } from '../select/selection.ts'
import { createAutoRefresh, refreshIntervals } from './auto-refresh.ts'

/** The automatic refresh of a table. It waits while the user works with rows, so that none of them moves. */
export function RefreshChoice(props: {
	readonly table: OpenTable
	readonly isActive: boolean
	readonly isRowOpen: boolean
}): JSX.Element {
	const { table } = props
	const isAway = () => isSelected(table) || table.scrolling.top() > 0
	const refresh = createAutoRefresh({
		busyWith() {
			if (table.edits.count() > 0) return 'changes are staged'
			if (props.isRowOpen) return 'a row is open'
			if (isSelected(table)) return 'cells are selected'
			return table.scrolling.top() > 0 ? 'the first row is out of view' : undefined
		},
		isSilent: () => !props.isActive || document.hidden || isEditing() || table.rows.isOpening(),
		refresh: table.reload,
	})
	/** Resumes from the first row, if the user is elsewhere. */
	function resume(): void {
		refresh.setPaused(false)
		if (!isAway()) return
		table.place.setSelection(at({ row: 0, column: table.place.selection().focus.column }))
		table.scrolling.scrollTo(0)
	}
	return (
		<>
			<Show when={refresh.waitsFor()}>
				{reason => (
					<span class="quiet" role="status">
						Paused: {reason()}
					</span>
				)}
			</Show>
			<Show when={refresh.seconds() > 0}>
				<Show
					when={refresh.isPaused() || (refresh.waitsFor() !== undefined && isAway())}
					fallback={
						<IconButton label="Pause the refresh" isSmall onClick={() => refresh.setPaused(true)}>
							<Pause size={13} />
						</IconButton>
					}
				>
					<IconButton label={isAway() ? 'Refresh from the first row' : 'Resume the refresh'} isSmall onClick={resume}>
						<Play size={13} />
					</IconButton>
				</Show>
			</Show>
			<select
				aria-label="Automatic refresh"
				classList={{ 'is-set': refresh.seconds() > 0 }}
				onChange={event => refresh.choose(Number(event.currentTarget.value))}
			>
				<For each={refreshIntervals}>
					{([seconds, label]) => (
						<option value={seconds} selected={seconds === refresh.seconds()}>
							{label}
						</option>
					)}
				</For>
			</select>
		</>
	)
}

/** Every grid has a focused cell. The one in the first row is where a table opens, and counts as none. */
function isSelected({ place }: OpenTable): boolean {
	return cellCount(place.rectangle()) > 1 || place.selection().focus.row > 0
}

/** Returns whether the user types into a cell, a dialog or an editor. */
function isEditing(): boolean {
	const focused = document.activeElement
	return focused?.matches('.grid :is(input, textarea, select), [role="dialog"] *, [contenteditable="true"]') ?? false
}
