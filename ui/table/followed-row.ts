import { createEffect, createSignal } from 'solid-js'
import { at } from '../cells/selection.ts'
import type { createPlace } from '../grid/selection/place.ts'
import { type Scrolling, topOf } from '../grid/view/scrolling.ts'
import type { Sheet } from './edit/sheet.ts'
import type { Rows } from './rows/rows.ts'

/** The row that the user selected last. */
interface Held {
	/** `undefined` if the selection follows no row. */
	readonly id: string | undefined
	/** Of the row at the other end of the selection, if it was loaded. */
	readonly anchorId?: string | undefined
	/** Number of the user's selection. */
	readonly moves: number
	/** Number of the reading at which the row was there. */
	readonly reading: number
	/** Number of the page that had arrived last when the row was there. */
	readonly answer: number
}

/** The row was not there yet. */
const sought = -1

/**
 * Keeps the selection on its row when rows or a page of them are read again, which may have another number then. If the
 * row is not among the loaded ones, the cell stays where it is and counts as lost: what is typed there would change
 * another row.
 */
export function createFollowedRow({ rows, sheet, place, scrolling }: Followed) {
	const [held, setHeld] = createSignal<Held>()
	const [isLost, setLost] = createSignal(false)
	/** The reading that other rows, or another order, replace. Its rows stay in view until these arrive. */
	let left: number | undefined
	createEffect(() => {
		const { anchor, focus, span } = place.selection()
		const [moves, reading, answer] = [place.moves(), rows.reading(), rows.answers()]
		const row = sheet.at(focus.row)
		const known = held()
		// A table opens with a focused cell that the user has not selected.
		if (moves === 0 || !row) return
		const isChosen = known?.moves !== moves
		if (!isChosen && known.id === undefined) return
		// A save can give a row another id, and a new row moves the others: neither reads them again.
		if (isChosen || row.id === known.id || answer === known.answer) {
			setLost(false)
			const anchorId = isChosen ? sheet.at(anchor.row)?.id : known.anchorId
			if (isChosen || row.id !== known.id || answer !== known.answer)
				setHeld({ id: row.id, anchorId, moves, reading, answer })
			return
		}
		const found = known.reading === left ? undefined : sheet.find(known.id ?? '')
		setLost(!found)
		if (!found) return
		const other = known.anchorId === undefined ? undefined : sheet.find(known.anchorId)
		const next = { row: found.index, column: focus.column }
		setHeld({ ...known, moves: moves + 1, reading, answer })
		// A sought row is shown, unless the user left the rows around it.
		if (known.reading === sought && scrolling.hasRow(focus.row))
			scrolling.scrollTo(topOf(next.row, scrolling.rowHeight()))
		place.setSelection(
			other ? { anchor: { row: other.index, column: anchor.column }, focus: next, ...(span && { span }) } : at(next),
		)
	})
	return {
		/** Whether another row took the place of the selected one. */
		isLost,
		/** The id of the selected row, for a return to it. */
		id: () => held()?.id,
		/** Selects a row near the focused one as soon as it is loaded, unless the user moves meanwhile. */
		seek: (id: string) => void setHeld({ id, moves: place.moves(), reading: sought, answer: sought }),
		/** The selection follows no row until the user moves: other rows, or another order, are shown from the top. */
		release(): void {
			left = rows.reading()
			setHeld({ id: undefined, moves: place.moves(), reading: sought, answer: sought })
		},
	}
}

interface Followed {
	readonly rows: Pick<Rows, 'reading' | 'answers'>
	readonly sheet: Pick<Sheet, 'at' | 'find'>
	readonly scrolling: Pick<Scrolling, 'hasRow' | 'rowHeight' | 'scrollTo'>
	readonly place: Pick<ReturnType<typeof createPlace>, 'selection' | 'setSelection' | 'moves'>
}
