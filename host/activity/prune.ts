import { open, rename, rm } from 'node:fs/promises'
import type { SupportDirectory } from '../../base/support-directory.ts'
import { type ActivityEntry, isIntact, type Link, linkOf, origin } from './chain.ts'
import { readBounds, writeBounds } from './chain-bounds.ts'
import { linesBackward, linesForward, readEntry } from './lines.ts'
import { Segments } from './segments.ts'

const retentionMs = 90 * 24 * 3600 * 1000

/**
 * Removes entries older than 90 days: first whole segments, then the oldest lines of the first remaining segment.
 * Stores the new beginning of the chain before it removes entries, so that the log stays valid if the host is killed in
 * between.
 */
export async function prune(support: SupportDirectory, now: Date): Promise<void> {
	const segments = new Segments(support)
	const isOld = ({ time }: ActivityEntry) => Date.parse(time) < now.getTime() - retentionMs
	const archive = await segments.archivedPaths()
	const expired: string[] = []
	let before: Link | undefined
	for (const path of archive) {
		const last = await lastEntry(path)
		// An entry with an altered time stays, so that `verify` reports it.
		if (!last || !isOld(last) || !isIntact(last)) break
		before = linkOf(last)
		expired.push(path)
	}
	const partial = archive[expired.length] ?? segments.currentPath
	const old = await oldLines(partial, isOld)
	before = old?.last ?? before
	if (!before) return
	await storeBeginning(support, segments, before)
	for (const path of expired) await rm(path, { force: true })
	if (old) await removeStart(partial, old.endsAt)
}

async function storeBeginning(support: SupportDirectory, segments: Segments, reached: Link): Promise<void> {
	const bounds = await readBounds(support)
	const before = bounds && bounds.before.sequence > reached.sequence ? bounds.before : reached
	const noted = bounds?.last ?? (await newestLink(segments))
	const isLost = bounds ? bounds.isLost : true
	const last = noted.sequence > before.sequence ? noted : before
	await writeBounds(support, { version: 1, before, last, ...(isLost && { isLost }) })
}

async function newestLink(segments: Segments): Promise<Link> {
	await using snapshot = await segments.snapshot()
	for await (const entry of snapshot.entriesBackward()) return linkOf(entry)
	return origin
}

async function lastEntry(path: string): Promise<ActivityEntry | undefined> {
	await using handle = await open(path)
	for await (const line of linesBackward({ handle, sizeBytes: (await handle.stat()).size })) return readEntry(line)
	return undefined
}

/** Returns the end of the old lines of a file, or `undefined` if there are none or one of them is damaged. */
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
	return old && isIntact(old.last) ? { last: linkOf(old.last), endsAt: old.endsAt } : undefined
}

/**
 * Removes the start of a file. Copies the rest to a temporary file and renames that file, so that a kill leaves either
 * the old or the new file.
 */
async function removeStart(path: string, at: number): Promise<void> {
	// The name pattern of temporary files, which the next start removes.
	const copy = `${path}.0`
	{
		await using from = await open(path)
		await using to = await open(copy, 'w', 0o600)
		await to.writeFile(from.createReadStream({ start: at, autoClose: false }))
		await to.sync()
	}
	await rename(copy, path)
}
