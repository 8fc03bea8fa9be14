import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { constants, type FileHandle, open } from 'node:fs/promises'

const chunkBytes = 64 * 1024
const comparedMs = 20

/**
 * The current file of the log. Appends are atomic: a partial write on a full disk is truncated, and an incomplete line
 * after a kill is removed when the file is opened.
 */
export class LogFile {
	readonly #path: string
	/** Size of the complete lines. Bytes beyond it are remains of a failed write. */
	#sizeBytes: number
	#opened: number | undefined
	/** By `performance.now`: when the open file was last compared with what this process wrote. */
	#comparedAt = 0

	private constructor(path: string, sizeBytes: number) {
		this.#path = path
		this.#sizeBytes = sizeBytes
	}

	/** Opens the file. `tornBytes` is the size of a removed incomplete line. */
	static async open(path: string): Promise<{ file: LogFile; tornBytes: number }> {
		await using handle = await open(path, constants.O_RDWR).catch((error: NodeJS.ErrnoException) => {
			if (error.code === 'ENOENT') return undefined
			throw error
		})
		if (!handle) return { file: new LogFile(path, 0), tornBytes: 0 }
		const { size } = await handle.stat()
		const sizeBytes = await endOfLastLine(handle, size)
		if (sizeBytes < size) await handle.truncate(sizeBytes)
		return { file: new LogFile(path, sizeBytes), tornBytes: size - sizeBytes }
	}

	get sizeBytes(): number {
		return this.#sizeBytes
	}

	/**
	 * Appends complete lines. When it returns, the operating system has the bytes, so that they survive a kill.
	 * Synchronous, because calls that each take a few microseconds cost several times as much in the thread pool.
	 */
	append(lines: string): void {
		const bytes = Buffer.from(lines)
		const { file, size } = this.#open()
		try {
			// Truncation is a change of the file system also if there is nothing to cut.
			if (size !== this.#sizeBytes) ftruncateSync(file, this.#sizeBytes)
			for (let at = 0; at < bytes.length; ) {
				at += writeSync(file, bytes, at, bytes.length - at, this.#sizeBytes + at)
			}
			this.#sizeBytes += bytes.length
		} catch (error) {
			tryTruncate(file, this.#sizeBytes)
			this.#comparedAt = 0
			throw error
		}
	}

	/**
	 * Returns the open file and its size. Opens a new one if another program has removed it, which is noticed within
	 * {@link comparedMs}: asking before each write costs half as much as the write.
	 */
	#open(): { readonly file: number; readonly size: number } {
		const known = this.#opened
		const now = performance.now()
		if (known !== undefined && now - this.#comparedAt < comparedMs) return { file: known, size: this.#sizeBytes }
		this.#comparedAt = now
		const found = known === undefined ? undefined : fstatSync(known)
		if (known !== undefined && found && found.nlink > 0) return { file: known, size: found.size }
		this.close()
		const file = openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600)
		this.#opened = file
		const { size } = fstatSync(file)
		this.#sizeBytes = Math.min(this.#sizeBytes, size)
		return { file, size }
	}

	/** Closes the file until the next append. */
	close(): void {
		if (this.#opened !== undefined) closeSync(this.#opened)
		this.#opened = undefined
	}

	/** Called after the file was archived: the next line starts a new file. */
	reset(): void {
		this.#sizeBytes = 0
	}
}

function tryTruncate(file: number, sizeBytes: number): void {
	try {
		ftruncateSync(file, sizeBytes)
	} catch {
		// The next append truncates again.
	}
}

async function endOfLastLine(handle: FileHandle, sizeBytes: number): Promise<number> {
	for (let end = sizeBytes; end > 0; ) {
		const start = Math.max(0, end - chunkBytes)
		const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start)
		const at = buffer.subarray(0, bytesRead).lastIndexOf('\n')
		if (at >= 0) return start + at + 1
		end = start
	}
	return 0
}
