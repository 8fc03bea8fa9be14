import { createEffect, createSignal, on } from 'solid-js'
import type { PendingShowing } from '../../host/api/api.ts'
import { keep } from '../state/keep.ts'
import type { Records } from '../state/records.ts'
import type { TabPlace } from '../state/tab.ts'
import type { Edits } from './edit/edits.ts'
import { recordOf, stagedOf } from './edit/staged-record.ts'
import type { TableQuery } from './filter/table-query.ts'
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
		read: () => plain(query.asked()),
		take: query.ask,
	})
}

export type ShownTable = Extract<PendingShowing['shown'], { readonly kind: 'table' }>

/** A view requested by another party replaces the query, also in an open tab. */
export function putQuery(records: Records, place: Place, { filters, match, sort, raw }: ShownTable): void {
	const rows = filters.map(filter => ({ ...filter, isOn: true }))
	records.put(keyOf('query', place), plain({ sort, raw, rows, match }))
}

/**
 * The visible rows and columns: restored when rows arrive, and stored from then on. In pixels of the rows, not of the
 * scroll bar, which may scale a hundred rows to a pixel.
 */
export function keepScroll(records: Records, place: Place, scrolling: Scrolling, isLoaded: () => boolean): void {
	const key = keyOf('scroll', place)
	const kept = records.get(key)
	const [isThere, setThere] = createSignal(false)
	createEffect(
		on(isLoaded, isLoaded => {
			if (!isLoaded || isThere()) return
			const [left, top] = [scrolling.left(), scrolling.top()]
			// When it is as high as its rows; a user who scrolled meanwhile stays there.
			requestAnimationFrame(() => {
				if (Array.isArray(kept) && scrolling.left() === left && scrolling.top() === top) {
					scrolling.element()?.scrollTo({ left: Number(kept[0]) })
					scrolling.scrollTo(Number(kept[1]))
				}
				setThere(true)
			})
		}),
	)
	createEffect(
		on([scrolling.left, scrolling.top, isThere], ([left, top, isThere], before) => {
			// A hidden tab is at its start, and the restored position is stored already.
			if (!before?.[2] || !isThere || !scrolling.element()?.checkVisibility()) return
			records.set(key, [Math.round(left), Math.round(top)])
		}),
	)
}
