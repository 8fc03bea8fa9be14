import Bookmark from 'lucide-solid/icons/bookmark'
import Braces from 'lucide-solid/icons/braces'
import Columns3 from 'lucide-solid/icons/columns-3'
import FileCode from 'lucide-solid/icons/file-code'
import Layers from 'lucide-solid/icons/layers'
import Plug from 'lucide-solid/icons/plug'
import Table2 from 'lucide-solid/icons/table-2'
import type { Pick } from '../../controls/picker.tsx'
import { fullName } from '../../requests/request-folders.ts'
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
	const current = currentConnection()?.id
	const isCurrent = ({ id }: { readonly id: string }) => id === current
	const saved = connections.saved().toSorted((a, b) => Number(isCurrent(b)) - Number(isCurrent(a)))
	/** Where a destination is: its connection. */
	const on = (connection: { readonly id: string; readonly name: string }) => ({
		detail: connection.name,
		isNear: isCurrent(connection),
		isProduction: saved.some(({ id, isProduction }) => id === connection.id && isProduction),
	})
	const known = saved.flatMap(({ id }) => connections.known(id) ?? [])
	const tables = known.flatMap(connection =>
		connection.tables.map(
			({ name }): Pick => ({
				id: `table/${connection.id}/${name}`,
				label: name,
				...on(connection),
				icon: <Table2 size={14} />,
				run: () => openTable(connection, name),
			}),
		),
	)
	const views = known.flatMap(connection =>
		viewsOf(connection.id).map(
			({ table, view }): Pick => ({
				id: `view/${connection.id}/${table}/${view.name}`,
				label: `${view.name} — ${table}`,
				...on(connection),
				icon: <Bookmark size={14} />,
				run: () => openView(connection, table, view),
			}),
		),
	)
	const objects = known.flatMap(connection =>
		connection.objects.map(
			({ name }): Pick => ({
				id: `object/${connection.id}/${name}`,
				label: name,
				...on(connection),
				icon: <Braces size={14} />,
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
			...on(connection),
			icon: <FileCode size={14} />,
			run: () => void openRequest(known, request),
		}))
	})
	const places = saved.map(
		({ id, name, isProduction }): Pick => ({
			id: `connection/${id}`,
			label: name,
			detail: 'Connection',
			isProduction,
			icon: <Plug size={14} />,
			run: () => connections.open(id),
		}),
	)
	return [...tables, ...views, ...objects, ...saves, ...places]
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
): Promise<readonly Pick[]> {
	const current = currentConnection()?.id
	const known = connections
		.saved()
		.flatMap(view => {
			const connection = connections.known(view.id)
			return connection ? [{ connection, view }] : []
		})
		.toSorted((a, b) => Number(b.view.id === current) - Number(a.view.id === current))
	const found = await Promise.all(
		known.map(async ({ connection, view: { isProduction } }) => {
			const [tables, columns] = await Promise.all([tablesFound(connection.id, text), columnsFound(connection.id, text)])
			const opened = tables.map((table): Pick => {
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
					label: `${name} — ${table}`,
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
