import type { SupportDirectory } from '../../base/support-directory.ts'
import { chainError, type Link, origin } from './chain.ts'
import { type ChainBounds, readBounds } from './chain-bounds.ts'
import { linesForward, readEntry } from './lines.ts'
import { type SegmentSnapshot, Segments } from './segments.ts'

export type Verdict = { readonly ok: true; readonly entries: number } | { readonly ok: false; readonly fault: string }

/** Verifies the chain on disk. */
export async function verifyActivity(support: SupportDirectory): Promise<Verdict> {
	const bounds = await readBounds(support)
	await using snapshot = await new Segments(support).snapshot()
	return await followChain(snapshot, bounds)
}

/**
 * Verifies the chain of a snapshot. `bounds` must be read before the snapshot, because lines may be added in between.
 */
export async function followChain(snapshot: SegmentSnapshot, bounds: ChainBounds | undefined): Promise<Verdict> {
	const before = bounds?.before ?? origin
	let previous: Link = before
	let entries = 0
	let hasLast = bounds === undefined || bounds.last.hash === before.hash
	for await (const { name, ...range } of snapshot.forward()) {
		let number = 0
		for await (const { text } of linesForward(range)) {
			number++
			if (bounds === undefined || bounds.isLost) {
				return { ok: false, fault: 'activity-ends.json, which records its first and last entry, was removed' }
			}
			const entry = readEntry(text)
			const where = name === undefined ? `line ${number}` : `line ${number} of ${name}`
			if (!entry) return { ok: false, fault: `${where} is not an entry` }
			// Skips old lines before the recorded beginning, which remain if the host was killed before it removed them.
			if (previous === before && entry.sequence < before.sequence) continue
			if (previous === before && entry.hash === before.hash) continue
			const fault = chainError(entry, previous)
			if (fault === 'misplaced') {
				return { ok: false, fault: `${where} does not follow the one before: a line was removed, added or moved` }
			}
			if (fault === 'altered') return { ok: false, fault: `${where} was altered` }
			previous = { sequence: entry.sequence, hash: entry.hash }
			entries++
			hasLast ||= entry.hash === bounds.last.hash
		}
	}
	if (bounds?.isLost)
		return { ok: false, fault: 'activity-ends.json, which records its first and last entry, was removed' }
	return hasLast ? { ok: true, entries } : { ok: false, fault: 'the last lines were removed' }
}
