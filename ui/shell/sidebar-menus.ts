import Activity from 'lucide-solid/icons/activity'
import ArrowDown from 'lucide-solid/icons/arrow-down'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import Braces from 'lucide-solid/icons/braces'
import Copy from 'lucide-solid/icons/copy'
import CopyPlus from 'lucide-solid/icons/copy-plus'
import FileCode from 'lucide-solid/icons/file-code'
import FileInput from 'lucide-solid/icons/file-input'
import Info from 'lucide-solid/icons/info'
import Pencil from 'lucide-solid/icons/pencil'
import Plug from 'lucide-solid/icons/plug'
import Plus from 'lucide-solid/icons/plus'
import RotateCw from 'lucide-solid/icons/rotate-cw'
import SlidersHorizontal from 'lucide-solid/icons/sliders-horizontal'
import SquareTerminal from 'lucide-solid/icons/square-terminal'
import Table2 from 'lucide-solid/icons/table-2'
import TableProperties from 'lucide-solid/icons/table-properties'
import Trash from 'lucide-solid/icons/trash'
import Unplug from 'lucide-solid/icons/unplug'
import Workflow from 'lucide-solid/icons/workflow'
import Zap from 'lucide-solid/icons/zap'
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
	const isActive = connections.active()?.id === id
	return [
		isActive
			? { label: 'Reload', Icon: RotateCw, run: connections.reload }
			: { label: 'Open', Icon: Plug, run: () => connections.open(id) },
		{
			label: 'New console',
			Icon: SquareTerminal,
			keys: 'Mod+T',
			isDisabled: !known,
			run: () => known && workspace.newConsole(known),
		},
		{
			label: 'Overview',
			Icon: Activity,
			isDisabled: !known?.engine.hasFacts,
			run: () => known && workspace.openFacts(known),
		},
		{
			label: `All ${known?.engine.tableNoun.many.toLowerCase() ?? 'tables'}`,
			Icon: TableProperties,
			isDisabled: !known,
			run: () => known && workspace.openTables(known),
		},
		...(known?.engine.hasTableForm
			? [
					{
						label: `New ${known.engine.tableNoun.one.toLowerCase()} …`,
						Icon: Plus,
						run: () => workspace.openTableForm(known, workspace.newTablePlace(known)),
					},
				]
			: []),
		{
			label: 'Disconnect',
			Icon: Unplug,
			isDisabled: connection.state.status === 'closed',
			run: () => void connections.disconnect(id),
		},
		'line',
		{ label: 'Edit', Icon: Pencil, run: () => sheets.onEdit(connection) },
		{ label: 'Variables', Icon: Braces, run: () => sheets.onVariables(connection) },
		{ label: 'Test', run: () => void connections.test(connection) },
		{ label: 'Duplicate', Icon: CopyPlus, run: () => void connections.duplicate(id) },
		{ label: 'Move up', Icon: ArrowUp, isDisabled: place === 0, run: () => move(-1) },
		{ label: 'Move down', Icon: ArrowDown, isDisabled: place === beside.length - 1, run: () => move(1) },
		'line',
		{ label: 'Remove', Icon: Trash, isDanger: true, run: () => sheets.onRemove(connection) },
	]
}

/** Actions for a table. */
export function tableMenu(connection: OpenConnection, table: string, workspace: Workspace): Entries {
	const { tableNoun, rowNoun, hasFacts, hasReferences, hasTableActions, hasTableForm, imports } = connection.engine
	const importRows = () => workspace.importRows(connection, table)
	const cannotInsert = connection.cannot(table).insert !== undefined
	return [
		{ label: 'Open', Icon: Table2, run: () => workspace.openTable(connection, table) },
		...(hasFacts
			? [
					{
						label: `About this ${tableNoun.one.toLowerCase()}`,
						Icon: Info,
						run: () => workspace.openFacts(connection, table),
					},
				]
			: []),
		...(hasReferences
			? [{ label: 'Diagram', Icon: Workflow, run: () => workspace.openDiagram(connection, { table }) }]
			: []),
		...(hasTableForm
			? [
					{
						label: 'Change structure …',
						Icon: SlidersHorizontal,
						run: () => workspace.openTableForm(connection, { table }),
					},
				]
			: []),
		...(imports === null
			? []
			: [{ label: `Import ${rowNoun.many} …`, Icon: FileInput, isDisabled: cannotInsert, run: importRows }]),
		...(hasTableActions
			? [{ label: 'Actions …', Icon: Zap, run: () => workspace.openTableActions(connection, table) }]
			: []),
		{
			label: `Manage in the list of ${tableNoun.many.toLowerCase()}`,
			Icon: TableProperties,
			run: () => workspace.openTables(connection, table),
		},
		'line',
		{ label: 'Copy name', Icon: Copy, run: () => void copyText(table) },
		...(hasTableActions
			? [
					{
						label: 'Delete …',
						Icon: Trash,
						keys: 'Delete',
						isDanger: true,
						run: () => removeTable(connection, table, workspace),
					},
				]
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
			? [
					{
						label: 'New console here',
						Icon: SquareTerminal,
						run: () => workspace.newConsole(connection, '', namespace),
					},
				]
			: []),
		...(hasTableForm ? [{ label, Icon: Plus, run: () => workspace.openTableForm(connection, { path }) }] : []),
		...(hasReferences
			? [{ label: 'Diagram', Icon: Workflow, run: () => workspace.openDiagram(connection, { path }) }]
			: []),
		...(hasTableForm || hasReferences ? (['line'] as const) : []),
		{ label: 'Copy name', Icon: Copy, run: () => void copyText(path.at(-1) ?? '') },
	]
}

/** Actions for an object beside tables. */
export const objectMenu = (
	connection: OpenConnection,
	{ name, kind }: DatabaseObject,
	workspace: Workspace,
): Entries => [
	{ label: 'Open', Icon: FileCode, run: () => workspace.openObject(connection, name) },
	'line',
	{
		label: 'Copy name',
		Icon: Copy,
		run: () => void copyText(name.startsWith(`${kind} `) ? name.slice(kind.length + 1) : name),
	},
]
