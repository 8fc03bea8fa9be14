import { createHash } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import { z } from 'zod'
import { readIfThere, readJsonFile, writeJsonFile, writePrivateFile } from '../base/atomic-file.ts'
import { parseOrNothing } from '../base/parse-or-nothing.ts'
import { redact } from '../base/redaction.ts'
import type { SupportDirectory } from '../base/support-directory.ts'

/**
 * What AI clients did, as JSON lines that form one hash chain: each line carries the hash of the one before, so a line
 * that is altered, removed or moved shows. Tamper-evident, not tamper-proof: who can write here can write it all anew.
 *
 * Statements are kept as digests, never as text; details are redacted.
 */

const zeroHash = '0'.repeat(64)
const retentionMs = 90 * 24 * 3600 * 1000
/** Longer details help nobody. */
const detailLimit = 300

const recordSchema = z.object({
	/** `tool.execute_query`, `resource.read`, `auth.failure`, `token.created`, … */
	action: z.string(),
	outcome: z.enum(['success', 'denied', 'error', 'cancelled']),
	token: z.string().optional(),
	client: z.string().optional(),
	/** Id of the connection. */
	connection: z.string().optional(),
	/** SHA-256 of the statement, in hexadecimal. */
	statement: z.string().optional(),
	durationMs: z.number().optional(),
	detail: z.string().optional(),
})
export type ActivityRecord = Readonly<z.infer<typeof recordSchema>>

const entrySchema = recordSchema.extend({
	sequence: z.int().positive(),
	time: z.iso.datetime(),
	previous: z.string().length(64),
	hash: z.string().length(64),
})
export type ActivityEntry = Readonly<z.infer<typeof entrySchema>>

/** Where the chain begins and ends, beside the log: a line cut off at either end would leave no gap. */
const endsSchema = z.object({
	version: z.literal(1),
	/** The last entry that grew too old, or the zero hash. */
	before: z.object({ sequence: z.int().nonnegative(), hash: z.string().length(64) }),
	last: z.object({ sequence: z.int().nonnegative(), hash: z.string().length(64) }),
})
type Ends = z.infer<typeof endsSchema>

export type Verdict = { readonly ok: true; readonly entries: number } | { readonly ok: false; readonly fault: string }

const origin = { sequence: 0, hash: zeroHash }

export function statementDigest(statement: string): string {
	return createHash('sha256').update(statement).digest('hex')
}

export class ActivityLog {
	readonly #path: string
	readonly #endsPath: string
	readonly #now: () => Date
	readonly #listeners = new Set<(entry: ActivityEntry) => void>()
	#entries: ActivityEntry[]
	#ends: Ends
	#queue: Promise<unknown> = Promise.resolve()

	private constructor(support: SupportDirectory, entries: ActivityEntry[], ends: Ends, now: () => Date) {
		this.#path = support.file(logName)
		this.#endsPath = support.file(endsName)
		this.#entries = entries
		this.#ends = ends
		this.#now = now
	}

	/** Opens the log and takes out what is older than 90 days. A damaged line is left for `verify` to find. */
	static async open(support: SupportDirectory, now: () => Date = () => new Date()): Promise<ActivityLog> {
		const entries = readEntries(await readLines(support))
		const last = entries.at(-1) ?? origin
		const ends = (await readJsonFile(support.file(endsName), endsSchema)) ?? {
			version: 1 as const,
			before: origin,
			last,
		}
		const log = new ActivityLog(support, entries, ends, now)
		await log.#prune()
		return log
	}

	/** The newest first. */
	list(): readonly ActivityEntry[] {
		return this.#entries.toReversed()
	}

	onEntry(listener: (entry: ActivityEntry) => void): () => void {
		this.#listeners.add(listener)
		return () => this.#listeners.delete(listener)
	}

