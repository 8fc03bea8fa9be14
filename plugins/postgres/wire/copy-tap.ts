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
 * Takes the data of COPY from a socket without a message object for each row, which costs more than the rest of an
 * export. All other messages reach the listeners that were there before.
 */
export class CopyTap {
	readonly #stream: Stream
	readonly #others: readonly ((chunk: Buffer) => void)[]
	readonly #onData: (chunk: Buffer) => void
	/** The beginning of a message whose end has not arrived. */
	#rest: Buffer = Buffer.alloc(0)

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
		const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
		let at = 0
		while (bytes.length - at >= head) {
			const size = 1 + bytes.readInt32BE(at + 1)
			if (size < head) return void this.#stream.destroy(new Error('The server sent a message without a valid length.'))
			if (bytes.length - at < size) break
			if (bytes[at] === copyData) this.#onData(bytes.subarray(at + head, at + size))
			else this.#pass(bytes.subarray(at, at + size))
			at += size
		}
		this.#rest = at === bytes.length ? Buffer.alloc(0) : bytes.subarray(at)
	}

	#pass(message: Buffer): void {
		for (const listener of this.#others) listener(message)
	}
}
