import { isStoredQuery, type StoredQuery } from '../filter/table-query.ts'

/** Named views of a table: filters, range, sort and columns. Pure. */

export interface SavedView {
	readonly name: string
	readonly query: StoredQuery
	/** The layout of the columns, as it is stored. */
	readonly columns: unknown
}

/** Longer names fit no menu. */
export const longestName = 100

export function isSavedView(value: unknown): value is SavedView {
	if (typeof value !== 'object' || value === null) return false
	const { name, query } = value as Partial<SavedView>
	return typeof name === 'string' && name.trim() !== '' && name.length <= longestName && isStoredQuery(query)
}

/** Reads stored views, and ignores everything else. */
export const viewsOf = (stored: unknown): readonly SavedView[] =>
	Array.isArray(stored) ? stored.filter(isSavedView) : []

/** Adds a view at its place in the alphabet, instead of the one with its name. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
	return [...views.filter(({ name }) => name !== view.name), view].toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Renames a view. Another view with the new name is replaced. */
export function renamedView(views: readonly SavedView[], from: string, to: string): readonly SavedView[] {
	const view = views.find(({ name }) => name === from)
	if (!view) return views
	return withView(
		views.filter(({ name }) => name !== from),
		{ ...view, name: to },
	)
}
