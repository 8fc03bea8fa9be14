import { batch, createSignal } from 'solid-js'
import type { GridColumns } from '../../grid/columns/grid-columns.ts'
import { keep, plain } from '../../state/keep.ts'
import type { Records } from '../../state/records.ts'
import type { TableQuery } from '../filter/table-query.ts'
import { longestName, renamedView, type SavedView, viewsOf, withView } from './saved-view.ts'

/** What a view is made of. */
export interface ViewedTable {
	readonly target: { readonly connection: string; readonly table: string }
	readonly query: TableQuery
	readonly columns: GridColumns
}

const prefixOf = (connection: string) => `views/${connection}/`

/** The saved views of all tables of a connection, as they are stored. */
export const savedViews = (records: Records, connection: string) =>
	records.keys(prefixOf(connection)).flatMap(key => {
		const table = key.slice(prefixOf(connection).length)
		return viewsOf(records.get(key)).map(view => ({ table, view }))
	})

/**
 * The saved views of one table of a connection, stored with the user's work. An export of connections has no views, because
 * they name columns of one table.
 */
export function createTableViews(records: Records, { target, query, columns }: ViewedTable) {
	const [views, setViews] = createSignal<readonly SavedView[]>([])
	keep(records, prefixOf(target.connection) + target.table, {
		read: () => (views().length === 0 ? null : plain(views())),
		take: value => setViews(viewsOf(value)),
	})
	/** What is shown now, by a name. */
	const shown = (name: string): SavedView => ({
		name: name.trim().slice(0, longestName),
		query: query.toStored(),
		columns: columns.kept(),
	})
	const put = (view: SavedView) => setViews(all => withView(all, view))
	return {
		views,
		/** Adds a view from elsewhere. */
		put,
		/** Saves what is shown now. */
		save: (name: string) => put(shown(name)),
		shown,
		apply(view: SavedView): void {
			batch(() => {
				columns.take(view.columns)
				query.restore(view.query)
			})
		},
		rename: (from: string, to: string) => setViews(all => renamedView(all, from, to.trim().slice(0, longestName))),
		remove: (name: string) => setViews(all => all.filter(view => view.name !== name)),
	}
}
