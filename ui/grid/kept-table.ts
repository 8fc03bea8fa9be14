import { createEffect, createSignal, on } from 'solid-js'
import type { PendingShowing } from '../../host/api/api.ts'
import { keep } from '../state/keep.ts'
import type { Records } from '../state/records.ts'
import type { TabPlace } from '../state/tab.ts'
import type { Edits } from './edit/edits.ts'
import { recordOf, stagedOf } from './edit/staged-record.ts'
import type { TableQuery } from './filter/table-query.ts'
import type { CellSelection } from './select/selection.ts'
import type { Scrolling } from './view/scrolling.ts'

/** What outlives a table's tab, window and host: staged changes, query and position. */

type Place = Extract<TabPlace, { readonly kind: 'table' }>
/** Plain JSON, which readonly types hide. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
const keyOf = (what: string, { connection, table }: Place) => `${what}/${connection}/${table}`

export function keepEdits(records: Records, place: Place, edits: Edits): void {
	keep(records, keyOf('edits', place), {
		read: () => plain(recordOf(edits.staged(), edits.past())),
		take: value => {
			const kept = stagedOf(value)
			if (kept) edits.take(kept.staged, kept.past)
		},
	})
}

export function keepQuery(records: Records, place: Place, query: TableQuery): void {
	keep(records, keyOf('query', place), {
		read: () => plain(query.toStored()),
		take: query.restore,
	})
}

export type ShownTable = Extract<PendingShowing['shown'], { readonly kind: 'table' }>

/** Whether the query of a table was stored: the user has opened it before. */
export const hasQuery = (records: Records, place: Place): boolean => records.get(keyOf('query', place)) != null

/** A view requested by another party replaces the query, also in an open tab. */
export function putQuery(records: Records, place: Place, { filters, match, sort, raw }: ShownTable): void {
	const rows = filters.map(filter => ({ ...filter, isOn: true }))
	records.put(keyOf('query', place), plain({ sort, raw, rows, match }))
}

/**
 * The visible rows and columns with the selected cells: restored when rows arrive, and stored from then on. In pixels of
 * the rows, not of the scroll bar, which may scale a hundred rows to a pixel.
 */
export function keepPosition(
	records: Records,
	place: Place,
	{ scrolling, selection, setSelection, isLoaded, isShown }: Position,
): void {
	const key = keyOf('scroll', place)
	const kept = records.get(key)
	const [isThere, setThere] = createSignal(false)
	createEffect(
		on(isLoaded, isLoaded => {
			if (!isLoaded || isThere()) return
			const [left, top, before] = [scrolling.left(), scrolling.top(), selection()]
			// When it is as high as its rows; a user who scrolled or selected meanwhile stays there.
			requestAnimationFrame(() => {
				const isUntouched = scrolling.left() === left && scrolling.top() === top && isEqual(selection(), before)
				if (Array.isArray(kept) && isUntouched) {
					scrolling.element()?.scrollTo({ left: Number(kept[0]) })
					scrolling.scrollTo(Number(kept[1]))
					if (isSelection(kept[2])) setSelection(kept[2])
				}
				setThere(true)
			})
		}),
	)
	createEffect(
		on([scrolling.left, scrolling.top, selection, isThere], ([left, top, selection, isThere], before) => {
			// A hidden tab is at its start, and the restored position is stored already. Asking the page would lay it out.
			if (!before?.[3] || !isThere || !isShown()) return
			records.set(key, [Math.round(left), Math.round(top), plain(selection)])
		}),
	)
}

const isEqual = (one: CellSelection, other: CellSelection) => JSON.stringify(one) === JSON.stringify(other)

interface Position {
	readonly scrolling: Scrolling
	selection(): CellSelection
	setSelection(selection: CellSelection): void
	isLoaded(): boolean
	/** Whether the tab is in view. */
	isShown(): boolean
}

/** The host stores it unchanged; another value is ignored. */
function isSelection(kept: unknown): kept is CellSelection {
	if (typeof kept !== 'object' || kept === null) return false
	const { anchor, focus, span } = kept as Partial<CellSelection>
	const isPlace = (place?: { readonly row: number; readonly column: number }) =>
		Number.isInteger(place?.row) && Number.isInteger(place?.column)
	return isPlace(anchor) && isPlace(focus) && (span === undefined || ['rows', 'columns', 'all'].includes(span))
}
