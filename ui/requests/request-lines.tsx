import { Key } from '@solid-primitives/keyed'
import FileCode from 'lucide-solid/icons/file-code'
import Folder from 'lucide-solid/icons/folder'
import { type JSX, Show } from 'solid-js'
import type { OfferedEntry, SavedRequest } from '../../host/api/api.ts'
import { type MenuEntry, WithMenu } from '../controls/context-menu.tsx'
import type { FolderOfRequests } from './request-folders.ts'

type Entries = readonly (MenuEntry | 'line')[]

/** What the lines of one place share. */
export interface RequestActions {
	offerOf(request: SavedRequest): OfferedEntry | undefined
	requestMenu(request: SavedRequest): Entries
	folderMenu(folder: FolderOfRequests): Entries
	isFolded(folder: FolderOfRequests): boolean
	toggle(folder: FolderOfRequests): void
	open(request: SavedRequest): void
}

/** The folders and requests of one folder, indented by depth. */
export function RequestLines(props: {
	readonly folder: FolderOfRequests
	readonly depth: number
	readonly actions: RequestActions
}): JSX.Element {
	const indent = () => `${36 + props.depth * 16}px`
	return (
		<>
			<Key each={props.folder.folders} by="path">
				{folder => (
					<>
						<li>
							<WithMenu menu={() => ({ label: folder().name, entries: props.actions.folderMenu(folder()) })}>
								<button
									type="button"
									class="table-name"
									style={{ 'padding-left': indent() }}
									aria-expanded={!props.actions.isFolded(folder())}
									onClick={() => props.actions.toggle(folder())}
									onKeyDown={event => runByKey(props.actions.folderMenu(folder()), event)}
								>
									<Folder size={14} />
									<span class="table-text">{folder().name}</span>
								</button>
							</WithMenu>
						</li>
						<Show when={!props.actions.isFolded(folder())}>
							<RequestLines folder={folder()} depth={props.depth + 1} actions={props.actions} />
						</Show>
					</>
				)}
			</Key>
			<Key each={props.folder.requests} by="path">
				{request => (
					<li>
						<WithMenu menu={() => ({ label: request().name, entries: props.actions.requestMenu(request()) })}>
							<button
								type="button"
								class="table-name"
								style={{ 'padding-left': indent() }}
								title={request().path}
								onClick={() => props.actions.open(request())}
								onKeyDown={event => runByKey(props.actions.requestMenu(request()), event)}
							>
								<FileCode size={14} />
								<span class="table-text">{request().name}</span>
								<Show when={props.actions.offerOf(request())}>
									{offer => (
										<span
											class="request-offer"
											classList={{ changed: offer().isChanged }}
											title={offer().isChanged ? undefined : `Offered to AI clients as ${offer().name}`}
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
}

/** The focused line handles the keys of its menu. */
function runByKey(entries: Entries, event: KeyboardEvent): void {
	const entry = entries.find(entry => entry !== 'line' && entry.keys === event.key)
	if (entry === undefined || entry === 'line' || event.ctrlKey || event.altKey || event.metaKey) return
	event.preventDefault()
	entry.run()
}
