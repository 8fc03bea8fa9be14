import { createEffect, createSignal, on } from 'solid-js'
import type { PendingShowing, WorkspaceRecords } from '../../host/api/api.ts'
import { keep } from '../state/keep.ts'
import type { Records } from '../state/records.ts'
import type { TabPlace } from '../state/tab.ts'
import type { Edits } from './edit/edits.ts'
import { recordOf, stagedOf } from './edit/staged-record.ts'
import type { StoredQuery, TableQuery } from './filter/table-query.ts'
import type { CellSelection } from './select/selection.ts'
import type { Scrolling } from './view/scrolling.ts'

/** What outlives a table's tab, window and host: staged changes, query and position. */

type Place = Extract<TabPlace, { readonly kind: 'table' }>
/** Plain JSON, which readonly types hide. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
const keyOf = (what: string, { connection, table, number }: Place) => `${what}${number ?? ''}/${connection}/${table}`

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

/** Calls `onChanged` after other rows or another order were asked for, with what was shown before. */
export function onQueryChanged(
	records: Records,
	place: Place,
	{ query, onChanged }: { readonly query: TableQuery; onChanged(before: KeptView): void },
): void {
	createEffect(
		on(query.query, (_query, _before, shown?: Value) => {
			const now: Value = plain(query.toStored())
			const position = records.get(keyOf('scroll', place))
			if (shown !== undefined && !isSameQuery({ query: now }, { query: shown })) onChanged({ query: shown, position })
			return now
		}),
	)
}

export type ShownTable = Extract<PendingShowing['shown'], { readonly kind: 'table' }>

/** Whether the query of a table was stored: the user has opened it before. */
export const hasQuery = (records: Records, place: Place): boolean => records.get(keyOf('query', place)) != null

type Value = WorkspaceRecords[string]
const allRows: StoredQuery = { sort: [], raw: '', rows: [], match: 'all' }

/** A query and a position in its rows, as they are stored. */
export interface KeptView {
	readonly query: Value
	/** `undefined` before the rows were shown. */
	readonly position: Value | undefined
}

/** The first rows of a view that was requested, for example by following a reference. */
export function requestedView({ filters, match, sort, raw }: ShownTable): KeptView {
	const rows = filters.map(filter => ({ ...filter, isOn: true }))
	return { query: plain({ sort, raw, rows, match } satisfies StoredQuery), position: null }
}

export function viewOf(records: Records, place: Place): KeptView {
	return { query: records.get(keyOf('query', place)) ?? plain(allRows), position: records.get(keyOf('scroll', place)) }
}

export const isSameQuery = (one: Pick<KeptView, 'query'>, other: Pick<KeptView, 'query'>) =>
	JSON.stringify(one.query) === JSON.stringify(other.query)

/** Whether a view has no filters, no range and no order. */
export const isOfAllRows = (view: KeptView) => isSameQuery(view, { query: plain(allRows) })

/** Replaces the view of a table, also in an open tab. */
export function putView(records: Records, place: Place, view: KeptView): void {
	if (view.position !== undefined) records.set(keyOf('scroll', place), view.position)
	if (!isSameQuery(view, viewOf(records, place))) records.put(keyOf('query', place), view.query)
}

/** A position that a table returns to as soon as its rows are there. */
export interface Returning {
	returning(): KeptView['position']
	setReturning(position: KeptView['position']): void
}

/**
 * The visible rows and columns with the selected cells: restored when rows arrive, and stored from then on. In pixels of
 * the rows, not of the scroll bar, which may scale a hundred rows to a pixel.
 */
export function keepPosition(
	records: Records,
	{ place, returning, setReturning }: Returning & { readonly place: Place },
	{ scrolling, selection, setSelection, isLoaded, isShown }: Position,
): void {
	const key = keyOf('scroll', place)
	if (returning() === undefined) setReturning(records.get(key) ?? null)
	const [isThere, setThere] = createSignal(false)
	createEffect(
		on([isLoaded, returning], ([isLoaded, kept]) => {
			if (!isLoaded || kept === undefined) return
			const [left, top, before] = [scrolling.left(), scrolling.top(), selection()]
			// When it is as high as its rows; a user who scrolled or selected meanwhile stays there.
			requestAnimationFrame(() => {
				// Another place was asked for meanwhile.
				if (returning() !== kept) return
				const isUntouched = scrolling.left() === left && scrolling.top() === top && isEqual(selection(), before)
				if (Array.isArray(kept) && isUntouched) {
					scrolling.element()?.scrollTo({ left: Number(kept[0]) })
					scrolling.scrollTo(Number(kept[1]))
					if (isSelection(kept[2])) setSelection(kept[2])
				}
				setReturning(undefined)
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
