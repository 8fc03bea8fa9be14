import { Key } from '@solid-primitives/keyed'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import FileCode from 'lucide-solid/icons/file-code'
import Folder from 'lucide-solid/icons/folder'
import { createSignal, type JSX, Show } from 'solid-js'
import type { OpenRequest, RequestPlace, SavedRequest } from '../../host/ui-server/api.ts'
import { type MenuEntry, WithMenu } from '../controls/context-menu.tsx'
import { copyText } from '../controls/copy-button.tsx'
import { Notice } from '../controls/notice.tsx'
import { showToast } from '../controls/toasts.tsx'
import { useHost } from '../state/host.tsx'
import { counted } from '../words/format.ts'
import { messageOf } from '../words/message-of.ts'
import { NameSheet } from './name-sheet.tsx'
import { OfferSheet } from './offer-sheet.tsx'
import { type FolderOfRequests, fullName, inFolders } from './request-folders.ts'
import type { RequestLists } from './request-lists.ts'

type Renamed =
	| { readonly kind: 'request'; readonly request: SavedRequest }
	| { readonly kind: 'folder'; readonly place: RequestPlace; readonly folder: FolderOfRequests }

/** The saved requests of a connection, in their folders; nothing while there are none. */
export function RequestTree(props: {
	readonly connection: { readonly id: string; readonly name: string }
	readonly lists: RequestLists
	onOpen(request: SavedRequest): void
	/** The requests that lie at a path, or below it, have gone along. */
	onMoved(place: RequestPlace, from: string, to: string): void
}): JSX.Element {
	const host = useHost()
	const list = () => props.lists.of(props.connection.id)
	const [isOpen, setOpen] = createSignal(true)
	const [folded, setFolded] = createSignal<ReadonlySet<string>>(new Set())
	const [renamed, setRenamed] = createSignal<Renamed>()
	const [offered, setOffered] = createSignal<SavedRequest>()
	const offerOf = ({ place, path }: SavedRequest) =>
		list().offers.find(offer => offer.place === place && offer.path === path)
	const at = (place: RequestPlace) => inFolders(list().requests.filter(request => request.place === place))

	/** Deletes requests, which can be taken back while the line says so. */
	async function remove(what: string, requests: readonly SavedRequest[]): Promise<void> {
		const connection = props.connection.id
		const gone: OpenRequest[] = []
		try {
			for (const { place, path } of requests) {
				const request = await host.call('requests.read', { connection, place, path })
				await host.call('requests.remove', { connection, place, path })
				gone.push(request)
			}
		} catch (error) {
			tell(error)
		}
		const bringBack = () => {
			// To the very path that it had: its name may lead to another, which may be taken.
			for (const { version: seen, ...request } of gone) {
				host.call('requests.write', { connection, ...request, seen }).catch(tell)
			}
		}
		if (gone.length > 0) showToast(`Deleted ${what}.`, { label: 'Undo', run: bringBack })
	}

	async function rename(renamed: Renamed, name: string): Promise<void> {
		const connection = props.connection.id
		if (renamed.kind === 'request') {
			const { place, path } = renamed.request
			const { path: to } = await host.call('requests.rename', { connection, place, path, name })
			props.onMoved(place, path, to)
		} else {
			const { place, folder } = renamed
			await host.call('requests.renameFolder', { connection, place, path: folder.path, to: name })
			props.onMoved(place, folder.path, name)
		}
	}

	const requestMenu = (request: SavedRequest): readonly (MenuEntry | 'line')[] => [
		{ label: 'Open', run: () => props.onOpen(request) },
		{ label: 'Rename or move', keys: 'F2', run: () => setRenamed({ kind: 'request', request }) },
		{ label: 'Copy name', run: () => void copyText(request.name) },
		{ label: 'Offer to AI …', run: () => setOffered(request) },
		'line',
		{ label: 'Delete', keys: 'Delete', isDanger: true, run: () => removeRequest(request) },
	]
	const folderMenu = (place: RequestPlace, folder: FolderOfRequests): readonly MenuEntry[] => [
		{ label: 'Rename or move', keys: 'F2', run: () => setRenamed({ kind: 'folder', place, folder }) },
		{ label: 'Delete', keys: 'Delete', isDanger: true, run: () => removeFolder(place, folder) },
	]
	const removeRequest = (request: SavedRequest) => void remove(request.name, [request])
	function removeFolder(place: RequestPlace, { name, path }: FolderOfRequests): void {
		const below = list().requests.filter(request => request.place === place && request.path.startsWith(`${path}/`))
		void remove(`${name} with ${counted(below.length, { one: 'request', many: 'requests' })}`, below)
	}
	/** The keys of what has the focus are those of its menu. */
	const onKeys = (entries: readonly (MenuEntry | 'line')[]) => (event: KeyboardEvent) => {
		const entry = entries.find(entry => entry !== 'line' && entry.keys === event.key)
		if (entry === undefined || entry === 'line' || event.ctrlKey || event.altKey || event.metaKey) return
		event.preventDefault()
		entry.run()
	}
	const toggle = (key: string) =>
		setFolded(all => (all.has(key) ? new Set([...all].filter(one => one !== key)) : new Set([...all, key])))

	/** The folders and requests of one folder, each line indented by how deep it lies. */
	const Lines = (lines: {
		readonly place: RequestPlace
		readonly folder: FolderOfRequests
		readonly depth: number
	}): JSX.Element => (
		<>
			<Key each={lines.folder.folders} by="path">
				{folder => {
					const key = `${lines.place}/${folder().path}`
					return (
						<>
							<li>
								<WithMenu label={folder().name} entries={() => folderMenu(lines.place, folder())}>
									<button
										type="button"
										class="table-name"
										style={{ 'padding-left': `${24 + lines.depth * 14}px` }}
										aria-expanded={!folded().has(key)}
										onClick={() => toggle(key)}
										onKeyDown={event => onKeys(folderMenu(lines.place, folder()))(event)}
									>
										<Folder size={14} />
										<span class="table-text">{folder().name}</span>
									</button>
								</WithMenu>
							</li>
							<Show when={!folded().has(key)}>
								<Lines place={lines.place} folder={folder()} depth={lines.depth + 1} />
							</Show>
						</>
					)
				}}
			</Key>
			<Key each={lines.folder.requests} by="path">
				{request => (
					<li>
						<WithMenu label={request().name} entries={() => requestMenu(request())}>
							<button
								type="button"
								class="table-name"
								style={{ 'padding-left': `${24 + lines.depth * 14}px` }}
								title={request().path}
								onClick={() => props.onOpen(request())}
								onKeyDown={event => onKeys(requestMenu(request()))(event)}
							>
								<FileCode size={14} />
								<span class="table-text">{request().name}</span>
								<Show when={offerOf(request())}>
									{offer => (
										<span
											class="request-offer"
											classList={{ changed: offer().isChanged }}
											title={offer().isChanged ? undefined : `AI clients get it as ${offer().name}`}
										>
											{offer().isChanged ? 'changed since it was offered' : 'AI'}
										</span>
									)}
								</Show>
							</button>
						</WithMenu>
					</li>
				)}
			</Key>
		</>
	)

	return (
		<Show when={list().requests.length > 0 || list().fault}>
			<section class="requests" aria-label="Saved requests">
				<button
					type="button"
					class="requests-head"
					aria-expanded={isOpen()}
					onClick={() => {
						setOpen(is => !is)
						// Whoever looks again wants to see what Git brought meanwhile.
						props.lists.read(props.connection.id)
					}}
				>
					<ChevronRight size={13} class="chevron" /> Saved requests
				</button>
				<Show when={isOpen()}>
					<Show when={list().fault}>{fault => <Notice kind="error">{fault()}</Notice>}</Show>
					<ul class="requests-list" aria-label="Saved requests">
						<Lines place="own" folder={at('own')} depth={0} />
						<Show when={list().requests.some(({ place }) => place === 'shared')}>
							<li class="requests-shared">Shared</li>
							<Lines place="shared" folder={at('shared')} depth={0} />
						</Show>
					</ul>
				</Show>
				<Show when={offered()} keyed>
					{request => (
						<OfferSheet connection={props.connection} request={request} onClose={() => setOffered(undefined)} />
					)}
				</Show>
				<Show when={renamed()} keyed>
					{renamed => (
						<NameSheet
							title={`Rename ${renamed.kind === 'request' ? renamed.request.name : renamed.folder.name}`}
							name={renamed.kind === 'request' ? fullName(renamed.request) : renamed.folder.path}
							help="In a folder: reports/By year"
							yes="Rename"
							onName={name => rename(renamed, name)}
							onClose={() => setRenamed(undefined)}
						/>
					)}
				</Show>
			</section>
		</Show>
	)
}

const tell = (error: unknown) => void showToast(messageOf(error))
