import { type FileHandle, mkdir, open, readdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { SupportDirectory } from '../base/support-directory.ts'
import type { ActivityEntry } from './chain.ts'
import { linesBackward, readEntry, type Stretch } from './lines.ts'

/**
 * The log on disk: `activity.jsonl`, which grows, and in `activity/` what it was before, in files named after the last
 * entry in them. One chain goes through all of them.
 */
export class Segments {
	readonly newestPath: string
	readonly #folder: string

	constructor(support: SupportDirectory) {
		this.newestPath = support.file('activity.jsonl')
		this.#folder = support.file('activity')
	}

	/** Puts the newest one away; the next entry begins another. */
	async putAway(lastSequence: number): Promise<void> {
		await mkdir(this.#folder, { recursive: true, mode: 0o700 })
		await rename(this.newestPath, join(this.#folder, `${String(lastSequence).padStart(12, '0')}.jsonl`))
	}

	/** Those that were put away, the oldest first. */
	async putAwayPaths(): Promise<readonly string[]> {
		const names = await orIfMissing(readdir(this.#folder), [])
		const ours = names.filter(name => /^\d{12,16}\.jsonl$/.test(name))
		return ours.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)).map(name => join(this.#folder, name))
	}

	/** As they are now, however the log goes on: what was put away stays as it is, and the newest is held open. */
	async hold(): Promise<HeldSegments> {
		const putAway = await this.putAwayPaths()
		const handle = await orIfMissing(open(this.newestPath), undefined)
		return new HeldSegments(putAway, handle && { handle, sizeBytes: await sizeOf(handle) })
	}
}

export class HeldSegments implements AsyncDisposable {
	readonly #putAway: readonly string[]
	readonly #newest: Stretch | undefined

	constructor(putAway: readonly string[], newest: Stretch | undefined) {
		this.#putAway = putAway
		this.#newest = newest
	}

	/** The oldest first; those that were put away with their names in the support directory. */
	async *forward(): AsyncGenerator<Stretch & { readonly name: string | undefined }> {
		for (const path of this.#putAway) {
			await using handle = await open(path)
			yield { name: `activity/${basename(path)}`, handle, sizeBytes: await sizeOf(handle) }
		}
		if (this.#newest) yield { ...this.#newest, name: undefined }
	}

	/** The newest first; a line that is no entry is left out. */
	async *entriesBackward(): AsyncGenerator<ActivityEntry> {
		if (this.#newest) yield* entriesOf(this.#newest)
		for (const path of this.#putAway.toReversed()) {
			await using handle = await open(path)
			yield* entriesOf({ handle, sizeBytes: await sizeOf(handle) })
		}
	}

	isEmpty(): boolean {
		return this.#putAway.length === 0 && (this.#newest?.sizeBytes ?? 0) === 0
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#newest?.handle.close()
	}
}

async function* entriesOf(stretch: Stretch): AsyncGenerator<ActivityEntry> {
	for await (const line of linesBackward(stretch)) {
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
