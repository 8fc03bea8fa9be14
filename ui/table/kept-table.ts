import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import type { WorkspaceRecords } from '../../host/api/api.ts'
import { at, type CellSelection } from '../cells/selection.ts'
import { type Scrolling, topOf } from '../grid/view/scrolling.ts'
import { keep, plain } from '../state/keep.ts'
import type { Records } from '../state/records.ts'
import type { ShownTable, StoredView, TabTarget } from '../state/tab.ts'
import type { Edits } from './edit/edits.ts'
import { recordOf, stagedOf } from './edit/staged-record.ts'
import { filterRowOf } from './filter/filters.ts'
import type { StoredQuery, TableQuery } from './filter/table-query.ts'
import type { RowsAround } from './time-bar/rows-around.ts'

/** What outlives a table's tab, window and host: staged changes, query and position. */

type CellPosition = Extract<TabTarget, { readonly kind: 'table' }>
const keyOf = (what: string, { connection, table, number }: CellPosition) =>
	`${what}${number ?? ''}/${connection}/${table}`

/** The key of the preference with the columns of a tab. */
export const columnsKey = (place: CellPosition) => keyOf('columns', place)
/** The key of the record with the ranges of time before the present one. */
export const rangesKey = (place: CellPosition) => keyOf('ranges', place)

export function keepEdits(records: Records, place: CellPosition, edits: Edits): void {
	keep(records, keyOf('edits', place), {
		read: () => plain(recordOf(edits.staged(), edits.past())),
		take: value => {
			const kept = stagedOf(value)
			if (kept) edits.take(kept.staged, kept.past)
		},
	})
}

/** A query that another window changes meanwhile stays here: what is read must not change by itself. */
export function keepQuery(records: Records, place: CellPosition, query: TableQuery): void {
	onCleanup(records.own(keyOf('query', place)))
	keep(records, keyOf('query', place), {
		read: () => plain(query.toStored()),
		take: query.restore,
	})
}

/** Whether the table shows new rows as they arrive. Another window has its choice for itself. */
export function keepLive(records: Records, place: CellPosition) {
	const [isOn, setOn] = createSignal(false)
	onCleanup(records.own(keyOf('live', place)))
	keep(records, keyOf('live', place), { read: () => isOn() || null, take: value => void setOn(value === true) })
	return { isOn, setOn: (isOn: boolean) => void setOn(isOn) }
}

/** Calls `onChanged` after other rows or another order were asked for, with what was shown before. */
export function onQueryChanged(
	records: Records,
	place: CellPosition,
	{ query, onChanged }: { readonly query: TableQuery; onChanged(before: StoredView): void },
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

/** Whether the query of a table was stored: the user has opened it before. */
export const hasQuery = (records: Records, place: CellPosition): boolean => records.get(keyOf('query', place)) != null

type Value = WorkspaceRecords[string]
const allRows: StoredQuery = { sort: [], raw: '', rows: [], match: 'all' }

/** A view that was requested, for example by following a reference: its first rows, or the rows around one in time. */
export function requestedView({ filters, match, sort, raw }: ShownTable, around?: RowsAround): StoredView {
	const rows = filters.map(filterRowOf)
	const query = { sort, raw, rows, match, time: around?.time } satisfies StoredQuery
	return { query: plain(query), position: around ? positionAt(around) : null }
}

/** Selects a row, with some rows above it: the one with `rowId` among as many as have its time. */
function positionAt({ row, rowId, ties }: RowsAround): Value {
	return plain([0, topOf(row), at({ row, column: 0 }), rowId, ties])
}

/** Selects a row among the first ones. */
export const rowPosition = (rowId: string): Value => plain([0, 0, at({ row: 0, column: 0 }), rowId, 1])

export function viewOf(records: Records, place: CellPosition): StoredView {
	return { query: records.get(keyOf('query', place)) ?? plain(allRows), position: records.get(keyOf('scroll', place)) }
}

/** Whether two views ask for the same rows in the same order. The time at which a table opened is no choice. */
export const isSameQuery = (one: Pick<StoredView, 'query'>, other: Pick<StoredView, 'query'>) =>
	printOf(one) === printOf(other)

const printOf = ({ query }: Pick<StoredView, 'query'>) =>
	JSON.stringify(query, (name, value) =>
		name === 'split' || (name === 'time' && value?.isOpening) ? undefined : value,
	)

/** Whether a view has no filters, no range and no order. */
export const isOfAllRows = (view: StoredView) => isSameQuery(view, { query: plain(allRows) })

/** Replaces the view of a table, also in an open tab. */
export function putView(records: Records, place: CellPosition, view: StoredView): void {
	if (view.position !== undefined) records.set(keyOf('scroll', place), view.position)
	if (!isSameQuery(view, viewOf(records, place))) records.put(keyOf('query', place), view.query)
}

/** A position that a table returns to as soon as its rows are there. */
export interface Returning {
	returning(): StoredView['position']
	setReturning(position: StoredView['position']): void
}

/**
 * The visible rows and columns with the selected cells: restored when rows arrive, and stored from then on. In pixels of
 * the rows, not of the scroll bar, which may scale a hundred rows to a pixel.
 */
export function keepPosition(
	records: Records,
	{ place, returning, setReturning }: Returning & { readonly place: CellPosition },
	{ isLive, scrolling, selection, setSelection, seek, rowId, isLoaded, isShown }: Position,
): void {
	const key = keyOf('scroll', place)
	onCleanup(records.own(key))
	const last = records.get(key) ?? null
	// Newer rows have come above a row that was selected at the top meanwhile.
	if (returning() === undefined) setReturning(isLive() && Array.isArray(last) && last[1] === 0 ? null : last)
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
					// The cell where a table opens, which follows no row, is there already.
					if (isSelection(kept[2]) && (kept[2].focus.row > 0 || kept[3] !== null)) setSelection(kept[2])
					if (typeof kept[3] === 'string') seek(kept[3], Number(kept[4] ?? 1))
				}
				setReturning(undefined)
				setThere(true)
			})
		}),
	)
	createEffect(
		on([scrolling.left, scrolling.top, selection, isThere, rowId], ([left, top, selection, isThere, id], before) => {
			// A hidden tab is at its start, and the restored position is stored already. Asking the page would lay it out.
			if (!before?.[3] || !isThere || !isShown()) return
			records.set(key, [Math.round(left), Math.round(top), plain(selection), id ?? null])
		}),
	)
}

const isEqual = (one: CellSelection, other: CellSelection) => JSON.stringify(one) === JSON.stringify(other)

interface Position {
	/** Whether new rows are shown as they arrive. */
	isLive(): boolean
	readonly scrolling: Scrolling
	selection(): CellSelection
	setSelection(selection: CellSelection): void
	/** Selects a row near the position, which is one of `ties` rows with the same place. */
	seek(rowId: string, ties: number): void
	/** The row of the selection, if it is known. */
	rowId(): string | undefined
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
