import Bookmark from 'lucide-solid/icons/bookmark'
import Braces from 'lucide-solid/icons/braces'
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
}: Workspace): readonly Pick[] {
	const saved = connections.saved()
	const known = saved.flatMap(({ id }) => connections.known(id) ?? [])
	const tables = known.flatMap(connection =>
		connection.tables.map(
			({ name }): Pick => ({
				id: `table/${connection.id}/${name}`,
				label: name,
				detail: connection.name,
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
				detail: connection.name,
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
				detail: connection.name,
				icon: <Braces size={14} />,
				run: () => openObject(connection, name),
			}),
		),
	)
	const saves = saved.flatMap(({ id, name }): readonly Pick[] => {
		const known = connections.of(id)
		if (!known) return []
		return requests.of(id).requests.map(request => ({
			id: `request/${id}/${request.place}/${request.path}`,
			label: fullName(request),
			detail: name,
			icon: <FileCode size={14} />,
			run: () => void openRequest(known, request),
		}))
	})
	const places = saved.map(
		({ id, name }): Pick => ({
			id: `connection/${id}`,
			label: name,
			detail: 'Connection',
			icon: <Plug size={14} />,
			run: () => connections.open(id),
		}),
	)
	return [...tables, ...views, ...objects, ...saves, ...places]
}

/** Names beyond the lists of tables that open as one table: aliases and patterns of the connections that are open. */
export async function findDestinations(
	{ connections, openFound, tablesFound }: Workspace,
	text: string,
): Promise<readonly Pick[]> {
	const known = connections.saved().flatMap(({ id }) => connections.known(id) ?? [])
	const found = await Promise.all(
		known.map(async connection => {
			const tables = await tablesFound(connection.id, text)
			return tables.map((table): Pick => {
				const { name, kind, detail } = table
				const what = [kind, detail, connection.name].filter(part => part !== undefined).join(' · ')
				return {
					id: `found/${connection.id}/${name}`,
					label: `Open ${name}`,
					isExact: name === text.trim().toLowerCase(),
					detail: what,
					icon: <Layers size={14} />,
					run: () => openFound(connection, table),
				}
			})
		}),
	)
	return found.flat()
}
