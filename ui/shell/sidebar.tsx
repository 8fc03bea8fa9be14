import { Key } from '@solid-primitives/keyed'
import { createMemo, type JSX } from 'solid-js'
import type { ConnectionView } from '../../host/api/api.ts'
import { Failure } from '../controls/failure.tsx'
import { ConnectionItem } from './connection-item.tsx'
import { SidebarButtons, type SidebarButtonsProps } from './sidebar-buttons.tsx'
import type { ConnectionSheets } from './sidebar-menus.ts'
import type { Workspace } from './workspace.ts'

interface SidebarProps extends ConnectionSheets, SidebarButtonsProps {
	readonly workspace: Workspace
	/** In pixels. */
	readonly width: number
}

/** Connections, and the tables of the open one. */
export function Sidebar(props: SidebarProps): JSX.Element {
	/** First those without a group, then each group. */
	const ordered = createMemo(() => inGroups(props.workspace.connections.saved()))
	const beginsGroup = (connection: ConnectionView) =>
		connection.group !== '' && ordered().find(({ group }) => group === connection.group)?.id === connection.id
	return (
		<nav class="sidebar" aria-label="Connections" style={{ width: `${props.width}px` }}>
			<header class="sidebar-head">
				<span class="brand">Roundhouse</span>
				<SidebarButtons onNew={props.onNew} onSettings={props.onSettings} />
			</header>
			<Failure of={props.workspace.connections.reading} />
			<ul class="connections">
				<Key each={ordered()} by="id" fallback={<li class="quiet sidebar-hint">No connections yet.</li>}>
					{connection => (
						<ConnectionItem
							connection={connection()}
							workspace={props.workspace}
							beginsGroup={beginsGroup(connection())}
							sheets={props}
						/>
					)}
				</Key>
			</ul>
		</nav>
	)
}

function inGroups(connections: readonly ConnectionView[]): readonly ConnectionView[] {
	const groups = new Set(['', ...connections.map(({ group }) => group)])
	return [...groups].flatMap(group => connections.filter(connection => connection.group === group))
}
