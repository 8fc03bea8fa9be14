import { hash } from 'node:crypto'
import { z } from 'zod'

/**
 * The hash chain of the activity log: each entry contains the hash of the previous one, so that altered, removed and
 * moved lines are detected. Tamper-evident, not tamper-proof: a process that can write the files can rewrite the whole
 * chain.
 */

const recordSchema = z.object({
	/** `tool.execute_query`, `resource.read`, `write.begun`, `export.begun`, `auth.failure`, `token.created`, … */
	action: z.string(),
	/** `started`: an approved write is about to be sent to the engine. Its result is a separate entry. */
	outcome: z.enum(['success', 'denied', 'error', 'cancelled', 'started']),
	token: z.string().optional(),
	client: z.string().optional(),
	/** Id of the connection. */
	connection: z.string().optional(),
	/** SHA-256 of the statement, in hexadecimal. */
	statement: z.string().optional(),
	durationMs: z.number().optional(),
	/** Name of the connection when the entry was written. */
	connectionName: z.string().optional(),
	/** The driver's classification of the statement. */
	verdict: z.enum(['read', 'write', 'destructive']).optional(),
	/** Number of returned or changed rows. */
	rows: z.int().nonnegative().optional(),
	/** How consent to a write was given. `client`: as reported by the client. `grant`: by a temporary consent. */
	agreed: z.enum(['client', 'window', 'client_and_window', 'grant']).optional(),
	/** The redacted statement, if the user allows to store statements. */
	text: z.string().optional(),
	detail: z.string().optional(),
	/** Id of the change, if what it replaced may be kept (host/undo). */
	change: z.string().optional(),
})
export type ActivityRecord = Readonly<z.infer<typeof recordSchema>>

export const entrySchema = recordSchema.extend({
	sequence: z.int().positive(),
	time: z.iso.datetime(),
	previous: z.string().length(64),
	hash: z.string().length(64),
})
export type ActivityEntry = Readonly<z.infer<typeof entrySchema>>

/** The part of an entry that the next one refers to. */
export const linkSchema = z.object({ sequence: z.int().nonnegative(), hash: z.string().length(64) })
export type Link = Readonly<z.infer<typeof linkSchema>>

/** The predecessor of the first entry. */
export const origin: Link = { sequence: 0, hash: '0'.repeat(64) }

/** An entry with its line in the file. */
export interface PrintedEntry {
	readonly entry: ActivityEntry
	readonly line: string
}

/**
 * Returns the entry of a record after `previous`. The hash covers all members before it, in their order on the line.
 */
export function chained(record: ActivityRecord, time: string, previous: Link): PrintedEntry {
	const { action, outcome, token, client, connection, statement, durationMs, detail } = record
	const { connectionName, verdict, rows, agreed, text, change } = record
	// JSON omits undefined members, so older entries without the newer fields keep their hash.
	const covered = {
		sequence: previous.sequence + 1,
		time,
		action,
		outcome,
		token,
		client,
		connection,
		statement,
		durationMs,
		detail,
		connectionName,
		verdict,
		rows,
		agreed,
		text,
		change,
		previous: previous.hash,
	}
	const printed = JSON.stringify(covered)
	const entry = Object.assign(covered, { hash: hash('sha256', printed) })
	// Equal to the print of the entry, whose last member is the hash.
	return { entry, line: `${printed.slice(0, -1)},"hash":"${entry.hash}"}\n` }
}

/** Returns why an entry does not follow another one, or `undefined`. */
export function chainError(entry: ActivityEntry, previous: Link): 'altered' | 'misplaced' | undefined {
	if (entry.previous !== previous.hash || entry.sequence !== previous.sequence + 1) return 'misplaced'
	return chained(entry, entry.time, previous).entry.hash === entry.hash ? undefined : 'altered'
}

/** Whether an entry is unaltered, independent of its position. */
export function isIntact(entry: ActivityEntry): boolean {
	return chainError(entry, { sequence: entry.sequence - 1, hash: entry.previous }) === undefined
}

export function linkOf({ sequence, hash }: ActivityEntry): Link {
	return { sequence, hash }
}

/**
 * Finds the end of the chain: the last entry after `noted` up to which each entry follows the previous one.
 * @param isBeginning whether `noted` is not an entry of the log
 * @param backward entries from the newest on, read only as far as necessary
 */
export async function findChainEnd(
	noted: Link,
	isBeginning: boolean,
	backward: AsyncIterable<ActivityEntry>,
): Promise<Link> {
	let run: { readonly first: ActivityEntry; readonly last: Link } | undefined
	let isFound = isBeginning
	for await (const entry of backward) {
		if (entry.sequence <= noted.sequence) {
			isFound ||= entry.hash === noted.hash
			break
		}
		if (!isIntact(entry)) run = undefined
		else run = { first: entry, last: run && !chainError(run.first, entry) ? run.last : linkOf(entry) }
	}
	// If the recorded entry is missing or the chain is broken, the recorded end stays, so that `verify` reports it.
	return isFound && run && !chainError(run.first, noted) ? run.last : noted
}
