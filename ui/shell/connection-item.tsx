import Activity from 'lucide-solid/icons/activity'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import RotateCw from 'lucide-solid/icons/rotate-cw'
import SquareTerminal from 'lucide-solid/icons/square-terminal'
import { type JSX, Match, Show, Switch } from 'solid-js'
import type { ConnectionView } from '../../host/api/api.ts'
import { WithMenu } from '../controls/context-menu.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { MoreMenu } from '../controls/more-menu.tsx'
import { Notice } from '../controls/notice.tsx'
import { ProgressBar } from '../controls/progress-bar.tsx'
import { RequestTree } from '../requests/request-tree.tsx'
import type { ActiveConnection } from '../state/connections.ts'
import { connectionColour } from '../words/connection-colour.ts'
import { guardWords, shortGuard } from '../words/safe-mode.ts'
import {
	type ConnectionSheets,
	connectionMenu,
	levelMenu,
	objectMenu,
	removeTable,
	tableMenu,
} from './sidebar-menus.ts'
import { TableList } from './table-list.tsx'
import type { Workspace } from './workspace.ts'

/** A connection in the sidebar and, below the active one, its tables and saved requests. The one before keeps its tables. */
export function ConnectionItem(props: {
	readonly connection: ConnectionView
	readonly workspace: Workspace
	/** Whether the name of its group is shown above it. */
	readonly beginsGroup: boolean
	readonly sheets: ConnectionSheets
}): JSX.Element {
	const active = (): ActiveConnection | undefined => {
		const active = props.workspace.connections.active()
		return active?.id === props.connection.id ? active : undefined
	}
	const activeAs = <S extends ActiveConnection['status']>(status: S) => {
		const found = active()
		// The status discriminates the union.
		return found?.status === status ? (found as Extract<ActiveConnection, { status: S }>) : undefined
	}
	const beside = () => {
		const found = props.workspace.connections.beside()
		return found?.id === props.connection.id ? found : undefined
	}
	const isUnfolded = () => (active() ?? beside()) !== undefined
	const isReloading = () => activeAs('open') !== undefined && props.workspace.connections.isReloading()
	const entries = () => connectionMenu(props.connection, props.workspace, props.sheets)
	/** The arrow of a connection beside the active one folds it. */
	function openOrFold({ target }: MouseEvent): void {
		const isFold = beside() !== undefined && target instanceof Element && target.closest('.chevron') !== null
		if (isFold) props.workspace.connections.foldBeside()
		else props.workspace.connections.open(props.connection.id)
	}
	return (
		<li class="connection" classList={{ open: isUnfolded(), production: props.connection.isProduction }}>
			<Show when={props.beginsGroup}>
				<h2 class="group-name">{props.connection.group}</h2>
			</Show>
			<WithMenu class="connection-line" menu={() => ({ label: props.connection.name, entries: entries() })}>
				<button
					type="button"
					class="connection-name"
					aria-label={props.connection.name}
					title={stateWords(props.connection)}
					aria-expanded={isUnfolded()}
					onClick={openOrFold}
				>
					<ChevronRight size={14} class="chevron" />
					<span class="connection-colour" style={{ background: connectionColour(props.connection) }} />
					<span class="connection-text" title={props.connection.name}>
						{props.connection.name}
					</span>
					{/* Behind the name, so that the name keeps its place. */}
					<Show when={newsOf(props.connection, isUnfolded())}>
						{state => <span class={`state state-${state()}`} />}
					</Show>
					<Show when={shortGuard(props.connection)}>
						{word => (
							<span
								class={`guard guard-${props.connection.safeMode}`}
								classList={{ production: props.connection.isProduction }}
								title={guardWords(props.connection)}
							>
								{word()}
							</span>
						)}
					</Show>
				</button>
				<Show when={activeAs('open')}>
					{opened => (
						<>
							<Show when={isReloading()}>
								<RotateCw size={13} class="turning" />
							</Show>
							<Show when={opened().engine.hasFacts}>
								<IconButton label="Overview" isSmall onClick={() => props.workspace.openFacts(opened())}>
									<Activity size={14} />
								</IconButton>
							</Show>
							<IconButton label="Console" isSmall onClick={() => props.workspace.openConsole(opened())}>
								<SquareTerminal size={14} />
							</IconButton>
						</>
					)}
				</Show>
				<MoreMenu
					label={`Actions for ${props.connection.name}`}
					isSmall
					isOnHover={!isUnfolded()}
					entries={entries()}
				/>
			</WithMenu>
			<Switch>
				<Match when={activeAs('opening')}>
					{opening => (
						<div class="sidebar-hint">
							<ProgressBar progress={opening().progress} label="Connecting" />
						</div>
					)}
				</Match>
				<Match when={activeAs('failed')}>
					{failed => (
						<Notice kind="error" action={{ label: 'Try again', run: props.workspace.connections.reload }}>
							{failed().message}
						</Notice>
					)}
				</Match>
				<Match when={activeAs('open') ?? beside()}>
					{opened => (
						<>
							<TableList
								connection={opened()}
								activeTab={props.workspace.tabs.active()?.place}
								menu={table => tableMenu(opened(), table, props.workspace)}
								onRemove={table => removeTable(opened(), table, props.workspace)}
								levelMenu={path => levelMenu(opened(), path, props.workspace)}
								staged={table => props.workspace.openOn(opened().id, table).staged}
								objectMenu={object => objectMenu(opened(), object, props.workspace)}
								onOpen={table => props.workspace.openTable(opened(), table)}
								onOpenFound={table => props.workspace.openFound(opened(), table)}
								onOpenObject={object => props.workspace.openObject(opened(), object)}
								onFind={text => props.workspace.tablesFound(opened().id, text)}
								isBeside={beside() !== undefined}
								isReloading={isReloading()}
							/>
							<Show when={!beside()}>
								<RequestTree
									connection={opened()}
									lists={props.workspace.requests}
									onOpen={request => void props.workspace.openRequest(opened(), request)}
									onMoved={props.workspace.moveRequests}
								/>
							</Show>
						</>
					)}
				</Match>
			</Switch>
		</li>
	)
}

/** The state of a connection that its place in the sidebar does not tell: its tables are in sight, or it is closed. */
function newsOf(connection: ConnectionView, isUnfolded: boolean): string | undefined {
	if (isInTrouble(connection)) return 'failed'
	const { status } = connection.state
	return status === 'closed' || (status === 'connected' && isUnfolded) ? undefined : status
}

function isInTrouble({ state }: ConnectionView): boolean {
	return state.status === 'connected' && state.trouble !== undefined
}

function stateWords({ state }: ConnectionView): string {
	if (state.status === 'failed') return state.message
	if (state.status === 'connected' && state.trouble !== undefined) return `No answer: ${state.trouble}`
	return { closed: 'Not connected', connecting: 'Connecting …', connected: 'Connected' }[state.status]
}
