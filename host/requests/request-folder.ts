import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, realpath, rename, rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { requestErrors } from './errors.ts'
import { segmentsOf } from './request-name.ts'

/** A request is typed by a person; nothing that large is one. */
const largestFile = 1_000_000
/** A folder that somebody chose by mistake must not be walked for minutes. */
const mostFiles = 2_000
const mostEntries = 20_000
/** Enough of a file to find its name in. */
const headBytes = 1_000
/** A pipe that somebody puts in a file's place meanwhile is opened without waiting for who writes it, and then no file. */
const toRead = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

export interface RequestContent {
	readonly content: string
	/** Of exactly these bytes: who writes says which ones they have seen. */
	readonly version: string
}

/**
 * A folder of plain files, which other programs write too: Git, an editor. Nothing in it is followed that is a link, and
 * nothing beside it is reached. Where it is the host's own, others may not read it.
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

	/** The requests with the beginnings of their files, by path; a folder that is not there has none. */
	async list(): Promise<readonly { readonly path: string; readonly head: string }[]> {
		const found: { path: string; head: string }[] = []
		await this.#walk('', found, { left: mostEntries })
		return found.sort((a, b) => (a.path < b.path ? -1 : 1))
	}

	async #walk(folder: string, found: { path: string; head: string }[], entriesLeft: { left: number }): Promise<void> {
		const reading = readdir(join(this.#root, folder), { withFileTypes: true })
		// A folder in it that may not be read takes none of the others along.
		const entries = await reading.catch(folder === '' ? ifThere : () => undefined)
		for (const entry of entries ?? []) {
			if (found.length >= mostFiles || entriesLeft.left-- <= 0) return
			const path = folder === '' ? entry.name : `${folder}/${entry.name}`
			// What cannot be named cannot be opened, and what is hidden is another program's.
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
			// What is no UTF-8 would be written back as something else.
			if (!isUtf8(bytes)) throw requestErrors.make('not_text', { name: path })
			return { content: bytes.toString('utf8'), version: versionOf(bytes) }
		} finally {
			await file.close()
		}
	}

	/**
	 * Writes a file, whole or not at all. `seen`: the version that whoever writes has seen, `undefined` where it is to be a
	 * new one. @throws HostError `request/exists`, `request/changed`
	 */
	async write(path: string, content: string, seen: string | undefined): Promise<string> {
		const bytes = Buffer.from(content.toWellFormed())
		if (bytes.length > largestFile) throw tooLarge(path)
		const place = await this.#place(path)
		await this.#makeFolder(path)
		const there = await lstat(place).catch(ifThere)
		if (there && seen === undefined) throw requestErrors.make('exists', { name: path })
		// One that is gone is written anew: nothing of anybody's is lost by that.
		const found = there && (await this.read(path)).version
		// Who saves twice in a hurry has seen neither: it is theirs all the same.
		if (found === versionOf(bytes)) return found
		if (found !== undefined && found !== seen) throw requestErrors.make('changed', { name: path })
		await writeFileAtomic(place, bytes, { fsync: true, ...(this.#isOwn && { mode: 0o600 }) })
		return versionOf(bytes)
	}

	/** Moves a request, or a folder with all that is in it. @throws HostError `request/…` */
	async move(path: string, to: string): Promise<void> {
		if (to.startsWith(`${path}/`)) throw requestErrors.make('name_invalid', { name: to, reason: 'it lies in itself' })
		const [from, place] = [await this.#place(path), await this.#place(to)]
		if (!(await lstat(from).catch(ifThere))) throw requestErrors.make('not_there', { name: path })
		const there = await lstat(place).catch(ifThere)
		// On a disk that knows no capitals a name that changes those alone is there already: it is the same file.
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

	/** Where a path leads, each part of which is what it looks like. */
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
		// Own folders are private from their top; in one that the person chose, their own mask says who may look.
		await mkdir(this.#root, { recursive: true, ...(this.#isOwn && { mode: 0o700 }) })
		const place = dirname(await this.#place(path))
		await mkdir(place, { recursive: true, ...(this.#isOwn && { mode: 0o700 }) })
	}

	/** Lets go of folders that hold nothing any more. */
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
