import { createSignal } from 'solid-js'
import type { OpenRequest, RequestPlace, SavedRequest } from '../../host/ui-server/api.ts'
import type { HostConnection } from '../api/client.ts'
import { showToast } from '../controls/toasts.tsx'
import { fullName } from '../requests/request-folders.ts'
import { keep } from '../state/keep.ts'
import type { Records } from '../state/records.ts'
import type { TabPlace } from '../state/tab.ts'
import { hasCode, messageOf } from '../words/message-of.ts'
import { fileKey } from './kept-console.ts'

/** A file that is no longer what the person saw of it. */
export interface ChangedFile {
	/** As it is now. */
	readonly onDisk: OpenRequest
	/** The person wanted to write over it. */
	readonly isSaving: boolean
}

/** The saved request that a console shows: what of it the person saw last, and the ways to it and back. */
export function createSavedFile(
	host: HostConnection,
	records: Records,
	place: Extract<TabPlace, { readonly kind: 'console' }>,
	text: { read(): string; take(text: string): void },
) {
	const { connection } = place
	const [file, setFile] = createSignal<OpenRequest>()
	const [changed, setChanged] = createSignal<ChangedFile>()
	/** A name is asked for. */
	const [isNaming, setNaming] = createSignal(false)
	keep(records, fileKey(place), {
		read: () => plain(file()),
		take: value => setFile(isOpenRequest(value) ? value : undefined),
	})
	const isEdited = () => {
		const saved = file()
		return saved !== undefined && saved.text.trimEnd() !== text.read().trimEnd()
	}
	const read = (request: Pick<SavedRequest, 'place' | 'path'>) =>
		host.call('requests.read', { connection, place: request.place, path: request.path })

	function load(request: OpenRequest): void {
		setChanged(undefined)
		setFile(request)
		text.take(request.text)
	}

	/** One save goes after the other: each has seen what the one before it wrote. */
	let lastSave = Promise.resolve()
	function saveInTurn(work: () => Promise<void> | undefined): void {
		lastSave = lastSave.then(work).catch(tell)
	}

	/** Keeps what stands there now as what the file holds. */
	async function write(saved: OpenRequest): Promise<void> {
		const { place, path, name, version } = saved
		const mine = text.read()
		try {
			setFile(await host.call('requests.write', { connection, place, path, name, text: mine, seen: version }))
			showToast(`Saved ${name}.`)
		} catch (error) {
			if (hasCode(error, 'request/changed')) setChanged({ onDisk: await read(saved), isSaving: true })
			else throw error
		}
	}

	/** Looks whether the file is still what the person saw of it. */
	async function refresh(): Promise<void> {
		const saved = file()
		if (!saved) return
		const onDisk = await read(saved)
		if (onDisk.version === saved.version) return
		// The same text is no quarrel, whoever wrote it: this console may have, and was closed before it heard so.
		const isTheirs = onDisk.text.trimEnd() !== text.read().trimEnd()
		if (isEdited() && isTheirs) setChanged({ onDisk, isSaving: false })
		else load(onDisk)
	}

	const tell = (error: unknown) => void showToast(messageOf(error))

	return {
		file,
		isEdited,
		changed,
		isNaming,
		stopNaming: () => setNaming(false),
		load,
		/** Writes to its file, or asks for a name where it has none. */
		save(): void {
			if (!file()) setNaming(true)
			saveInTurn(() => {
				const saved = file()
				return saved && write(saved)
			})
		},
		saveAs: () => void setNaming(true),
		/** It lies somewhere else now, or its name is another; what the person typed here stays. */
		moved: (to: OpenRequest) => void setFile(to),
		/** What the sheet for a name begins with. */
		nameNow: () => {
			const saved = file()
			return saved ? fullName(saved) : ''
		},
		async add(name: string, into: RequestPlace): Promise<void> {
			setFile(await host.call('requests.add', { connection, place: into, name, text: text.read() }))
			showToast(`Saved ${file()?.name}.`)
		},
		refresh,
		/** Takes up what another program wrote, where the person has typed nothing of their own. */
		follow: () => {
			if (!isEdited()) refresh().catch(() => {})
		},
		/** The person looked at what is there: it makes room for theirs. */
		overwrite(): void {
			const found = changed()
			setChanged(undefined)
			if (found) saveInTurn(() => write(found.onDisk))
		},
		leaveChanged: () => setChanged(undefined),
	}
}

/** As plain JSON, which its readonly types hide. */
const plain = (value: unknown) => (value === undefined ? null : JSON.parse(JSON.stringify(value)))

/** The host keeps it as it was written, so its outline tells whether it is one. */
function isOpenRequest(value: unknown): value is OpenRequest {
	if (typeof value !== 'object' || value === null) return false
	const { place, path, name, text, version } = value as Record<string, unknown>
	return (place === 'own' || place === 'shared') && [path, name, text, version].every(part => typeof part === 'string')
}
