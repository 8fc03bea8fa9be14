import { createHash } from 'node:crypto'
import { z } from 'zod'
import { readIfThere, readJsonFile, writeJsonFile, writePrivateFile } from '../base/atomic-file.ts'
import { Emitter } from '../base/emitter.ts'
import { redact } from '../base/redaction.ts'
import type { SupportDirectory } from '../base/support-directory.ts'
import { type ActivityEntry, type ActivityRecord, chained, faultOf, type Link, linkSchema, origin } from './chain.ts'
import { LogFile, readEntry, splitLines } from './log-file.ts'

export type { ActivityEntry, ActivityRecord } from './chain.ts'

/**
 * What AI clients did, as JSON lines that form one hash chain (chain.ts). Statements are kept as digests, never as text;
 * details are redacted.
 */

const retentionMs = 90 * 24 * 3600 * 1000
/** Longer details help nobody. */
const detailLimit = 300

/** Where the chain begins and ends, beside the log: a line cut off at either end would leave no gap. */
const endsSchema = z.object({
	version: z.literal(1),
	/** The last entry that grew too old, or the origin. */
	before: linkSchema,
	/** The last entry when this was written; the lines may have gone on since. */
	last: linkSchema,
	/** There were lines and no such note: who took it away could have cut lines off as well. */
	isLost: z.boolean().exactOptional(),
})
type Ends = z.infer<typeof endsSchema>

export type Verdict = { readonly ok: true; readonly entries: number } | { readonly ok: false; readonly fault: string }

export function statementDigest(statement: string): string {
	return createHash('sha256').update(statement).digest('hex')
}

interface Waiting {
	readonly record: ActivityRecord
	resolve(): void
	reject(error: unknown): void
}

export class ActivityLog {
	readonly #file: LogFile
	readonly #endsPath: string
	readonly #now: () => Date
	readonly #written = new Emitter<ActivityEntry>()
	/** Tells of each entry that is in the file. */
	readonly onEntry = this.#written.on
	readonly #entries: ActivityEntry[]
	#ends: Ends
	#waiting: Waiting[] = []
	#writing: Promise<void> | undefined
	#noting: Promise<void> | undefined

	private constructor(file: LogFile, endsPath: string, entries: ActivityEntry[], ends: Ends, now: () => Date) {
		this.#file = file
		this.#endsPath = endsPath
		this.#entries = entries
		this.#ends = ends
		this.#now = now
	}

	/**
	 * Opens the log and takes out what is older than 90 days. What a kill or a full disk left is taken up: lines that
	 * follow the last one noted count, and the beginning of a line is taken out, which an entry says. A damaged line is
	 * left for `verify` to find.
	 */
	static async open(support: SupportDirectory, now: () => Date = () => new Date()): Promise<ActivityLog> {
		const [path, endsPath] = [support.file(logName), support.file(endsName)]
		await prune(path, endsPath, now())
		const { file, lines, tornBytes } = await LogFile.open(path)
		const all = lines.flatMap(line => readEntry(line) ?? [])
		const found = await readJsonFile(endsPath, endsSchema)
		const noted = found ?? {
			version: 1 as const,
			before: origin,
			last: all.at(-1) ?? origin,
			...(lines.length > 0 && { isLost: true }),
		}
		// What stands before the beginning is vouched for by nothing.
		const entries = all.filter(({ sequence }) => sequence > noted.before.sequence)
		const ends = { ...noted, last: takenUp(noted.last, entries) }
		// From the first line on there is a note: one that is missing was taken away.
		if (ends.last.hash !== found?.last.hash) await writeJsonFile(endsPath, ends)
		const log = new ActivityLog(file, endsPath, entries, ends, now)
		if (tornBytes > 0) {
			const detail = `${tornBytes} bytes of a line that was cut short when Roundhouse ended were taken out.`
			await log.record({ action: 'log.recovered', outcome: 'error', detail })
		}
		return log
	}

