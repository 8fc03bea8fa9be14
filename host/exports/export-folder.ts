import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, readdir, realpath, stat, unlink } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { exportErrors } from './errors.ts'
import { ExportFile, isAt } from './export-file.ts'

/** The user's settings for exports of AI clients. */
export interface ExportSettings {
	/** Real path of the folder; empty if none is chosen. */
	readonly folder: string
	/** Whether each export needs a confirmation. */
	readonly asks: boolean
}

/** Creates a new file, and never follows a symbolic link that another process created meanwhile. */
const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
const partName = /^\.roundhouse-[0-9a-f-]{36}\.part$/
/** Age at which an unfinished file is considered abandoned by a killed host. No export takes that long. */
const abandonedMs = 60 * 60 * 1000

/**
 * The folder for exports of AI clients. A client never passes a path, only the name of a new file in this folder. Node
 * cannot open a file relative to an open folder. So the folder is checked again after the file is open, to detect a
 * replaced folder.
 */
export class ExportFolder {
	readonly #settings: () => ExportSettings

	constructor(settings: () => ExportSettings) {
		this.#settings = settings
	}

	get asks(): boolean {
		return this.#settings().asks
	}

	/**
	 * Returns the chosen folder, after checking that it was not replaced. @throws HostError `export/no_folder`,
	 * `export/folder_invalid`
	 */
	async path(): Promise<string> {
		const { folder } = this.#settings()
		if (folder === '') throw exportErrors.make('no_folder')
		await requireSame(folder)
		return folder
	}

	/**
	 * Creates an unfinished file in `folder`, which {@link path} returned. The user may have confirmed that folder, and
	 * may choose another one, or none, at any time. @throws HostError `export/…`
	 */
	async begin(folder: string): Promise<ExportFile> {
		await this.#requireChosen(folder)
		await sweep(folder)
		const part = join(folder, `.roundhouse-${randomUUID()}.part`)
		// Exported rows are readable only by the user, independent of the umask.
		const handle = await open(part, createFlags, 0o600).catch(error => {
			throw exportErrors.make('not_written', { reason: messageOf(error) }, { cause: error })
		})
		const requireInPlace = async () => {
			await this.#requireChosen(folder)
			if (!(await isAt(part, handle))) throw invalid(folder, 'it was replaced meanwhile')
		}
		const file = new ExportFile({ handle, part, folder, requireInPlace })
		try {
			await requireInPlace()
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

/** Returns the real path of the folder that the user chose. @throws HostError `export/folder_invalid` */
export async function chosenFolder(path: string): Promise<string> {
	if (path === '') return ''
	if (!isAbsolute(path)) throw invalid(path, 'use an absolute path')
	return realFolder(path)
}

/** @throws HostError `export/folder_invalid` if the path now resolves to another folder, or to none */
async function requireSame(folder: string): Promise<void> {
	if ((await realFolder(folder)) !== folder) throw invalid(folder, 'it is now a link to another folder')
}

/** @throws HostError `export/folder_invalid` if the path is not a folder */
async function realFolder(path: string): Promise<string> {
	const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
		throw invalid(path, error.code === 'ENOENT' ? 'there is no such folder' : messageOf(error))
	})
	if (!(await stat(real)).isDirectory()) throw invalid(path, 'it is not a folder')
	return real
}

const invalid = (path: string, reason: string) => exportErrors.make('folder_invalid', { path, reason })

/** Deletes unfinished files of killed hosts. */
async function sweep(folder: string): Promise<void> {
	const names = await readdir(folder).catch(() => [])
	for (const name of names.filter(name => partName.test(name))) {
		const path = join(folder, name)
		const found = await lstat(path).catch(() => undefined)
		// A file that cannot be deleted may belong to another user.
		if (found?.isFile() && Date.now() - found.mtimeMs > abandonedMs) await unlink(path).catch(() => {})
	}
}
