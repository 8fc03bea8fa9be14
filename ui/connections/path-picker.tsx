import CornerLeftUp from 'lucide-solid/icons/corner-left-up'
import File from 'lucide-solid/icons/file'
import Folder from 'lucide-solid/icons/folder'
import FolderCheck from 'lucide-solid/icons/folder-check'
import { createSignal, type JSX, Show } from 'solid-js'
import type { ResultOf } from '../../host/api/api.ts'
import { type Pick, Picker } from '../controls/picker.tsx'
import { showToast } from '../controls/toasts.tsx'
import { useHost } from '../state/host.tsx'
import { messageOf } from '../words/message-of.ts'

type Listing = ResultOf<'files.list'>

/** A button that chooses a path within the home folder. A browser does not tell pages the paths of files. */
export function PathButton(props: {
	readonly kind: 'file' | 'folder'
	/** The field of the path. */
	readonly label: string
	/** The path so far. */
	readonly value: string
	onChoose(path: string): void
}): JSX.Element {
	const host = useHost()
	const [listing, setListing] = createSignal<Listing>()
	const read = (path: string | undefined) => host.call('files.list', { path })
	const say = (error: unknown) => showToast(messageOf(error))
	/** Begins at the current path, or at the home folder. */
	function open(): void {
		const begin = props.value === '' ? read(undefined) : read(props.value).catch(() => read(undefined))
		begin.then(setListing, say)
	}
	/** Shows another folder, unless the picker was closed meanwhile. */
	function enter(path: string): void {
		read(path).then(found => listing() && setListing(found), say)
	}

	function picksOf({ path, parent, entries }: Listing): readonly Pick[] {
		const own = {
			id: 'own',
			label: 'Choose this folder',
			icon: <FolderCheck size={15} />,
			run: () => props.onChoose(path),
		}
		const above = parent !== null && {
			id: 'parent',
			label: '..',
			detail: 'the folder above',
			icon: <CornerLeftUp size={15} />,
			staysOpen: true,
			run: () => enter(parent),
		}
		return [
			...(props.kind === 'folder' ? [own] : []),
			...(above ? [above] : []),
			...entries
				.filter(({ isFolder }) => isFolder || props.kind === 'file')
				.map(({ name, path, isFolder }) => ({
					id: path,
					label: name,
					icon: isFolder ? <Folder size={15} /> : <File size={15} />,
					staysOpen: isFolder,
					run: () => (isFolder ? enter(path) : props.onChoose(path)),
				})),
		]
	}

	return (
		<>
			<button type="button" class="button small" aria-label={`Choose ${props.label}`} onClick={open}>
				Choose …
			</button>
			<Show when={listing()}>
				{shown => (
					<Picker
						label={`Choose ${props.label}`}
						placeholder={`${shown().label}: type to narrow${shown().isCut ? ', or type the path' : ''}`}
						picks={picksOf(shown())}
						nothing="Nothing matches in this folder."
						onClose={() => setListing(undefined)}
					/>
				)}
			</Show>
		</>
	)
}
