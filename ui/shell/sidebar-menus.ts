import type { ConnectionView, DatabaseObject } from '../../host/api/api.ts'
import type { MenuEntry } from '../controls/context-menu.tsx'
import { copyText } from '../controls/copy-button.tsx'
import type { OpenConnection } from '../state/connections.ts'
import type { Workspace } from './workspace.ts'

type Entries = readonly (MenuEntry | 'line')[]

/** What opens a sheet about a connection. */
export interface ConnectionSheets {
	onEdit(connection: ConnectionView): void
	onRemove(connection: ConnectionView): void
	onVariables(connection: ConnectionView): void
}

/** Actions for a connection. */
export function connectionMenu(connection: ConnectionView, workspace: Workspace, sheets: ConnectionSheets): Entries {
	const { connections } = workspace
	const { id } = connection
	const known = connections.of(id)
	const beside = connections.saved().filter(({ group }) => group === connection.group)
	const place = beside.findIndex(other => other.id === id)
	const move = (by: 1 | -1) => connections.move(id, beside[by < 0 ? place - 1 : place + 2]?.id ?? null)
	return [
		{ label: 'Open', run: () => connections.open(id) },
		{ label: 'New console', keys: 'Mod+T', isDisabled: !known, run: () => known && workspace.newConsole(known) },
		{ label: 'Overview', isDisabled: !known?.engine.hasFacts, run: () => known && workspace.openFacts(known) },
		{
			label: `All ${known?.engine.tableNoun.many.toLowerCase() ?? 'tables'}`,
			isDisabled: !known,
			run: () => known && workspace.openTables(known),
		},
		...(known?.engine.hasTableForm
			? [
					{
						label: `New ${known.engine.tableNoun.one.toLowerCase()} …`,
						run: () => workspace.openTableForm(known, workspace.newTablePlace(known)),
					},
				]
			: []),
		{
			label: 'Disconnect',
			isDisabled: connection.state.status === 'closed',
			run: () => void connections.disconnect(id),
		},
		'line',
		{ label: 'Edit', run: () => sheets.onEdit(connection) },
		{ label: 'Variables', run: () => sheets.onVariables(connection) },
		{ label: 'Test', run: () => void connections.test(connection) },
		{ label: 'Duplicate', run: () => void connections.duplicate(id) },
		{ label: 'Move up', isDisabled: place === 0, run: () => move(-1) },
		{ label: 'Move down', isDisabled: place === beside.length - 1, run: () => move(1) },
		'line',
		{ label: 'Remove', isDanger: true, run: () => sheets.onRemove(connection) },
	]
}

/** Actions for a table. */
export function tableMenu(connection: OpenConnection, table: string, workspace: Workspace): Entries {
	const { tableNoun, rowNoun, hasFacts, hasReferences, hasTableActions, hasTableForm, imports } = connection.engine
	const importRows = () => workspace.importRows(connection, table)
	const cannotInsert = connection.cannot(table).insert !== undefined
	return [
		{ label: 'Open', run: () => workspace.openTable(connection, table) },
		...(hasFacts
			? [{ label: `About this ${tableNoun.one.toLowerCase()}`, run: () => workspace.openFacts(connection, table) }]
			: []),
		...(hasReferences ? [{ label: 'Diagram', run: () => workspace.openDiagram(connection, { table }) }] : []),
		...(hasTableForm
			? [{ label: 'Change structure …', run: () => workspace.openTableForm(connection, { table }) }]
			: []),
		...(imports === null ? [] : [{ label: `Import ${rowNoun.many} …`, isDisabled: cannotInsert, run: importRows }]),
		...(hasTableActions ? [{ label: 'Actions …', run: () => workspace.openTableActions(connection, table) }] : []),
		{
			label: `Manage in the list of ${tableNoun.many.toLowerCase()}`,
			run: () => workspace.openTables(connection, table),
		},
		'line',
		{ label: 'Copy name', run: () => void copyText(table) },
		...(hasTableActions
			? [{ label: 'Delete …', keys: 'Delete', isDanger: true, run: () => removeTable(connection, table, workspace) }]
			: []),
	]
}

/** Asks whether a table is removed, by the action of the driver. */
export function removeTable(connection: OpenConnection, table: string, workspace: Workspace): void {
	if (connection.engine.hasTableActions) workspace.openTableActions(connection, table, true)
}

/** Actions for a level of the list that contains tables, for example a schema. */
export function levelMenu(connection: OpenConnection, path: readonly string[], workspace: Workspace): Entries {
	const { tableNoun, hasTableForm, hasReferences } = connection.engine
	const label = `New ${tableNoun.one.toLowerCase()} …`
	const inside = connection.listed?.find(table => table.path?.join('\0') === path.join('\0'))
	const namespace = { database: inside?.database, schema: path.at(-1) }
	return [
		...(connection.engine.console.hasSchemas && inside
			? [{ label: 'New console here', run: () => workspace.newConsole(connection, '', namespace) }]
			: []),
		...(hasTableForm ? [{ label, run: () => workspace.openTableForm(connection, { path }) }] : []),
		...(hasReferences ? [{ label: 'Diagram', run: () => workspace.openDiagram(connection, { path }) }] : []),
		...(hasTableForm || hasReferences ? (['line'] as const) : []),
		{ label: 'Copy name', run: () => void copyText(path.at(-1) ?? '') },
	]
}

/** Actions for an object beside tables. */
export const objectMenu = (
	connection: OpenConnection,
	{ name, kind }: DatabaseObject,
	workspace: Workspace,
): Entries => [
	{ label: 'Open', run: () => workspace.openObject(connection, name) },
	'line',
	{ label: 'Copy name', run: () => void copyText(name.startsWith(`${kind} `) ? name.slice(kind.length + 1) : name) },
]
