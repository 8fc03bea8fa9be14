import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Parser, type ReadEntry } from 'tar'
import { packagePrefix } from './format.ts'

/** Receives the content of one file of a package. */
export interface EntryReader {
	write(chunk: Buffer): Promise<void> | void
	end(): Promise<void> | void
}

export interface ReadingEntries {
	/** Upper limit of the unpacked archive, in bytes. */
	readonly maxBytes: number
	readonly signal?: AbortSignal
	/** Called at the header of each file, with its name below `package/`. Throws to refuse the package. */
	onFile(name: string, sizeBytes: number): EntryReader
}

/** Bytes that a tar archive may have in addition to its content: for each file, and at its end. */
const overheadBytes = { file: 4096, archive: 64 * 1024 }

/** Returns the largest archive with these files, in bytes. */
export function archiveLimit(sizes: readonly number[]): number {
	return sizes.reduce((sum, size) => sum + size + overheadBytes.file, overheadBytes.archive)
}

/**
 * Reads a package, which is a `.tgz` of plain files, and stops at the first entry that is refused. Holds one chunk of
 * it in memory and waits for each, so that a package of any size neither fills the memory nor keeps this process busy.
 * @throws Error that says what is wrong
 */
export async function readEntries(packed: AsyncIterable<Uint8Array>, options: ReadingEntries): Promise<void> {
	const { maxBytes, signal, onFile } = options
	const names = new Set<string>()
	let fault: unknown
	/** Content that was parsed and is not handed over yet. */
	let pending: (() => Promise<void> | void)[] = []
	const parser = new Parser({
		strict: true,
		onReadEntry: entry => {
			try {
				const file = onFile(nameOf(entry, names), entry.size)
				entry.on('data', chunk => pending.push(() => file.write(chunk)))
				entry.on('end', () => pending.push(() => file.end()))
			} catch (error) {
				fault ??= error
				entry.resume()
			}
		},
	})
	parser.on('error', error => {
		fault ??= error
	})
	parser.on('ignoredEntry', ({ path, type }) => {
		fault ??= new Error(`${path} is a ${type}`)
	})
	const handOver = async () => {
		const parts = pending
		pending = []
		for (const part of parts) await part()
		if (fault !== undefined) throw fault
	}
	let bytes = 0
	const parse = async (chunks: AsyncIterable<Buffer>) => {
		for await (const chunk of chunks) {
			// The parser would unpack a second layer of compression, without these limits.
			if (bytes === 0 && otherFormats.has(chunk[0] ?? 0)) throw new Error('it is not an archive of plain files')
			bytes += chunk.length
			if (bytes > maxBytes) throw new Error('it unpacks to far more than its size')
			parser.write(chunk)
			await handOver()
		}
		parser.end()
		await handOver()
	}
	await pipeline(Readable.from(packed), createGunzip(), parse, { signal })
}

/** First bytes of gzip and zstd. No path of a package begins with one. */
const otherFormats: ReadonlySet<number> = new Set([0x1f, 0x28])

/** @throws Error for everything except a plain file of a new name */
function nameOf({ type, path }: ReadEntry, names: Set<string>): string {
	if (type !== 'File' && type !== 'OldFile') throw new Error(`${path} is a ${type}`)
	if (!path.startsWith(packagePrefix)) throw new Error(`${path} is outside of ${packagePrefix}`)
	const name = path.slice(packagePrefix.length)
	// A record cannot list the second name.
	if (names.has(name) || name === '__proto__') throw new Error(`${name} occurs twice, or is not allowed`)
	names.add(name)
	return name
}
