import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, realpath, rename, rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { requestErrors } from './errors.ts'
import { segmentsOf } from './request-name.ts'

/** Size limit in bytes. People type requests, so a larger file is not a request. */
const largestFile = 1_000_000
/** A folder that was chosen by mistake must not be searched for minutes. */
const maxFiles = 2_000
const mostEntries = 20_000
/** Enough of a file to find its name. */
const headBytes = 1_000
/** A named pipe that replaced a file is opened without waiting, and then rejected. */
const toRead = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

export interface RequestContent {
	readonly content: string
	/** Version of the content. A writer must pass the version that it read. */
	readonly version: string
}

/**
 * A folder of plain files, which other programs such as Git and editors write too. Links are not followed, and nothing
 * outside is reached. The host's own folder is private.
 */
export class RequestFolder {
	readonly #root: string
	readonly #extension: string
	readonly #isOwn: boolean

	constructor(root: string, extension: string, { isOwn }: { readonly isOwn: boolean }) {
		this.#root = root
		this.#extension = extension
		this.#isOwn = isOwn
	}

	/** Returns the requests with the start of their files, by path; empty for a missing folder. */
	async list(): Promise<readonly { readonly path: string; readonly head: string }[]> {
		const found: { path: string; head: string }[] = []
		await this.#walk('', found, { left: mostEntries })
		return found.sort((a, b) => (a.path < b.path ? -1 : 1))
	}

	async #walk(folder: string, found: { path: string; head: string }[], entriesLeft: { left: number }): Promise<void> {
		const reading = readdir(join(this.#root, folder), { withFileTypes: true })
		// An unreadable folder in it does not hide the others.
		const entries = await reading.catch(folder === '' ? ifThere : () => undefined)
		for (const entry of entries ?? []) {
			if (found.length >= maxFiles || entriesLeft.left-- <= 0) return
			const path = folder === '' ? entry.name : `${folder}/${entry.name}`
			// A name that is not allowed cannot be opened, and hidden files belong to other programs.
			if (!isName(path)) continue
			if (entry.isDirectory()) await this.#walk(path, found, entriesLeft)
			else if (entry.isFile() && entry.name.endsWith(`.${this.#extension}`)) {
				const head = await this.#head(path).catch(() => undefined)
				if (head !== undefined) found.push({ path, head })
			}
		}
	}

	/** @throws HostError `request/…` */
	async read(path: string): Promise<RequestContent> {
		const place = await this.#place(path)
		const file = await open(place, toRead).catch(ifThere)
		if (!file) throw requestErrors.make('not_there', { name: path })
		try {
			const stat = await file.stat()
			if (!stat.isFile()) throw requestErrors.make('no_file', { name: path })
			if (stat.size > largestFile) throw tooLarge(path)
			const bytes = await file.readFile()
			// Text that is not UTF-8 would be written back differently.
			if (!isUtf8(bytes)) throw requestErrors.make('not_text', { name: path })
			return { content: bytes.toString('utf8'), version: versionOf(bytes) }
		} finally {
			await file.close()
		}
	}

	/**
	 * Writes a file, whole or not at all. `seen`: the version that the caller saw, `undefined` for a new file.
	 * @throws HostError `request/exists`, `request/changed`
	 */
	async write(path: string, content: string, seen: string | undefined): Promise<string> {
		const bytes = Buffer.from(content.toWellFormed())
		if (bytes.length > largestFile) throw tooLarge(path)
		const place = await this.#place(path)
		await this.#makeFolder(path)
		const there = await lstat(place).catch(ifThere)
		if (there && seen === undefined) throw requestErrors.make('exists', { name: path })
		// If the file was deleted, it is written again, so that no text is lost.
		const found = there && (await this.read(path)).version
		// The second of two quick saves names an outdated version, but the stored text is already its own.
		if (found === versionOf(bytes)) return found
		if (found !== undefined && found !== seen) throw requestErrors.make('changed', { name: path })
		await writeFileAtomic(place, bytes, { fsync: true, ...(this.#isOwn && { mode: 0o600 }) })
		return versionOf(bytes)
	}

	/** Moves a request, or a folder with its content. @throws HostError `request/…` */
	async move(path: string, to: string): Promise<void> {
		if (to.startsWith(`${path}/`))
			throw requestErrors.make('name_invalid', { name: to, reason: 'a folder cannot be moved into itself' })
		const [from, place] = [await this.#place(path), await this.#place(to)]
		if (!(await lstat(from).catch(ifThere))) throw requestErrors.make('not_there', { name: path })
		const there = await lstat(place).catch(ifThere)
		// On a case-insensitive file system, a name that differs only in case already exists. It is the same file.
		const isItself = there !== undefined && there.ino === (await lstat(from)).ino
		if (there && !isItself) throw requestErrors.make('exists', { name: to })
		await this.#makeFolder(to)
		await rename(from, place)
		await this.#sweep(dirname(path))
	}

	/** @throws HostError `request/…` */
	async remove(path: string): Promise<void> {
		const place = await this.#place(path)
		const stat = await lstat(place).catch(ifThere)
		if (!stat) throw requestErrors.make('not_there', { name: path })
		if (!stat.isFile()) throw requestErrors.make('no_file', { name: path })
		await unlink(place)
		await this.#sweep(dirname(path))
	}

	async #head(path: string): Promise<string> {
		const file = await open(await this.#place(path), toRead)
		try {
			const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
			return buffer.toString('utf8', 0, bytesRead)
		} finally {
			await file.close()
		}
	}

	/** Returns the real location of a path; each part must be what it appears to be. */
	async #place(path: string): Promise<string> {
		const segments = segmentsOf(path)
		let place = (await realpath(this.#root).catch(ifThere)) ?? this.#root
		for (const [index, segment] of segments.entries()) {
			place = join(place, segment)
			const stat = await lstat(place).catch(ifThere)
			if (!stat) continue
			const isLast = index === segments.length - 1
			if (!stat.isDirectory() && !(isLast && stat.isFile())) throw requestErrors.make('no_file', { name: path })
		}
		return place
	}

	async #makeFolder(path: string): Promise<void> {
		// Own folders are private from the top; in a chosen folder the user's umask applies.
		await mkdir(this.#root, { recursive: true, ...(this.#isOwn && { mode: 0o700 }) })
		const place = dirname(await this.#place(path))
		await mkdir(place, { recursive: true, ...(this.#isOwn && { mode: 0o700 }) })
	}

	/** Removes empty folders. */
	async #sweep(folder: string): Promise<void> {
		for (let path = folder; path !== '.'; path = dirname(path)) {
			const isGone = await rmdir(join(this.#root, path)).then(
				() => true,
				() => false,
			)
			if (!isGone) return
		}
	}
}

const versionOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const tooLarge = (path: string) => requestErrors.make('too_large', { name: path, limit: '1 MB' })

function isName(path: string): boolean {
	try {
		return segmentsOf(path).length > 0
	} catch {
		return false
	}
}

function ifThere(error: NodeJS.ErrnoException): undefined {
	if (error.code === 'ENOENT') return undefined
	throw error
}
