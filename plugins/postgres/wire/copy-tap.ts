/** The part of a socket that a tap needs. */
interface Stream {
	listeners(event: 'data'): unknown[]
	removeAllListeners(event: 'data'): unknown
	on(event: 'data', listener: (chunk: Buffer) => void): unknown
	destroy(error: Error): unknown
}

/** Takes the data of a message: the bytes from `start` to `end`. A view of each row would cost more than its bytes. */
export type OnCopyData = (bytes: Buffer, start: number, end: number) => void

const copyData = 'd'.charCodeAt(0)
/** Letter and length of a message. */
const head = 5

/**
 * Reads COPY data directly from the socket. A message object for each row would cost more than the rest of the export.
 * All other messages reach the existing listeners.
 */
export class CopyTap {
	readonly #stream: Stream
	readonly #others: readonly ((chunk: Buffer) => void)[]
	readonly #onData: OnCopyData
	/** The start of an incomplete message, and the number of bytes until its head or its end is there. */
	#rest: Buffer[] = []
	#missing = 0

	constructor(stream: Stream, onData: OnCopyData) {
		this.#stream = stream
		this.#onData = onData
		// Node gives listeners as functions of unknown arguments.
		this.#others = stream.listeners('data') as ((chunk: Buffer) => void)[]
		stream.removeAllListeners('data')
		stream.on('data', chunk => this.#receive(chunk))
	}

	/** Gives the socket back, between two messages. */
	close(): void {
		this.#stream.removeAllListeners('data')
		for (const listener of this.#others) this.#stream.on('data', listener)
	}

	#receive(chunk: Buffer): void {
		let at = this.#rest.length === 0 ? 0 : this.#complete(chunk)
		while (this.#rest.length === 0 && at < chunk.length) {
			const size = chunk.length - at < head ? head : this.#sizeAt(chunk, at)
			if (size === undefined) return
			if (chunk.length - at < size) {
				this.#rest = [chunk.subarray(at)]
				this.#missing = size - (chunk.length - at)
				return
			}
			this.#take(chunk, at, size)
			at += size
		}
	}

	/**
	 * Completes the message that the last chunk has begun. It is joined alone, and a row of 1 GB in thousands of chunks only
	 * once. @returns the place behind it in the chunk
	 */
	#complete(chunk: Buffer): number {
		let at = 0
		while (at < chunk.length) {
			const part = chunk.subarray(at, at + this.#missing)
			this.#rest.push(part)
			this.#missing -= part.length
			at += part.length
			if (this.#missing > 0) break
			const message = Buffer.concat(this.#rest)
			const size = this.#sizeAt(message, 0)
			if (size === undefined) break
			this.#missing = size - message.length
			this.#rest = this.#missing > 0 ? [message] : []
			if (this.#missing > 0) continue
			this.#take(message, 0, size)
			return at
		}
		return at
	}

	/** Returns the size of a message, or ends the connection. */
	#sizeAt(bytes: Buffer, at: number): number | undefined {
		const size = 1 + bytes.readInt32BE(at + 1)
		if (size >= head) return size
		this.#stream.destroy(new Error('The server sent a message without a valid length.'))
		return undefined
	}

	#take(bytes: Buffer, at: number, size: number): void {
		if (bytes[at] === copyData) this.#onData(bytes, at + head, at + size)
		else this.#pass(bytes.subarray(at, at + size))
	}

	#pass(message: Buffer): void {
		for (const listener of this.#others) listener(message)
	}
}
