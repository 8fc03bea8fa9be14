import { createHash } from 'node:crypto'
import { z } from 'zod'

/**
 * The hash chain of the activity log: each entry carries the hash of the one before, so a line that is altered, removed
 * or moved shows. Tamper-evident, not tamper-proof: who can write here can write it all anew.
 */

const recordSchema = z.object({
	/** `tool.execute_query`, `resource.read`, `write.begun`, `export.begun`, `auth.failure`, `token.created`, … */
	action: z.string(),
	/** `started` is a write that was consented to and goes to the engine now; how it ended is an entry of its own. */
	outcome: z.enum(['success', 'denied', 'error', 'cancelled', 'started']),
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

export const entrySchema = recordSchema.extend({
	sequence: z.int().positive(),
	time: z.iso.datetime(),
	previous: z.string().length(64),
	hash: z.string().length(64),
})
export type ActivityEntry = Readonly<z.infer<typeof entrySchema>>

/** An entry as the next one sees it. */
export const linkSchema = z.object({ sequence: z.int().nonnegative(), hash: z.string().length(64) })
export type Link = Readonly<z.infer<typeof linkSchema>>

/** What the first entry follows. */
export const origin: Link = { sequence: 0, hash: '0'.repeat(64) }

/** The record as the entry after `previous`. The hash covers everything before it on the line, in the order it stands. */
export function chained(record: ActivityRecord, time: string, previous: Link): ActivityEntry {
	const { action, outcome, token, client, connection, statement, durationMs, detail } = record
	const covered = {
		...{ sequence: previous.sequence + 1, time, action, outcome },
		...{ token, client, connection, statement, durationMs, detail },
		previous: previous.hash,
	}
	return { ...covered, hash: createHash('sha256').update(JSON.stringify(covered)).digest('hex') }
}

/** Why an entry does not follow another one, or `undefined`. */
export function faultOf(entry: ActivityEntry, previous: Link): 'altered' | 'misplaced' | undefined {
	if (entry.previous !== previous.hash || entry.sequence !== previous.sequence + 1) return 'misplaced'
	return chained(entry, entry.time, previous).hash === entry.hash ? undefined : 'altered'
}

/** Whether it is as it was written, wherever it stands. */
export function isWhole(entry: ActivityEntry): boolean {
	return faultOf(entry, { sequence: entry.sequence - 1, hash: entry.previous }) === undefined
}

export function linkOf({ sequence, hash }: ActivityEntry): Link {
	return { sequence, hash }
}

/**
 * The end of the chain: from the entry that was noted last on, as far as each follows the one before. `backward` gives
 * entries from the newest on, and is asked for no more than it takes. `isBeginning`: what was noted stands on no line.
 */
export async function takenUp(
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
		if (!isWhole(entry)) run = undefined
		else run = { first: entry, last: run && !faultOf(run.first, entry) ? run.last : linkOf(entry) }
	}
	// What was noted is gone, or what follows does not: nothing may hide that.
	return isFound && run && !faultOf(run.first, noted) ? run.last : noted
}
