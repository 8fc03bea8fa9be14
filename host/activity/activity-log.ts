import { createHash } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { cutText } from '@roundhouse/kit'
import { withoutCredentials } from '../../base/credentials-in-text.ts'
import { Emitter } from '../../base/emitter.ts'
import { KeyedMutex } from '../../base/keyed-mutex.ts'
import { redact } from '../../base/redaction.ts'
import type { SupportDirectory } from '../../base/support-directory.ts'
import {
	type ActivityEntry,
	type ActivityRecord,
	chained,
	findChainEnd,
	type Link,
	linkOf,
	origin,
	type PrintedEntry,
} from './chain.ts'
import { type ChainBounds, readBounds, writeBounds } from './chain-bounds.ts'
import { LogFile } from './log-file.ts'
import { prune } from './prune.ts'
import { Segments } from './segments.ts'
import { followChain, type Verdict } from './verify.ts'

export type { ActivityEntry, ActivityRecord } from './chain.ts'
export { type Verdict, verifyActivity } from './verify.ts'

/**
 * Records the calls of AI clients as JSON lines that form a hash chain (chain.ts). Statements are stored as digests.
 * The text of a statement is stored only if the user allows it, and the caller must redact the text first. The log
 * redacts details itself. Entries are not kept in memory; they are read from the files (segments.ts).
 */

/** Upper limit of a detail, in characters. */
const detailLimit = 300
/** Size at which the current file is archived and a new one is started. */
const segmentBytes = 5 * 1024 * 1024
/** Least time between two writes of the bounds. */
const boundsIntervalMs = 100
/** A batch of records waits for at most this many turns of the event loop. */
const mostTurns = 4

export function statementDigest(statement: string): string {
	return createHash('sha256').update(statement).digest('hex')
}

/** Returns a statement for storage: without credentials, and with normalized line breaks. */
export function storableStatement(statement: string): string {
	return withoutCredentials(statement.replaceAll('\r\n', '\n'))
}

/** Records that are written together. */
class Batch {
	readonly records: ActivityRecord[] = []
	readonly written = Promise.withResolvers<void>()
}

interface OpenedLog {
	readonly file: LogFile
	readonly bounds: ChainBounds
}

export interface ActivityLogOptions {
	readonly now?: () => Date
	readonly segmentBytes?: number
}

export class ActivityLog {
	readonly #support: SupportDirectory
	readonly #segments: Segments
	readonly #segmentBytes: number
	readonly #file: LogFile
	readonly #now: () => Date
	readonly #written = new Emitter<ActivityEntry>()
	/** Fires for each entry after it is written. */
	readonly onEntry = this.#written.on
	/** Files are not moved while a reader opens them. */
	readonly #mutex = new KeyedMutex()
	#bounds: ChainBounds
	#waiting = new Batch()
	#writing: Promise<void> | undefined
	#storing: Promise<void> | undefined
	#time = { ms: Number.NaN, text: '' }
	/** By `performance.now`. */
	#storedAt = Number.NEGATIVE_INFINITY

	private constructor(support: SupportDirectory, { file, bounds }: OpenedLog, options: ActivityLogOptions) {
		this.#support = support
		this.#segments = new Segments(support)
		this.#segmentBytes = options.segmentBytes ?? segmentBytes
		this.#file = file
		this.#bounds = bounds
		this.#now = options.now ?? (() => new Date())
	}

	/**
	 * Opens the log and removes entries older than 90 days. Recovers from a kill or a full disk: accepts lines after the
	 * recorded end, and removes an incomplete line, which a new entry records. A damaged line stays, so that `verify`
	 * reports it. Reads only the end of the log.
	 */
	static async open(support: SupportDirectory, options: ActivityLogOptions = {}): Promise<ActivityLog> {
		await prune(support, options.now?.() ?? new Date())
		const { file, tornBytes } = await LogFile.open(new Segments(support).currentPath)
		const found = await readBounds(support)
		const bounds = await boundsOnDisk(support, found)
		// The bounds are stored before the first line is written. If the log has lines but no bounds, the bounds were
		// removed.
		if (bounds.last.hash !== found?.last.hash) await writeBounds(support, bounds)
		const log = new ActivityLog(support, { file, bounds }, options)
		if (tornBytes > 0) {
			const detail = `${tornBytes} bytes of an incomplete line were removed. Roundhouse ended while it wrote the line.`
			await log.record({ action: 'log.recovered', outcome: 'error', detail })
		}
		return log
	}

