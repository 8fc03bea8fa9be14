import { open, rename, rm } from 'node:fs/promises'
import type { SupportDirectory } from '../base/support-directory.ts'
import { type ActivityEntry, isWhole, type Link, linkOf, origin } from './chain.ts'
import { readEnds, writeEnds } from './ends.ts'
import { linesBackward, linesForward, readEntry } from './lines.ts'
import { Segments } from './segments.ts'

const retentionMs = 90 * 24 * 3600 * 1000

/**
 * Takes out what is older than 90 days: whole segments, then the oldest lines of the first one that stays. The note of
 * where the chain begins is written first: a kill in between shows as nothing.
 */
export async function prune(support: SupportDirectory, now: Date): Promise<void> {
	const segments = new Segments(support)
	const isOld = ({ time }: ActivityEntry) => Date.parse(time) < now.getTime() - retentionMs
	const putAway = await segments.putAwayPaths()
	const doomed: string[] = []
	let before: Link | undefined
	for (const path of putAway) {
		const last = await lastEntry(path)
		// Whose time was altered is left for `verify` to find.
		if (!last || !isOld(last) || !isWhole(last)) break
		before = linkOf(last)
		doomed.push(path)
	}
	const partly = putAway[doomed.length] ?? segments.newestPath
	const old = await oldLines(partly, isOld)
	before = old?.last ?? before
	if (!before) return
	await noteBeginning(support, segments, before)
	for (const path of doomed) await rm(path, { force: true })
	if (old) await cutOff(partly, old.endsAt)
}

async function noteBeginning(support: SupportDirectory, segments: Segments, reached: Link): Promise<void> {
	const ends = await readEnds(support)
	const before = ends && ends.before.sequence > reached.sequence ? ends.before : reached
	const noted = ends?.last ?? (await newestLink(segments))
	const isLost = ends ? ends.isLost : true
	const last = noted.sequence > before.sequence ? noted : before
	await writeEnds(support, { version: 1, before, last, ...(isLost && { isLost }) })
}

async function newestLink(segments: Segments): Promise<Link> {
	await using held = await segments.hold()
	for await (const entry of held.entriesBackward()) return linkOf(entry)
	return origin
}

async function lastEntry(path: string): Promise<ActivityEntry | undefined> {
	await using handle = await open(path)
	for await (const line of linesBackward({ handle, sizeBytes: (await handle.stat()).size })) return readEntry(line)
	return undefined
}

/** The old lines that a file begins with; `undefined` where there are none, or a damaged one stands among them. */
async function oldLines(
	path: string,
	isOld: (entry: ActivityEntry) => boolean,
): Promise<{ last: Link; endsAt: number } | undefined> {
	await using handle = await open(path).catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') return undefined
		throw error
	})
	if (!handle) return undefined
	let old: { last: ActivityEntry; endsAt: number } | undefined
	for await (const { text, endsAt } of linesForward({ handle, sizeBytes: (await handle.stat()).size })) {
		const entry = readEntry(text)
		if (!entry) return undefined
		if (!isOld(entry)) break
		old = { last: entry, endsAt }
	}
	return old && isWhole(old.last) ? { last: linkOf(old.last), endsAt: old.endsAt } : undefined
}

/** What is left of a file from a place on, by a copy: a kill leaves the old file or the new one. */
async function cutOff(path: string, at: number): Promise<void> {
	// By the name that what is half written has: a start sweeps it away.
	const copy = `${path}.0`
	{
		await using from = await open(path)
		await using to = await open(copy, 'w', 0o600)
		await to.writeFile(from.createReadStream({ start: at, autoClose: false }))
		await to.sync()
	}
	await rename(copy, path)
}
