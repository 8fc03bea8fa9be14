import Bookmark from 'lucide-solid/icons/bookmark'
import Columns3 from 'lucide-solid/icons/columns-3'
import FileCode from 'lucide-solid/icons/file-code'
import Layers from 'lucide-solid/icons/layers'
import Plug from 'lucide-solid/icons/plug'
import type { Table } from '../../../host/api/api.ts'
import type { Pick } from '../../controls/picker.tsx'
import { fullName } from '../../requests/request-folders.ts'
import { type LinkedView, readLink } from '../../table/views/view-link.ts'
import { seriesOf } from '../../words/series.ts'
import { shortName } from '../../words/table-name.ts'
import { ObjectIcon, TableIcon } from '../kind-icons.tsx'
import type { Workspace } from '../workspace.ts'

/** Destinations: tables, their saved views, other objects and saved requests of every connection that this window has opened, and the connections. */
export function destinationsOf({
	connections,
	openTable,
	openObject,
	openRequest,
	openView,
	requests,
	viewsOf,
	currentConnection,
}: Workspace): readonly Pick[] {
	const saved = currentFirst(connections.saved(), currentConnection()?.id)
	/** By connection: where its destinations are. */
	const places = new Map(
		saved.map(({ id, name, isProduction }) => [
			id,
			{ detail: name, isNear: id === currentConnection()?.id, isProduction },
		]),
	)
	const known = saved.flatMap(({ id }) => connections.known(id) ?? [])
	const tables = known.flatMap(connection =>
		connection.tables.map(
			({ name, title, kind }): Pick => ({
				id: `table/${connection.id}/${name}`,
				label: name,
				name: title,
				...places.get(connection.id),
				icon: <TableIcon of={{ kind }} />,
				run: () => openTable(connection, name),
			}),
		),
	)
	const views = known.flatMap(connection =>
		viewsOf(connection.id).map(
			({ table, view }): Pick => ({
				id: `view/${connection.id}/${table}/${view.name}`,
				label: `${view.name}, view of ${table}`,
				...places.get(connection.id),
				icon: <Bookmark size={14} />,
				run: () => openView(connection, table, view),
			}),
		),
	)
	const objects = known.flatMap(connection =>
		connection.objects.map(
			({ name, kind }): Pick => ({
				id: `object/${connection.id}/${name}`,
				label: name,
				name: shortName(name),
				...places.get(connection.id),
				icon: <ObjectIcon of={{ kind }} />,
				run: () => openObject(connection, name),
			}),
		),
	)
	const saves = saved.flatMap((connection): readonly Pick[] => {
		const { id } = connection
		const known = connections.of(id)
		if (!known) return []
		return requests.of(id).requests.map(request => ({
			id: `request/${id}/${request.place}/${request.path}`,
			label: fullName(request),
			...places.get(connection.id),
			icon: <FileCode size={14} />,
			run: () => void openRequest(known, request),
		}))
	})
	const opened = saved.map(
		({ id, name, isProduction }): Pick => ({
			id: `connection/${id}`,
			label: name,
			detail: 'Connection',
			isProduction,
			icon: <Plug size={14} />,
			run: () => connections.open(id),
		}),
	)
	return [...tables, ...views, ...objects, ...saves, ...opened]
}

/** More series of tables are not asked for. */
const mostSeries = 5

/** Returns the names of series of tables that a text is in, for example of the tables of days. */
function seriesWith(text: string, tables: readonly Table[]): readonly string[] {
	const wanted = text.trim().toLowerCase()
	const named = tables.flatMap(({ name }) => (name.toLowerCase().includes(wanted) ? (seriesOf(name) ?? []) : []))
	const found = [...Map.groupBy(named, name => name)].flatMap(([name, { length }]) => (length > 1 ? [name] : []))
	return wanted === '' ? [] : found.slice(0, mostSeries)
}

/** Columns of a connection that are shown. A longer text finds the others. */
const mostColumns = 20

/**
 * Names beyond the lists of tables: aliases and patterns that open as one table, and columns, of the connections that are
 * open.
 */
export async function findDestinations(
	{ connections, openFound, openTable, tablesFound, columnsFound, currentConnection }: Workspace,
	text: string,
	onLink: (linked: LinkedView) => void,
): Promise<readonly Pick[]> {
	const linked = readLink(text)
	if (linked) return [linkPick(linked, () => onLink(linked))]
	const known = currentFirst(connections.saved(), currentConnection()?.id).flatMap(view => {
		const connection = connections.known(view.id)
		return connection ? [{ connection, view }] : []
	})
	const found = await Promise.all(
		known.map(async ({ connection, view: { isProduction } }) => {
			const [tables, columns, ...series] = await Promise.all([
				tablesFound(connection.id, text),
				columnsFound(connection.id, text),
				...seriesWith(text, connection.tables).map(async name =>
					(await tablesFound(connection.id, name)).filter(found => found.name === name),
				),
			])
			const opened = [...series.flat(), ...tables].map((table): Pick => {
				const { name, kind, detail } = table
				const what = [kind, detail, connection.name].filter(part => part !== undefined).join(' · ')
				return {
					id: `found/${connection.id}/${name}`,
					label: `Open ${name}`,
					isExact: name === text.trim().toLowerCase(),
					detail: what,
					isProduction,
					icon: <Layers size={14} />,
					run: () => openFound(connection, table),
				}
			})
			const having = columns.slice(0, mostColumns).map(
				({ table, name, type }): Pick => ({
					id: `column/${connection.id}/${table}/${name}`,
					label: `${name} in ${table}`,
					name,
					detail: [type, connection.name].join(' · '),
					isProduction,
					icon: <Columns3 size={14} />,
					run: () => openTable(connection, table),
				}),
			)
			return [...opened, ...having]
		}),
	)
	return found.flat()
}

/** What a pasted link leads to, which asks first. */
const linkPick = ({ view, table, connection }: LinkedView, run: () => void): Pick => ({
	id: `link/${connection}/${table}/${view.name}`,
	label: `Open the view “${view.name}” …`,
	detail: [table, connection].join(' · '),
	isExact: true,
	icon: <Bookmark size={14} />,
	run,
})

/** Returns connections with the one that the user works on first. */
const currentFirst = <T extends { readonly id: string }>(
	all: readonly T[],
	current: string | undefined,
): readonly T[] => all.toSorted((a, b) => Number(b.id === current) - Number(a.id === current))
