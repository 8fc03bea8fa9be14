import { constants, open, truncate } from 'node:fs/promises'
import { readIfThere } from '../base/atomic-file.ts'
import { parseOrNothing } from '../base/parse-or-nothing.ts'
import { type ActivityEntry, entrySchema } from './chain.ts'

/**
 * The log's lines on disk. An append comes whole or not at all: what a full disk let through of one is cut off again,
 * and what a kill left of one is found when the file is opened.
 */
export class LogFile {
	readonly #path: string
	/** Everything beyond is no line of ours. */
	#sizeBytes: number

	private constructor(path: string, sizeBytes: number) {
		this.#path = path
		this.#sizeBytes = sizeBytes
	}

	/** `tornBytes`: the beginning of a line that was cut out. */
	static async open(path: string): Promise<{ file: LogFile; lines: readonly string[]; tornBytes: number }> {
		const bytes = (await readIfThere(path)) ?? Buffer.alloc(0)
		const sizeBytes = bytes.lastIndexOf('\n') + 1
		const tornBytes = bytes.length - sizeBytes
		if (tornBytes > 0) await truncate(path, sizeBytes)
		return { file: new LogFile(path, sizeBytes), lines: splitLines(bytes.subarray(0, sizeBytes)), tornBytes }
	}

	/** Settles when the system has the bytes: they outlive this process. */
	async append(entries: readonly ActivityEntry[]): Promise<void> {
		const bytes = Buffer.from(entries.map(entry => `${JSON.stringify(entry)}\n`).join(''))
		const handle = await open(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600)
		try {
			await handle.truncate(this.#sizeBytes)
			for (let at = 0; at < bytes.length; ) {
				at += (await handle.write(bytes, at, bytes.length - at, this.#sizeBytes + at)).bytesWritten
			}
			this.#sizeBytes += bytes.length
		} catch (error) {
			// The next append tries again, where this fails too.
			await handle.truncate(this.#sizeBytes).catch(() => {})
			throw error
		} finally {
			await handle.close()
		}
	}
}

export function splitLines(bytes: Buffer): string[] {
	return bytes.toString('utf8').split('\n').filter(Boolean)
}

/** `undefined` for a line that is no entry. */
export function readEntry(line: string): ActivityEntry | undefined {
	const parsed = entrySchema.safeParse(parseOrNothing(line))
	return parsed.success ? parsed.data : undefined
}
