import { createSignal } from 'solid-js'
import type { OpenRequest, RequestScope, SavedRequest } from '../../host/api/api.ts'
import type { HostConnection } from '../api/client.ts'
import { showToast } from '../controls/toasts.tsx'
import { fullName } from '../requests/request-folders.ts'
import { keep, plain } from '../state/keep.ts'
import type { Records } from '../state/records.ts'
import type { TabTarget } from '../state/tab.ts'
import { hasCode, messageOf } from '../words/message-of.ts'
import { fileKey } from './kept-console.ts'

/** A file that has changed since the user saw it. */
export interface ChangedFile {
	/** Its current content. */
	readonly onDisk: OpenRequest
	/** The user tried to overwrite it. */
	readonly isSaving: boolean
}

interface SavedFileOptions {
	readonly host: HostConnection
	readonly records: Records
	readonly text: { read(): string; take(text: string): void }
}

/** The saved request of a console: the version that the user saw last, and how to load and save it. */
export function createSavedFile(
	place: Extract<TabTarget, { readonly kind: 'console' }>,
	{ host, records, text }: SavedFileOptions,
) {
	const { connection } = place
	const [file, setFile] = createSignal<OpenRequest>()
	const [changed, setChanged] = createSignal<ChangedFile>()
	/** Asks for a name. */
	const [isNaming, setNaming] = createSignal(false)
	keep(records, fileKey(place), {
		read: () => plain(file() ?? null),
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

	/** Saves run one after the other, so each knows what the previous one wrote. */
	let lastSave = Promise.resolve()
	function saveInTurn(work: () => Promise<void> | undefined): void {
		lastSave = lastSave.then(work).catch(tell)
	}

	/** Treats the current text as the content of the file. */
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

	/** Checks whether the file is still the version that the user saw. */
	async function refresh(): Promise<void> {
		const saved = file()
		if (!saved) return
		const onDisk = await read(saved)
		if (onDisk.version === saved.version) return
		// The same text is no conflict, whichever program wrote it: this console may have written it and been closed before the
		// event.
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
		/** Writes its file, or asks for a name. */
		save(): void {
			if (!file()) setNaming(true)
			saveInTurn(() => {
				const saved = file()
				return saved && write(saved)
			})
		},
		saveAs: () => void setNaming(true),
		/** It was moved or renamed; the user's text stays. */
		moved: (to: OpenRequest) => void setFile(to),
		/** Initial values of the name sheet. */
		nameNow: () => {
			const saved = file()
			return saved ? fullName(saved) : ''
		},
		async add(name: string, into: RequestScope): Promise<void> {
			setFile(await host.call('requests.add', { connection, place: into, name, text: text.read() }))
			showToast(`Saved ${file()?.name}.`)
		},
		refresh,
		/** Takes the text that another program wrote, if the user has no changes. */
		follow: () => {
			if (!isEdited()) refresh().catch(() => {})
		},
		/** The user has seen the file's content and overwrites it. */
		overwrite(): void {
			const found = changed()
			setChanged(undefined)
			if (found) saveInTurn(() => write(found.onDisk))
		},
		leaveChanged: () => setChanged(undefined),
	}
}

/** The host stores it unchanged, so its structure shows whether it is one. */
function isOpenRequest(value: unknown): value is OpenRequest {
	if (typeof value !== 'object' || value === null) return false
	const { place, path, name, text, version } = value as Record<string, unknown>
	return (place === 'own' || place === 'shared') && [path, name, text, version].every(part => typeof part === 'string')
}
