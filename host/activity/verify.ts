import type { SupportDirectory } from '../base/support-directory.ts'
import { faultOf, type Link, origin } from './chain.ts'
import { type Ends, readEnds } from './ends.ts'
import { linesForward, readEntry } from './lines.ts'
import { type HeldSegments, Segments } from './segments.ts'

export type Verdict = { readonly ok: true; readonly entries: number } | { readonly ok: false; readonly fault: string }

/** Follows the chain on disk from its beginning to its end. */
export async function verifyActivity(support: SupportDirectory): Promise<Verdict> {
	const ends = await readEnds(support)
	await using held = await new Segments(support).hold()
	return await followChain(held, ends)
}

/** `ends` was read before the segments were looked for: the lines may have gone on since, never fallen behind. */
export async function followChain(held: HeldSegments, ends: Ends | undefined): Promise<Verdict> {
	const before = ends?.before ?? origin
	let previous: Link = before
	let entries = 0
	let isLastSeen = ends === undefined || ends.last.hash === before.hash
	for await (const { name, ...stretch } of held.forward()) {
		let number = 0
		for await (const { text } of linesForward(stretch)) {
			number++
			if (ends === undefined || ends.isLost) {
				return { ok: false, fault: 'the note of where it begins and ends was removed' }
			}
			const entry = readEntry(text)
			const where = name === undefined ? `line ${number}` : `line ${number} of ${name}`
			if (!entry) return { ok: false, fault: `${where} is not an entry` }
			// A kill after the note that old lines are gone, and before they were: they stand in front, and end where it says.
			if (previous === before && entry.sequence < before.sequence) continue
			if (previous === before && entry.hash === before.hash) continue
			const fault = faultOf(entry, previous)
			if (fault === 'misplaced') {
				return { ok: false, fault: `${where} does not follow the one before: a line was removed, added or moved` }
			}
			if (fault === 'altered') return { ok: false, fault: `${where} was altered` }
			previous = { sequence: entry.sequence, hash: entry.hash }
			entries++
			isLastSeen ||= entry.hash === ends.last.hash
		}
	}
	if (ends?.isLost) return { ok: false, fault: 'the note of where it begins and ends was removed' }
	return isLastSeen ? { ok: true, entries } : { ok: false, fault: 'the last lines were removed' }
}
