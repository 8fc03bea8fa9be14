import { createHash } from 'node:crypto'
import { Emitter } from '../base/emitter.ts'
import { redact } from '../base/redaction.ts'
import type { SupportDirectory } from '../base/support-directory.ts'
import { Turns } from '../base/turns.ts'
import { type ActivityEntry, type ActivityRecord, chained, type Link, linkOf, origin, takenUp } from './chain.ts'
import { type Ends, readEnds, writeEnds } from './ends.ts'
import { LogFile } from './log-file.ts'
import { prune } from './prune.ts'
import { Segments } from './segments.ts'
import { followChain, type Verdict } from './verify.ts'

export type { ActivityEntry, ActivityRecord } from './chain.ts'
export { type Verdict, verifyActivity } from './verify.ts'

/**
 * What AI clients did, as JSON lines that form one hash chain (chain.ts). Statements are kept as digests, never as text;
 * details are redacted. Nothing of it is held: what is asked for is read from the files (segments.ts).
 */

/** Longer details help nobody. */
const detailLimit = 300
/** From here on a file is put away and another begun. */
const segmentBytes = 5 * 1024 * 1024

export function statementDigest(statement: string): string {
	return createHash('sha256').update(statement).digest('hex')
}

interface Waiting {
	readonly record: ActivityRecord
	resolve(): void
	reject(error: unknown): void
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
	/** Tells of each entry that is in the file. */
	readonly onEntry = this.#written.on
	/** Who writes and who looks at the files do not meet. */
	readonly #turns = new Turns()
	#ends: Ends
	#waiting: Waiting[] = []
	#writing: Promise<void> | undefined
	#noting: Promise<void> | undefined

	private constructor(support: SupportDirectory, file: LogFile, ends: Ends, options: ActivityLogOptions) {
		this.#support = support
		this.#segments = new Segments(support)
		this.#segmentBytes = options.segmentBytes ?? segmentBytes
		this.#file = file
		this.#ends = ends
		this.#now = options.now ?? (() => new Date())
	}

	/**
	 * Opens the log and takes out what is older than 90 days. What a kill or a full disk left is taken up: lines that
	 * follow the last one noted count, and the beginning of a line is taken out, which an entry says. A damaged line is
	 * left for `verify` to find. Only the end of the log is read.
	 */
	static async open(support: SupportDirectory, options: ActivityLogOptions = {}): Promise<ActivityLog> {
		await prune(support, options.now?.() ?? new Date())
		const { file, tornBytes } = await LogFile.open(new Segments(support).newestPath)
		const found = await readEnds(support)
		const ends = await endsOnDisk(support, found)
		// From the first line on there is a note: one that is missing was taken away.
		if (ends.last.hash !== found?.last.hash) await writeEnds(support, ends)
		const log = new ActivityLog(support, file, ends, options)
		if (tornBytes > 0) {
			const detail = `${tornBytes} bytes of a line that was cut short when Roundhouse ended were taken out.`
			await log.record({ action: 'log.recovered', outcome: 'error', detail })
		}
		return log
	}

	/** As many as are asked for, the newest first. */
	async newest(count: number): Promise<readonly ActivityEntry[]> {
		await using held = await this.#turns.take(files, () => this.#segments.hold())
		const entries: ActivityEntry[] = []
		if (count <= 0) return entries
		for await (const entry of held.entriesBackward()) {
			// What stands before the beginning is vouched for by nothing.
			if (entry.sequence <= this.#ends.before.sequence) break
			entries.push(entry)
			if (entries.length >= count) break
		}
		return entries
	}

	/** Follows the chain through everything that was recorded before the call. */
	async verify(): Promise<Verdict> {
		await this.flush()
		const ends = await readEnds(this.#support)
		await using held = await this.#turns.take(files, () => this.#segments.hold())
		return await followChain(held, ends)
	}

	/**
	 * Appends in the order of the calls; what comes while a write is under way goes out together. Settles when the
	 * system has it: a kill of this process loses nothing. @throws Error of the system where it could not be written
	 */
	record(record: ActivityRecord): Promise<void> {
		const { promise, resolve, reject } = Promise.withResolvers<void>()
		this.#waiting.push({ record, resolve, reject })
		this.#writing ??= this.#writeWaiting()
		return promise
	}

	/** Settles when everything recorded so far is on disk. */
	async flush(): Promise<void> {
		while (this.#writing || this.#noting) await Promise.all([this.#writing, this.#noting])
	}

	async #writeWaiting(): Promise<void> {
		// What is recorded in the same turn goes out together.
		await undefined
		while (this.#waiting.length > 0) {
			const batch = this.#waiting
			this.#waiting = []
			try {
				const fresh = this.#chain(batch)
				await this.#turns.take(files, () => this.#append(fresh))
				this.#taken(fresh)
				for (const { resolve } of batch) resolve()
			} catch (error) {
				for (const { reject } of batch) reject(error)
			}
		}
		this.#writing = undefined
	}

	async #append(fresh: readonly ActivityEntry[]): Promise<void> {
		// Full ones are put away before they are written to: until then they are the end of the log, which is read at the start.
		if (this.#file.sizeBytes >= this.#segmentBytes) await this.#putAway()
		await this.#file.append(fresh)
	}

	async #putAway(): Promise<void> {
		try {
			await this.#segments.putAway(this.#ends.last.sequence)
			this.#file.beginAnew()
		} catch {
			// The file goes on growing, and this is tried again with the next entry.
		}
	}

	#chain(batch: readonly Waiting[]): readonly ActivityEntry[] {
		const time = this.#now().toISOString()
		let previous: Link = this.#ends.last
		return batch.map(({ record: { detail, ...record } }) => {
			const shown = detail === undefined ? record : { ...record, detail: redact(detail).slice(0, detailLimit) }
			const entry = chained(shown, time, previous)
			previous = entry
			return entry
		})
	}

	#taken(fresh: readonly ActivityEntry[]): void {
		const last = fresh.at(-1)
		if (last) this.#ends = { ...this.#ends, last: linkOf(last) }
		this.#noting ??= this.#noteEnds()
		for (const entry of fresh) this.#written.fire(entry)
	}

	/** Follows the lines in its own time; the chain itself tells how far it goes. */
	async #noteEnds(): Promise<void> {
		for (let noted: Ends | undefined; noted !== this.#ends; ) {
			noted = this.#ends
			// The lines are there; without this note only the removal of the last ones would not show.
			await writeEnds(this.#support, noted).catch(() => {})
		}
		this.#noting = undefined
	}
}

/** The one key of the turns. */
const files = 'files'

/** Where the chain begins and ends, by the note and by the lines that came after it. */
async function endsOnDisk(support: SupportDirectory, found: Ends | undefined): Promise<Ends> {
	await using held = await new Segments(support).hold()
	const backward = held.entriesBackward()
	if (found) {
		const isBeginning = found.last.hash === found.before.hash
		return { ...found, last: await takenUp(found.last, isBeginning, backward) }
	}
	const newest = (await backward.next()).value
	await backward.return(undefined)
	const isEmpty = newest === undefined && held.isEmpty()
	return { version: 1, before: origin, last: newest ? linkOf(newest) : origin, ...(!isEmpty && { isLost: true }) }
}
