import { type JSX, Match, onCleanup, onMount, Show, Switch } from 'solid-js'
import type { ConnectionView, FirstStep, Manifest, SavedRequest } from '../../host/api/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { showToast } from '../controls/toasts.tsx'
import type { SettingsPage } from '../settings/settings.tsx'
import { useHost } from '../state/host.tsx'
import { later } from '../state/later.ts'
import type { LinkedView } from '../table/views/view-link.ts'
import { ViewLinkSheet } from '../table/views/view-link-sheet.tsx'
import type { ClientChange } from './client-changes.ts'
import { destinationsOf, findDestinations } from './commands/destinations.tsx'
import { Palette, QuickOpen } from './commands/palette.tsx'
import type { Proposal } from './showings.ts'
import type { Workspace } from './workspace.ts'

const ConnectionForm = later(async () => (await import('./window-sheets.ts')).ConnectionForm)
const NewConnection = later(async () => (await import('./window-sheets.ts')).NewConnection)
const OfferSheet = later(async () => (await import('./window-sheets.ts')).OfferSheet)
const ProjectSaveSheet = later(async () => (await import('./window-sheets.ts')).ProjectSaveSheet)
const ProjectSheet = later(async () => (await import('./window-sheets.ts')).ProjectSheet)
const RemoveConnection = later(async () => (await import('./window-sheets.ts')).RemoveConnection)
const Settings = later(async () => (await import('./window-sheets.ts')).Settings)
const VariablesSheet = later(async () => (await import('./window-sheets.ts')).VariablesSheet)

/** What is shown over the window; one at a time. */
export type Sheet =
	| { readonly what: 'palette' | 'open' | 'project' | 'project-save' }
	| { readonly what: 'new'; readonly step?: FirstStep }
	| { readonly what: 'settings'; readonly page?: SettingsPage }
	| { readonly what: 'remove' | 'variables'; readonly connection: ConnectionView }
	| { readonly what: 'edit'; readonly connection: ConnectionView; readonly manifest: Manifest }
	| {
			readonly what: 'offer'
			readonly connection: { readonly id: string; readonly name: string }
			/** The engine's term for the saved statement. */
			readonly noun: string
			readonly request: SavedRequest
			readonly proposal: Proposal['proposal']
	  }

/** Shows a sheet. */
export function Sheets(props: {
	readonly sheet: Sheet | undefined
	readonly workspace: Workspace
	onClose(): void
	/** Shows what an undo of a client's change would do. */
	onUndo(change: ClientChange): void
}): JSX.Element {
	const groups = () => [...new Set(props.workspace.connections.saved().flatMap(({ group }) => group || []))]
	/** Puts the statement of an AI client into a new console, where the user can run it. */
	const repeat = (connectionId: string, statement: string) => {
		const connection = props.workspace.connections.of(connectionId)
		if (!connection) return void showToast('This connection was removed, so its statement cannot be repeated.')
		props.onClose()
		props.workspace.newConsole(connection, statement)
	}

	const { linked, setLinked } = props.workspace
	const host = useHost()
	/** A link that the operating system passed on. */
	async function takeLink(): Promise<void> {
		const text = await host.call('viewLinks.take', {}).catch(() => null)
		if (text === null) return
		props.workspace.askAboutLink(text)
	}
	onMount(() => void takeLink())
	onCleanup(host.on('viewLinks.changed', () => void takeLink()))
	const connectionOf = ({ connection }: LinkedView) =>
		props.workspace.connections.saved().find(({ name }) => name === connection)
	const tabConnectionOf = (link: LinkedView) => props.workspace.connections.of(connectionOf(link)?.id ?? '')
	function openLink(link: LinkedView): void {
		setLinked(undefined)
		const connection = tabConnectionOf(link)
		if (connection) props.workspace.openView(connection, link.table, link.view)
	}

	return (
		<>
			<Show when={linked()}>
				{link => (
					<ViewLinkSheet
						linked={link()}
						tableNoun={tabConnectionOf(link())?.engine.tableNoun.one ?? 'Table'}
						isKnown={connectionOf(link()) !== undefined}
						onOpen={() => openLink(link())}
						onClose={() => setLinked(undefined)}
					/>
				)}
			</Show>
			<Switch>
				<Match when={props.sheet?.what === 'new'}>
					<NewConnection
						groups={groups()}
						step={props.sheet?.what === 'new' ? props.sheet.step : undefined}
						onClose={props.onClose}
						onSaved={id => {
							props.onClose()
							props.workspace.connections.open(id)
						}}
					/>
				</Match>
				<Match when={props.sheet?.what === 'project'}>
					<ProjectSheet onClose={props.onClose} />
				</Match>
				<Match when={props.sheet?.what === 'project-save'}>
					<ProjectSaveSheet onClose={props.onClose} />
				</Match>
				<Match when={props.sheet?.what === 'palette'}>
					<Palette onClose={props.onClose} />
				</Match>
				<Match when={props.sheet?.what === 'open'}>
					<QuickOpen
						picks={destinationsOf(props.workspace)}
						find={text => findDestinations(props.workspace, text, setLinked)}
						onClose={props.onClose}
					/>
				</Match>
				<Match when={props.sheet?.what === 'settings'}>
					<Settings
						page={props.sheet?.what === 'settings' ? props.sheet.page : undefined}
						onClose={props.onClose}
						repeat={repeat}
						undo={(connection, change) => props.onUndo({ connection, change })}
					/>
				</Match>
				<Match when={removalOf(props.sheet)}>
					{removal => (
						<RemoveConnection
							connection={removal().connection}
							open={props.workspace.openOn(removal().connection.id)}
							onClose={props.onClose}
						/>
					)}
				</Match>
				<Match when={variablesOf(props.sheet)}>
					{shown => <VariablesSheet connection={shown().connection} used={[]} onClose={props.onClose} />}
				</Match>
				<Match when={offerOf(props.sheet)} keyed>
					{offered => <OfferSheet {...offered} onClose={props.onClose} />}
				</Match>
				<Match when={editOf(props.sheet)} keyed>
					{({ connection, manifest }) => (
						<Dialog title={`Edit ${connection.name}`} size="wide" holdsTyped onClose={props.onClose}>
							<ConnectionForm
								manifest={manifest}
								connection={connection}
								groups={groups()}
								onBack={props.onClose}
								onSaved={() => {
									props.onClose()
									// Reopens the connection, so that its open tabs use the new settings.
									if (connection.state.status !== 'closed') props.workspace.connections.open(connection.id)
								}}
							/>
						</Dialog>
					)}
				</Match>
			</Switch>
		</>
	)
}

const removalOf = (sheet: Sheet | undefined) => (sheet?.what === 'remove' ? sheet : undefined)
const variablesOf = (sheet: Sheet | undefined) => (sheet?.what === 'variables' ? sheet : undefined)
const offerOf = (sheet: Sheet | undefined) => (sheet?.what === 'offer' ? sheet : undefined)
const editOf = (sheet: Sheet | undefined) => (sheet?.what === 'edit' ? sheet : undefined)