	/** The newest first. */
	list(): readonly ActivityEntry[] {
		return this.#entries.toReversed()
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
				await this.#file.append(fresh)
				this.#taken(fresh)
				for (const { resolve } of batch) resolve()
			} catch (error) {
				for (const { reject } of batch) reject(error)
			}
		}
		this.#writing = undefined
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
		this.#entries.push(...fresh)
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
			await writeJsonFile(this.#endsPath, noted).catch(() => {})
		}
		this.#noting = undefined
	}
}

function linkOf({ sequence, hash }: ActivityEntry): Link {
	return { sequence, hash }
}

/** The end of the chain: from the entry that was noted last on, as far as each follows the one before. */
function takenUp(noted: Link, entries: readonly ActivityEntry[]): Link {
	const at = noted.sequence === 0 ? -1 : entries.findIndex(entry => entry.hash === noted.hash)
	// What was noted is gone: nothing may hide that.
	if (at < 0 && noted.sequence !== 0) return noted
	let last = noted
	for (const entry of entries.slice(at + 1)) {
		if (faultOf(entry, last)) break
		last = linkOf(entry)
	}
	return last
}

/** Takes out what is too old. The note of where the chain begins is written first: a kill in between shows as nothing. */
async function prune(path: string, endsPath: string, now: Date): Promise<void> {
	const bytes = await readIfThere(path)
	if (!bytes) return
	const oldest = now.getTime() - retentionMs
	const lines = splitLines(bytes)
	const firstKept = lines.findIndex(line => Date.parse(readEntry(line)?.time ?? '') >= oldest)
	const dropped = lines.slice(0, firstKept < 0 ? lines.length : firstKept).map(readEntry)
	const last = dropped.at(-1)
	if (!last || dropped.includes(undefined)) return
	const ends = await readJsonFile(endsPath, endsSchema)
	const before = linkOf(last)
	const kept = lines.slice(dropped.length)
	const noted = ends?.last ?? linkOf(readEntry(kept.at(-1) ?? '') ?? last)
	const isLost = ends ? ends.isLost : true
	const end = noted.sequence > before.sequence ? noted : before
	await writeJsonFile(endsPath, { version: 1, before, last: end, ...(isLost && { isLost }) })
	await writePrivateFile(path, kept.map(line => `${line}\n`).join(''))
}

/** Follows the chain on disk from its beginning to its end. */
export async function verifyActivity(support: SupportDirectory): Promise<Verdict> {
	const bytes = await readIfThere(support.file(logName))
	const lines = bytes ? splitLines(bytes) : []
	const ends = await readJsonFile(support.file(endsName), endsSchema)
	if (ends ? ends.isLost : lines.length > 0) {
		return { ok: false, fault: 'the note of where it begins and ends was removed' }
	}
	const before = ends?.before ?? origin
	let previous = before
	const seen = new Set([previous.hash])
	for (const [index, line] of lines.entries()) {
		const entry = readEntry(line)
		const where = `line ${index + 1}`
		if (!entry) return { ok: false, fault: `${where} is not an entry` }
		// A kill after the note that old lines are gone, and before they were: they stand in front, and end where it says.
		if (previous === before && entry.sequence < before.sequence) continue
		if (previous === before && entry.hash === before.hash) continue
		const fault = faultOf(entry, previous)
		if (fault === 'misplaced') {
			return { ok: false, fault: `${where} does not follow the one before: a line was removed, added or moved` }
		}
		if (fault === 'altered') return { ok: false, fault: `${where} was altered` }
		previous = entry
		seen.add(entry.hash)
	}
	// The lines may have gone on since the note; one that is missing is another matter.
	if (ends && !seen.has(ends.last.hash)) return { ok: false, fault: 'the last lines were removed' }
	return { ok: true, entries: lines.length }
}

const logName = 'activity.jsonl'
const endsName = 'activity-ends.json'
