import { createEffect, createSignal, on } from 'solid-js'
import type { PendingShowing } from '../../host/ui-server/api.ts'
import { keep } from '../state/keep.ts'
import type { Records } from '../state/records.ts'
import type { TabPlace } from '../state/tab.ts'
import type { Edits } from './edit/edits.ts'
import { recordOf, stagedOf } from './edit/staged-record.ts'
import type { TableQuery } from './filter/table-query.ts'
import type { Scrolling } from './view/scrolling.ts'

/** What of a table outlives its tab, its window and its host: what is staged, what it asks for, and where one was. */

type Place = Extract<TabPlace, { readonly kind: 'table' }>
/** As plain JSON, which readonly types hide. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
const keyOf = (what: string, { connection, table }: Place) => `${what}/${connection}/${table}`

export function keepEdits(records: Records, place: Place, edits: Edits): void {
	keep(records, keyOf('edits', place), {
		read: () => plain(recordOf(edits.staged())),
		take: value => {
			const staged = stagedOf(value)
			if (staged) edits.take(staged)
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

/** What somebody else wants to be seen of a table takes the place of what it asked for, in a tab that is open too. */
export function putQuery(records: Records, place: Place, { filters, match, sort, raw }: ShownTable): void {
	const rows = filters.map(filter => ({ ...filter, isOn: true }))
	records.put(keyOf('query', place), plain({ sort, raw, rows, match }))
}

/**
 * Which rows and columns are in view: taken up once the rows are there, and kept from then on. In pixels of the rows, not
 * of the scrollbar, where one may stand for a hundred rows.
 */
export function keepScroll(records: Records, place: Place, scrolling: Scrolling, isLoaded: () => boolean): void {
	const key = keyOf('scroll', place)
	const kept = records.get(key)
	const [isThere, setThere] = createSignal(false)
	createEffect(
		on(isLoaded, isLoaded => {
			if (!isLoaded || isThere()) return
			const [left, top] = [scrolling.left(), scrolling.top()]
			// Once it is as high as its rows are; whoever has gone elsewhere by then stays there.
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
			// Out of sight it stands at its beginning, and what was just taken up is kept already.
			if (!before?.[2] || !isThere || !scrolling.element()?.checkVisibility()) return
			records.set(key, [Math.round(left), Math.round(top)])
		}),
	)
}
