import { createRoot, createSignal } from 'solid-js'
import type { Records } from '../state/records.ts'
import type { StoredView, TabOf } from '../state/tab.ts'
import { placeWords } from '../words/place-words.ts'
import { createEdits, type Edits } from './edit/edits.ts'
import { nothing } from './edit/staged.ts'
import { aboutQuery } from './filter/about-query.ts'
import { keepEdits, type Returning, viewOf } from './kept-table.ts'
import type { SavedView } from './views/saved-view.ts'

export interface TableTab extends TabOf<'table'>, Returning {
	/** Staged changes belong to the tab, not to its view, so that a view that fails does not lose them. */
	readonly edits: Edits
	/** The document panel holds typed text that is not staged: it counts as a change. */
	isTyping(): boolean
	setTyping(isTyping: boolean): void
	/** The sheet for imports is open, also if the list of tables opened it. */
	isImporting(): boolean
	setImporting(isImporting: boolean): void
	/** A saved view that was opened from elsewhere and is not applied yet. */
	view(): SavedView | undefined
	setView(view: SavedView | undefined): void
	/** Called after rows were added or deleted. */
	onRowsChanged(): void
	/** Called after the query has changed, with what was shown before. */
	onQueryChanged(before: StoredView): void
}

/** A table's tab. It lives as long as it is open, whatever opened or shows it. */
export function createTableTab({
	id,
	place,
	connection,
	records,
	onRowsChanged,
	onQueryChanged,
}: Pick<TableTab, 'id' | 'place' | 'connection' | 'onRowsChanged' | 'onQueryChanged'> & {
	readonly records: Records
}): TableTab {
	return createRoot(close => {
		const edits = createEdits()
		keepEdits(records, place, edits)
		const { count } = edits
		const [isTyping, setTyping] = createSignal(false)
		const [isImporting, setImporting] = createSignal(false)
		const [view, setView] = createSignal<SavedView>()
		const [returning, setReturning] = createSignal<StoredView['position']>()
		// The record follows the query after those who are called for it.
		const [changes, setChanges] = createSignal(0)
		const staged = () => count() + (isTyping() ? 1 : 0)
		return {
			kind: 'table',
			id,
			place,
			get title() {
				const listed = connection.table(place.table)
				// Without its database it would look like the table of this name in that of the connection.
				const title = placeWords(listed?.title ?? place.table, listed?.database)
				return place.number === undefined ? title : `${title} (${place.number})`
			},
			about() {
				changes()
				return place.number === undefined ? '' : aboutQuery(viewOf(records, place).query)
			},
			connection,
			database: () => connection.table(place.table)?.database,
			edits,
			isTyping,
			setTyping,
			isImporting,
			setImporting,
			view,
			setView,
			returning,
			setReturning: position => void setReturning(() => position),
			onRowsChanged,
			onQueryChanged(before) {
				queueMicrotask(() => setChanges(count => count + 1))
				onQueryChanged(before)
			},
			staged,
			// A closed tab has nothing to undo.
			discard: () => edits.take(nothing),
			close,
		}
	})
}
