/** The part of a socket that a tap needs. */
interface Stream {
	listeners(event: 'data'): unknown[]
	removeAllListeners(event: 'data'): unknown
	on(event: 'data', listener: (chunk: Buffer) => void): unknown
	destroy(error: Error): unknown
}

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
	readonly #onData: (chunk: Buffer) => void
	/** The buffered start of an incomplete message, its size, and the number of bytes that parsing needs to continue. */
	#rest: Buffer[] = []
	#size = 0
	#needed = head

	constructor(stream: Stream, onData: (chunk: Buffer) => void) {
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
		this.#rest.push(chunk)
		this.#size += chunk.length
		// A row of 1 GB arrives in thousands of chunks, which are joined once.
		if (this.#size < this.#needed) return
		const [only] = this.#rest
		const bytes = this.#rest.length === 1 && only ? only : Buffer.concat(this.#rest)
		let at = 0
		this.#needed = head
		while (bytes.length - at >= head) {
			const size = 1 + bytes.readInt32BE(at + 1)
			if (size < head) return void this.#stream.destroy(new Error('The server sent a message without a valid length.'))
			if (bytes.length - at < size) {
				this.#needed = size
				break
			}
			if (bytes[at] === copyData) this.#onData(bytes.subarray(at + head, at + size))
			else this.#pass(bytes.subarray(at, at + size))
			at += size
		}
		this.#rest = at === bytes.length ? [] : [bytes.subarray(at)]
		this.#size = bytes.length - at
	}

	#pass(message: Buffer): void {
		for (const listener of this.#others) listener(message)
	}
}