	/** Appends in the order of the calls; settles when it is on disk. */
	record(record: ActivityRecord): Promise<void> {
		const done = this.#queue.then(async () => {
			const previous = this.#ends.last
			const entry = chained(
				{
					...record,
					...(record.detail !== undefined && { detail: redact(record.detail).slice(0, detailLimit) }),
					sequence: previous.sequence + 1,
					time: this.#now().toISOString(),
				},
				previous.hash,
			)
			await appendFile(this.#path, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
			this.#entries.push(entry)
			this.#ends = { ...this.#ends, last: { sequence: entry.sequence, hash: entry.hash } }
			await writeJsonFile(this.#endsPath, this.#ends)
			for (const listener of this.#listeners) listener(entry)
		})
		this.#queue = done.catch(() => {})
		return done
	}

	/** Settles when everything recorded so far is on disk. */
	async flush(): Promise<void> {
		await this.#queue
	}

	async #prune(): Promise<void> {
		const oldest = this.#now().getTime() - retentionMs
		const kept = this.#entries.findIndex(entry => Date.parse(entry.time) >= oldest)
		const dropped = kept < 0 ? this.#entries : this.#entries.slice(0, kept)
		const last = dropped.at(-1)
		if (!last) return
		this.#entries = this.#entries.slice(dropped.length)
		this.#ends = { ...this.#ends, before: { sequence: last.sequence, hash: last.hash } }
		await writePrivateFile(this.#path, this.#entries.map(entry => `${JSON.stringify(entry)}\n`).join(''))
		await writeJsonFile(this.#endsPath, this.#ends)
	}
}

/** Follows the chain on disk from its beginning to its end. */
export async function verifyActivity(support: SupportDirectory): Promise<Verdict> {
	const lines = await readLines(support)
	const ends = await readJsonFile(support.file(endsName), endsSchema)
	let previous = ends?.before ?? origin
	const seen = new Set([previous.hash])
	for (const [index, line] of lines.entries()) {
		const parsed = entrySchema.safeParse(parseOrNothing(line))
		const where = `line ${index + 1}`
		if (!parsed.success) return { ok: false, fault: `${where} is not an entry` }
		const { hash, previous: link, ...content } = parsed.data
		if (link !== previous.hash || content.sequence !== previous.sequence + 1) {
			return { ok: false, fault: `${where} does not follow the one before: a line was removed, added or moved` }
		}
		if (chained(content, link).hash !== hash) return { ok: false, fault: `${where} was altered` }
		previous = { sequence: content.sequence, hash }
		seen.add(hash)
	}
	// The host may have been stopped between a line and the note of it; a line that is missing is another matter.
	if (ends && !seen.has(ends.last.hash)) return { ok: false, fault: 'the last lines were removed' }
	return { ok: true, entries: lines.length }
}

const logName = 'activity.jsonl'
const endsName = 'activity-ends.json'

/** The entry with its place in the chain: the hash covers everything before it on the line, in the order it stands. */
function chained(content: Omit<ActivityEntry, 'previous' | 'hash'>, previous: string): ActivityEntry {
	const covered = { ...entryOrder(content), previous }
	return { ...covered, hash: createHash('sha256').update(JSON.stringify(covered)).digest('hex') }
}

function entryOrder({ sequence, time, action, outcome, ...rest }: Omit<ActivityEntry, 'previous' | 'hash'>) {
	const { token, client, connection, statement, durationMs, detail } = rest
	return { sequence, time, action, outcome, token, client, connection, statement, durationMs, detail }
}

async function readLines(support: SupportDirectory): Promise<string[]> {
	const bytes = await readIfThere(support.file(logName))
	return bytes ? bytes.toString('utf8').split('\n').filter(Boolean) : []
}

function readEntries(lines: readonly string[]): ActivityEntry[] {
	return lines.flatMap(line => {
		const parsed = entrySchema.safeParse(parseOrNothing(line))
		return parsed.success ? [parsed.data] : []
	})
}
