import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { connectionErrors } from './errors.ts'
import { fileFault } from './file-fault.ts'
import { isWithin } from './granted-paths.ts'

interface Entry {
	readonly name: string
	readonly path: string
	readonly isFolder: boolean
}

/** A folder of the user, for a field of a form that takes a path. */
export interface FolderListing {
	readonly path: string
	/** As people write it: `~/certificates`. */
	readonly label: string
	/** The folder above, within the home folder. */
	readonly parent: string | null
	/** Folders first, then files; hidden ones last. */
	readonly entries: readonly Entry[]
	/** There are more entries than these. */
	readonly isCut: boolean
}

/** Users type a path rather than search among more. */
const mostEntries = 2_000

/**
 * Lists names of a folder within the home folder; contents are never read. The host's own folder is left out.
 * @param path a folder or a file in it. Default: the home folder
 * @throws HostError `connection/folder_refused`
 */
export async function listFolder(path: string | undefined, supportPath: string): Promise<FolderListing> {
	const resolved = (path: string) => realpath(path).catch(() => path)
	const home = await resolved(homedir())
	const support = await resolved(supportPath)
	const wanted = path ?? home
	const refuse = (reason: string) => connectionErrors.make('folder_refused', { path: basename(wanted), reason })
	const folder = await folderAt(wanted).catch(error => {
		throw refuse(fileFault(wanted, error).reason)
	})
	if (!isWithin(folder, home)) throw refuse('it is not in your home folder. Type the path')
	if (isWithin(folder, support)) throw refuse('Roundhouse keeps its own settings and secrets there')
	const found = await readdir(folder, { withFileTypes: true }).catch(error => {
		throw refuse(fileFault(folder, error).reason)
	})
	const shown = found.filter(({ name }) => join(folder, name) !== support)
	const entries = await Promise.all(shown.slice(0, mostEntries).map(entry => entryOf(folder, entry)))
	return {
		path: folder,
		label: join('~', relative(home, folder)),
		parent: folder === home ? null : dirname(folder),
		entries: entries.filter(entry => entry !== undefined).sort(byKind),
		isCut: shown.length > mostEntries,
	}
}

/** Returns the real path of a folder, or of the folder of a file. */
async function folderAt(path: string): Promise<string> {
	const real = await realpath(path)
	return (await stat(real)).isDirectory() ? real : dirname(real)
}

async function entryOf(folder: string, entry: Dirent): Promise<Entry | undefined> {
	const path = join(folder, entry.name)
	// A link that leads nowhere is left out.
	const found = entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : entry
	if (!found?.isDirectory() && !found?.isFile()) return undefined
	return { name: entry.name, path, isFolder: found.isDirectory() }
}

function byKind(a: Entry, b: Entry): number {
	const rank = ({ name, isFolder }: Entry) => (name.startsWith('.') ? 2 : 0) + (isFolder ? 0 : 1)
	return rank(a) - rank(b) || a.name.localeCompare(b.name)
}