	/** Returns up to `count` entries, newest first. */
	async newest(count: number): Promise<readonly ActivityEntry[]> {
		await using snapshot = await this.#mutex.run(files, () => this.#segments.snapshot())
		const entries: ActivityEntry[] = []
		if (count <= 0) return entries
		for await (const entry of snapshot.entriesBackward()) {
			// Entries before the beginning of the chain are not verified.
			if (entry.sequence <= this.#bounds.before.sequence) break
			entries.push(entry)
			if (entries.length >= count) break
		}
		return entries
	}

	/** Verifies the chain up to the entries that were recorded before the call. */
	async verify(): Promise<Verdict> {
		await this.flush()
		const bounds = await readBounds(this.#support)
		await using snapshot = await this.#mutex.run(files, () => this.#segments.snapshot())
		return await followChain(snapshot, bounds)
	}

	/**
	 * Appends a record, in the order of the calls. Records that arrive during a write are written together. Resolves when
	 * the operating system has the data, so that a kill of this process loses nothing. @throws Error of the system
	 */
	record(record: ActivityRecord): Promise<void> {
		this.#waiting.records.push(record)
		this.#writing ??= this.#writeWaiting()
		return this.#waiting.written.promise
	}

	/** Resolves when all records and the bounds are written, and the file is closed until the next record. */
	async flush(): Promise<void> {
		while (this.#writing || this.#storing) await Promise.all([this.#writing, this.#storing])
		this.#file.close()
	}

	async #writeWaiting(): Promise<void> {
		while (this.#waiting.records.length > 0) {
			// Waits while further requests arrive in each turn of the event loop: a write costs as much as two calls, and clients
			// that are answered together ask again together.
			for (let seen = 0, turns = 0; seen < this.#waiting.records.length && turns < mostTurns; turns++) {
				seen = this.#waiting.records.length
				await setImmediate()
			}
			const { records, written } = this.#waiting
			this.#waiting = new Batch()
			try {
				const fresh = this.#chain(records)
				// A full file is archived only at the next write, because a start reads the end of the newest file and therefore
				// needs an entry in it.
				if (this.#file.sizeBytes >= this.#segmentBytes) await this.#mutex.run(files, () => this.#archive())
				this.#file.append(fresh.map(({ line }) => line).join(''))
				this.#committed(fresh)
				written.resolve()
			} catch (error) {
				written.reject(error)
			}
		}
		this.#writing = undefined
	}

	async #archive(): Promise<void> {
		try {
			this.#file.close()
			await this.#segments.archive(this.#bounds.last.sequence)
			this.#file.reset()
		} catch {
			// The file keeps growing, and the next entry retries this.
		}
	}

	#chain(records: readonly ActivityRecord[]): readonly PrintedEntry[] {
		const time = this.#timeText()
		let previous: Link = this.#bounds.last
		return records.map(record => {
			const { detail } = record
			const shown = detail === undefined ? record : { ...record, detail: cutText(redact(detail), detailLimit - 1) }
			const printed = chained(shown, time, previous)
			previous = printed.entry
			return printed
		})
	}

	/** Returns the time as text. Several batches of a millisecond print it once. */
	#timeText(): string {
		const now = this.#now()
		const ms = now.getTime()
		if (ms !== this.#time.ms) this.#time = { ms, text: now.toISOString() }
		return this.#time.text
	}

	#committed(fresh: readonly PrintedEntry[]): void {
		const last = fresh.at(-1)?.entry
		if (last) this.#bounds = { ...this.#bounds, last: linkOf(last) }
		this.#storing ??= this.#storeBounds()
		for (const { entry } of fresh) this.#written.fire(entry)
	}

	/**
	 * Stores the bounds in the background. If the stored bounds are outdated after a kill, the next start finds the end
	 * from the lines of the chain.
	 */
	async #storeBounds(): Promise<void> {
		for (let noted: ChainBounds | undefined; noted !== this.#bounds; ) {
			const restMs = this.#storedAt + boundsIntervalMs - performance.now()
			if (restMs > 0) await setTimeout(restMs)
			noted = this.#bounds
			this.#storedAt = performance.now()
			// Ignored: the lines are written. Only a removal of the last lines would not be detected.
			await writeBounds(this.#support, noted).catch(() => {})
		}
		this.#storing = undefined
	}
}

/** The only key of the mutex. */
const files = 'files'

/** Returns the bounds of the chain, from the stored bounds and the lines after them. */
async function boundsOnDisk(support: SupportDirectory, found: ChainBounds | undefined): Promise<ChainBounds> {
	await using snapshot = await new Segments(support).snapshot()
	const backward = snapshot.entriesBackward()
	if (found) {
		const isBeginning = found.last.hash === found.before.hash
		return { ...found, last: await findChainEnd(found.last, isBeginning, backward) }
	}
	const newest = (await backward.next()).value
	await backward.return(undefined)
	const isEmpty = newest === undefined && snapshot.isEmpty()
	return { version: 1, before: origin, last: newest ? linkOf(newest) : origin, ...(!isEmpty && { isLost: true }) }
}
