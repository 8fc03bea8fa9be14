import { fstatSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { SupportDirectory } from '../../base/support-directory.ts'
import type { ActivityEntry } from './chain.ts'
import { type FileRange, linesBackward, readEntry } from './lines.ts'

/**
 * The files of the log: the current file `activity.jsonl` and the archived files in `activity/`. An archived file is
 * named after the sequence number of its last entry. One hash chain covers all files.
 */
export class Segments {
	readonly currentPath: string
	readonly #folder: string

	constructor(support: SupportDirectory) {
		this.currentPath = support.file('activity.jsonl')
		this.#folder = support.file('activity')
	}

	/** Archives the current file. The next entry starts a new one. */
	async archive(lastSequence: number): Promise<void> {
		await mkdir(this.#folder, { recursive: true, mode: 0o700 })
		await rename(this.currentPath, join(this.#folder, `${String(lastSequence).padStart(12, '0')}.jsonl`))
	}

	/** Returns the paths of the archived files, oldest first. */
	async archivedPaths(): Promise<readonly string[]> {
		const names = await orIfMissing(readdir(this.#folder), [])
		const ours = names.filter(name => /^\d{12,16}\.jsonl$/.test(name))
		return ours.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)).map(name => join(this.#folder, name))
	}

	/**
	 * Returns a snapshot that later entries do not change: archived files are immutable, and the current file is kept
	 * open.
	 */
	async snapshot(): Promise<SegmentSnapshot> {
		const archive = await this.archivedPaths()
		const handle = await orIfMissing(open(this.currentPath), undefined)
		// Synchronous, as the appends of this process are, so that the size is never that of a part of one.
		return new SegmentSnapshot(archive, handle && { handle, sizeBytes: fstatSync(handle.fd).size })
	}
}

export class SegmentSnapshot implements AsyncDisposable {
	readonly #archived: readonly string[]
	readonly #current: FileRange | undefined

	constructor(archive: readonly string[], current: FileRange | undefined) {
		this.#archived = archive
		this.#current = current
	}

	/**
	 * Yields the files, oldest first. `name` is the path of an archived file relative to the support directory. It is
	 * `undefined` for the current file.
	 */
	async *forward(): AsyncGenerator<FileRange & { readonly name: string | undefined }> {
		for (const path of this.#archived) {
			await using handle = await open(path)
			yield { name: `activity/${basename(path)}`, handle, sizeBytes: await sizeOf(handle) }
		}
		if (this.#current) yield { ...this.#current, name: undefined }
	}

	/** Yields the entries, newest first. Skips lines that are not entries. */
	async *entriesBackward(): AsyncGenerator<ActivityEntry> {
		if (this.#current) yield* entriesOf(this.#current)
		for (const path of this.#archived.toReversed()) {
			await using handle = await open(path)
			yield* entriesOf({ handle, sizeBytes: await sizeOf(handle) })
		}
	}

	isEmpty(): boolean {
		return this.#archived.length === 0 && (this.#current?.sizeBytes ?? 0) === 0
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#current?.handle.close()
	}
}

async function* entriesOf(range: FileRange): AsyncGenerator<ActivityEntry> {
	for await (const line of linesBackward(range)) {
		const entry = readEntry(line)
		if (entry) yield entry
	}
}

async function sizeOf(handle: FileHandle): Promise<number> {
	return (await handle.stat()).size
}

async function orIfMissing<T, U>(found: Promise<T>, otherwise: U): Promise<T | U> {
	try {
		return await found
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise
		throw error
	}
}
