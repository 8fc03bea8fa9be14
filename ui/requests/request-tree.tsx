import Bot from 'lucide-solid/icons/bot'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import Copy from 'lucide-solid/icons/copy'
import Pencil from 'lucide-solid/icons/pencil'
import SquareTerminal from 'lucide-solid/icons/square-terminal'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, type JSX, Show } from 'solid-js'
import type { RequestScope, SavedRequest } from '../../host/api/api.ts'
import type { MenuEntry } from '../controls/context-menu.tsx'
import { copyText } from '../controls/copy-button.tsx'
import { Notice } from '../controls/notice.tsx'
import type { Engine } from '../state/engine.tsx'
import { useHost, useRecords } from '../state/host.tsx'
import { createKeptSet } from '../state/kept-set.ts'
import { counted } from '../words/format.ts'
import { NameSheet } from './name-sheet.tsx'
import { OfferSheet } from './offer-sheet.tsx'
import { createRequestChanges, type Renamed } from './request-changes.ts'
import { type FolderOfRequests, fullName, inFolders } from './request-folders.ts'
import { type RequestActions, RequestLines } from './request-lines.tsx'
import type { RequestLists } from './request-lists.ts'

/** The saved requests of a connection in their folders; empty while there are none. */
export function RequestTree(props: {
	readonly connection: { readonly id: string; readonly name: string; readonly engine: Engine }
	readonly lists: RequestLists
	onOpen(request: SavedRequest): void
	/** Open tabs follow requests that moved with a path. */
	onMoved(place: RequestScope, from: string, to: string): void
}): JSX.Element {
	const { noun } = props.connection.engine.console
	const heading = `Saved ${noun.many}`
	const changes = createRequestChanges(useHost(), props)
	const list = () => props.lists.of(props.connection.id)
	const [isOpen, setOpen] = createSignal(true)
	const folded = createKeptSet(useRecords(), `folds/${props.connection.id}/requests`)
	const [renamed, setRenamed] = createSignal<Renamed>()
	const [offered, setOffered] = createSignal<SavedRequest>()
	const offerOf = ({ place, path }: SavedRequest) =>
		list().offers.find(offer => offer.place === place && offer.path === path)
	const at = (place: RequestScope) => inFolders(list().requests.filter(request => request.place === place))

	const requestMenu = (request: SavedRequest): readonly (MenuEntry | 'line')[] => [
		{ label: 'Open', Icon: SquareTerminal, run: () => props.onOpen(request) },
		{ label: 'Rename or move', Icon: Pencil, keys: 'F2', run: () => setRenamed({ kind: 'request', request }) },
		{ label: 'Copy name', Icon: Copy, run: () => void copyText(request.name) },
		{ label: 'Offer to AI …', Icon: Bot, run: () => setOffered(request) },
		'line',
		{ label: 'Delete', Icon: Trash, keys: 'Delete', isDanger: true, run: () => removeRequest(request) },
	]
	const folderMenu = (place: RequestScope, folder: FolderOfRequests): readonly MenuEntry[] => [
		{ label: 'Rename or move', Icon: Pencil, keys: 'F2', run: () => setRenamed({ kind: 'folder', place, folder }) },
		{ label: 'Delete', Icon: Trash, keys: 'Delete', isDanger: true, run: () => removeFolder(place, folder) },
	]
	const removeRequest = (request: SavedRequest) => void changes.remove(request.name, [request])
	function removeFolder(place: RequestScope, { name, path }: FolderOfRequests): void {
		const below = list().requests.filter(request => request.place === place && request.path.startsWith(`${path}/`))
		void changes.remove(`${name} with ${counted(below.length, noun)}`, below)
	}
	const actionsAt = (place: RequestScope): RequestActions => ({
		offerOf,
		requestMenu,
		folderMenu: folder => folderMenu(place, folder),
		isFolded: ({ path }) => folded.has(`${place}/${path}`),
		toggle: ({ path }) => folded.toggle(`${place}/${path}`),
		open: request => props.onOpen(request),
	})

	return (
		<Show when={list().requests.length > 0 || list().fault}>
			<section class="requests" aria-label={heading}>
				<button
					type="button"
					class="requests-head"
					aria-expanded={isOpen()}
					onClick={() => {
						setOpen(is => !is)
						// Reopening the sidebar reads the files that Git has changed.
						props.lists.read(props.connection.id)
					}}
				>
					<ChevronRight size={13} class="chevron" /> {heading}
				</button>
				<Show when={isOpen()}>
					<Show when={list().fault}>{fault => <Notice kind="error">{fault()}</Notice>}</Show>
					<ul class="requests-list" aria-label={heading}>
						<RequestLines folder={at('own')} depth={0} actions={actionsAt('own')} />
						<Show when={list().requests.some(({ place }) => place === 'shared')}>
							<li class="requests-shared">Shared</li>
							<RequestLines folder={at('shared')} depth={0} actions={actionsAt('shared')} />
						</Show>
					</ul>
				</Show>
				<Show when={offered()} keyed>
					{request => (
						<OfferSheet
							connection={props.connection}
							noun={noun.one}
							request={request}
							onClose={() => setOffered(undefined)}
						/>
					)}
				</Show>
				<Show when={renamed()} keyed>
					{renamed => (
						<NameSheet
							title={`Rename ${renamed.kind === 'request' ? renamed.request.name : renamed.folder.name}`}
							name={renamed.kind === 'request' ? fullName(renamed.request) : renamed.folder.path}
							help="In a folder: reports/By year"
							yes="Rename"
							onName={name => changes.rename(renamed, name)}
							onClose={() => setRenamed(undefined)}
						/>
					)}
				</Show>
			</section>
		</Show>
	)
}
