import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { ConsoleManifest } from '@roundhouse/kit/manifest'
import { Emitter } from '../../base/emitter.ts'
import { messageOf } from '../../base/errors.ts'
import { KeyedMutex } from '../../base/keyed-mutex.ts'
import { requestErrors } from './errors.ts'
import { printRequest, readRequestFile } from './request-file.ts'
import { RequestFolder } from './request-folder.ts'
import { fileFor } from './request-name.ts'

/**
 * `own`: of one connection, in the support directory. `shared`: in the folder that the user chose for all connections.
 */
export type RequestScope = 'own' | 'shared'

export interface SavedRequest {
	readonly place: RequestScope
	/** Relative to its folder, with slashes: `reports/By year.es`. */
	readonly path: string
	readonly name: string
}

export interface OpenRequest extends SavedRequest {
	readonly text: string
	/** Of the current file. */
	readonly version: string
}

/** The console language of a connection's engine. */
type Language = Pick<ConsoleManifest, 'fileExtension' | 'lineComments'>

/** A connection and its console's language. */
export interface Whose {
	readonly connection: string
	readonly language: Language
}

interface Written {
	readonly path: string
	readonly name: string
	readonly text: string
	/** The version that the user saw; `undefined` for a new file. */
	readonly seen: string | undefined
}

/** Requests that users keep as plain files, one each, in the console's language, for Git and editors too. */
export class SavedRequests {
	readonly #ownFolder: string
	readonly #sharedFolder: (connection: string) => Promise<string>
	readonly #changed = new Emitter<null>()
	/** Serializes check and change of a file, so that no other call of this host changes it in between. */
	readonly #mutex = new KeyedMutex()
	readonly onChange = this.#changed.on

	/** `sharedFolder` returns that of a connection's project or of all connections, or an empty text for none. */
	constructor(ownFolder: string, sharedFolder: (connection: string) => Promise<string>) {
		this.#ownFolder = ownFolder
		this.#sharedFolder = sharedFolder
	}

	/** An unusable shared folder does not hide the connection's requests: `fault` gives the reason. */
	async list(whose: Whose): Promise<{ readonly requests: readonly SavedRequest[]; readonly fault?: string }> {
		const own = await this.#listed('own', whose)
		try {
			if ((await this.#sharedFolder(whose.connection)) === '') return { requests: own }
			return { requests: [...own, ...(await this.#listed('shared', whose))] }
		} catch (error) {
			return { requests: own, fault: messageOf(error) }
		}
	}

	async #listed(place: RequestScope, whose: Whose): Promise<readonly SavedRequest[]> {
		const files = await (await this.#folder(place, whose)).list()
		return files.map(({ path, head }) => {
			const { name = stemOf(path) } = readRequestFile(head, whose.language.lineComments[0])
			return { place, path, name }
		})
	}

	/** @throws HostError `request/…` */
	async read(whose: Whose, place: RequestScope, path: string): Promise<OpenRequest> {
		const { content, version } = await (await this.#folder(place, whose)).read(path)
		const { name = stemOf(path), text } = readRequestFile(content, whose.language.lineComments[0])
		return { place, path, name, text, version }
	}

	/** Saves a new request under a name with folders. @throws HostError `request/exists` */
	async add(
		whose: Whose,
		place: RequestScope,
		{ name, text }: { readonly name: string; readonly text: string },
	): Promise<OpenRequest> {
		const path = fileFor(name, whose.language.fileExtension)
		return this.#runExclusive(() => this.#write(whose, place, { path, name, text, seen: undefined }))
	}

	/** Overwrites a request. @throws HostError `request/changed` */
	async write(whose: Whose, place: RequestScope, request: Written & { readonly seen: string }): Promise<OpenRequest> {
		return this.#runExclusive(() => this.#write(whose, place, request))
	}

	/** Renames a request or moves it to another folder. @throws HostError `request/…` */
	async rename(
		whose: Whose,
		place: RequestScope,
		{ path, name }: { readonly path: string; readonly name: string },
	): Promise<OpenRequest> {
		const to = fileFor(name, whose.language.fileExtension)
		return this.#runExclusive(async () => {
			const { text, version } = await this.read(whose, place, path)
			if (to !== path) await (await this.#folder(place, whose)).move(path, to)
			return this.#write(whose, place, { path: to, name, text, seen: version })
		})
	}

	/** Moves a folder with its content. @throws HostError `request/…` */
	async renameFolder(
		whose: Whose,
		place: RequestScope,
		{ path, to }: { readonly path: string; readonly to: string },
	): Promise<void> {
		await this.#runExclusive(async () => (await this.#folder(place, whose)).move(path, to))
		this.#changed.fire(null)
	}

	/** @throws HostError `request/…` */
	async remove(whose: Whose, place: RequestScope, path: string): Promise<void> {
		await this.#runExclusive(async () => (await this.#folder(place, whose)).remove(path))
		this.#changed.fire(null)
	}

	/** @throws HostError `request/folder_invalid` if the folder cannot hold requests */
	async assertUsable(path: string): Promise<void> {
		if (path === '') return
		const refuse = (reason: string) => requestErrors.make('folder_invalid', { path, reason })
		if (!isAbsolute(path)) throw refuse('use an absolute path')
		const found = await stat(path).catch(error => {
			throw refuse(messageOf(error))
		})
		if (!found.isDirectory()) throw refuse('it is not a folder')
	}

	#runExclusive<T>(work: () => Promise<T>): Promise<T> {
		return this.#mutex.run('', work)
	}

	async #folder(place: RequestScope, { connection, language }: Whose): Promise<RequestFolder> {
		if (place === 'own')
			return new RequestFolder(join(this.#ownFolder, connection), language.fileExtension, { isOwn: true })
		const path = await this.#sharedFolder(connection)
		if (path === '') throw requestErrors.make('folder_invalid', { path: '', reason: 'none is chosen in the settings' })
		await this.assertUsable(path)
		return new RequestFolder(path, language.fileExtension, { isOwn: false })
	}

	async #write(whose: Whose, place: RequestScope, { path, name, text, seen }: Written): Promise<OpenRequest> {
		const shown = name.split('/').at(-1)?.trim() ?? ''
		const content = printRequest(shown, text, whose.language.lineComments[0])
		const version = await (await this.#folder(place, whose)).write(path, content, seen)
		this.#changed.fire(null)
		return { place, path, name: shown, text, version }
	}
}

const stemOf = (path: string) => (path.split('/').at(-1) ?? '').replace(/\.[^.]+$/, '')
