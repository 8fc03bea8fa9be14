/** Size of a chunk, in bytes. A longer text has a longer chunk. */
export const chunkBytes = 128 * 1024

/** Bytes that wait for their reader. They are copied, because the protocol's parser uses its buffers again. */
export class ChunkBuffer {
	readonly #full: Buffer[] = []
	#fullBytes = 0
	/** The chunk that is filled, up to `used`. */
	bytes = Buffer.alloc(0)
	used = 0

	get size(): number {
		return this.#fullBytes + this.used
	}

	add(text: string): void {
		const bytes = Buffer.from(text)
		this.reserve(bytes.length)
		this.used += bytes.copy(this.bytes, this.used)
	}

	/** Makes room for so many bytes behind `used`. */
	reserve(most: number): void {
		if (most <= this.bytes.length - this.used) return
		this.#finish()
		this.bytes = Buffer.allocUnsafe(Math.max(chunkBytes, most))
	}

	/** Returns all bytes, or `undefined` if there are none. */
	take(): Buffer | undefined {
		this.#finish()
		const all = this.#full.length === 1 ? this.#full[0] : Buffer.concat(this.#full)
		const isEmpty = this.#fullBytes === 0
		this.#full.length = 0
		this.#fullBytes = 0
		return isEmpty ? undefined : all
	}

	#finish(): void {
		if (this.used > 0) this.#full.push(this.bytes.subarray(0, this.used))
		this.#fullBytes += this.used
		this.bytes = Buffer.alloc(0)
		this.used = 0
	}
}
