import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, readdir, realpath, stat, unlink } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { messageOf } from '../base/errors.ts'
import { exportErrors } from './errors.ts'
import { ExportFile, isAt } from './export-file.ts'

/** What the person has set for the exports of AI clients. */
export interface ExportSettings {
	/** The real path of the one folder they go to; empty where there is none. */
	readonly folder: string
	/** Whether each of them is asked for. */
	readonly asks: boolean
}

/** Made new, and never through a link that somebody put in its place meanwhile. */
const toMake = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
const partName = /^\.roundhouse-[0-9a-f-]{36}\.part$/
/** Nothing is written that slowly: its host was killed. */
const abandonedMs = 60 * 60 * 1000

/**
 * The one folder that exports of AI clients go to. A client never names a path, and what it names is a file in there that
 * was not there before. Node opens no file relative to an open folder, so a folder that is put in the place of the chosen one
 * is found by looking again once the file is open.
 */
export class ExportFolder {
	readonly #settings: () => ExportSettings

	constructor(settings: () => ExportSettings) {
		this.#settings = settings
	}

	get asks(): boolean {
		return this.#settings().asks
	}

	/** The chosen folder, which is the one that it was. @throws HostError `export/no_folder`, `export/folder_invalid` */
	async path(): Promise<string> {
		const { folder } = this.#settings()
		if (folder === '') throw exportErrors.make('no_folder')
		await requireSame(folder)
		return folder
	}

	/**
	 * Begins a file, which has no name until it is whole, in the folder that {@link path} gave: the person may have agreed to
	 * that one, and may choose another, or none, at any time. @throws HostError `export/…`
	 */
	async begin(folder: string): Promise<ExportFile> {
		await this.#requireChosen(folder)
		await sweep(folder)
		const part = join(folder, `.roundhouse-${randomUUID()}.part`)
		// Rows are for the person alone, whatever their mask says.
		const handle = await open(part, toMake, 0o600).catch(error => {
			throw exportErrors.make('not_written', { reason: messageOf(error) }, { cause: error })
		})
		const isStillThere = async () => {
			await this.#requireChosen(folder)
			if (!(await isAt(part, handle))) throw invalid(folder, 'it was replaced meanwhile')
		}
		const file = new ExportFile({ handle, part, folder, isStillThere })
		try {
			await isStillThere()
			return file
		} catch (error) {
			await file[Symbol.asyncDispose]()
			throw error
		}
	}

	async #requireChosen(folder: string): Promise<void> {
		if ((await this.path()) !== folder) throw invalid(folder, 'another folder was chosen meanwhile')
	}
}

/** The folder as it is kept when a person chooses it: by its real path. @throws HostError `export/folder_invalid` */
export async function chosenFolder(path: string): Promise<string> {
	if (path === '') return ''
	if (!isAbsolute(path)) throw invalid(path, 'write its whole path, from the root of the disk on')
	return realFolder(path)
}

/** @throws HostError `export/folder_invalid` where the path leads elsewhere now, or nowhere */
async function requireSame(folder: string): Promise<void> {
	if ((await realFolder(folder)) !== folder) throw invalid(folder, 'it leads elsewhere now')
}

/** @throws HostError `export/folder_invalid` where no folder is */
async function realFolder(path: string): Promise<string> {
	const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
		throw invalid(path, error.code === 'ENOENT' ? 'there is no such folder' : messageOf(error))
	})
	if (!(await stat(real)).isDirectory()) throw invalid(path, 'it is no folder')
	return real
}

const invalid = (path: string, reason: string) => exportErrors.make('folder_invalid', { path, reason })

/** Lets go of what a kill left. */
async function sweep(folder: string): Promise<void> {
	const names = await readdir(folder).catch(() => [])
	for (const name of names.filter(name => partName.test(name))) {
		const path = join(folder, name)
		const found = await lstat(path).catch(() => undefined)
		// One that cannot be removed is somebody else's.
		if (found?.isFile() && Date.now() - found.mtimeMs > abandonedMs) await unlink(path).catch(() => {})
	}
}
