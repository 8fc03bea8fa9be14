import type { FileHandle } from 'node:fs/promises'
import { parseJsonOrUndefined } from '../../base/parse-json.ts'
import { type ActivityEntry, entrySchema } from './chain.ts'

/**
 * Reads the lines of a large file from either end. Only a line feed ends a line, because JSON does not escape other
 * line breaks.
 */

const chunkBytes = 64 * 1024
const lineFeed = 0x0a

/** The first `sizeBytes` of a file that may grow. */
export interface FileRange {
	readonly handle: FileHandle
	readonly sizeBytes: number
}

export interface Line {
	readonly text: string
	/** Offset of the next line. */
	readonly endsAt: number
}

export async function* linesForward({ handle, sizeBytes }: FileRange): AsyncGenerator<Line> {
	let rest = Buffer.alloc(0)
	let lineAt = 0
	for (let at = 0; at < sizeBytes; ) {
		const bytes = await readAt(handle, at, Math.min(chunkBytes, sizeBytes - at))
		if (bytes.length === 0) break
		at += bytes.length
		rest = Buffer.concat([rest, bytes])
		let from = 0
		for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed, from)) {
			lineAt += end + 1 - from
			if (end > from) yield { text: rest.toString('utf8', from, end), endsAt: lineAt }
			from = end + 1
		}
		rest = rest.subarray(from)
	}
	if (rest.length > 0) yield { text: rest.toString('utf8'), endsAt: lineAt + rest.length }
}

/** Yields the lines, last one first. */
export async function* linesBackward({ handle, sizeBytes }: FileRange): AsyncGenerator<string> {
	let rest = Buffer.alloc(0)
	for (let at = sizeBytes; at > 0; ) {
		const length = Math.min(chunkBytes, at)
		at -= length
		rest = Buffer.concat([await readAt(handle, at, length), rest])
		// The text before the first line feed may be the end of a line in the previous chunk.
		const from = at > 0 ? rest.indexOf(lineFeed) + 1 : 0
		if (at > 0 && from === 0) continue
		const lines = rest.toString('utf8', from).split('\n').filter(Boolean)
		yield* lines.reverse()
		rest = rest.subarray(0, from)
	}
}

/** Parses a line, or returns `undefined` if it is not an entry. */
export function readEntry(line: string): ActivityEntry | undefined {
	const parsed = entrySchema.safeParse(parseJsonOrUndefined(line))
	return parsed.success ? parsed.data : undefined
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer<ArrayBuffer>> {
	const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
	return buffer.subarray(0, bytesRead)
}
