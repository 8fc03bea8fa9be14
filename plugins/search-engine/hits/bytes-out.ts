/** A growing byte buffer. */
export class BytesOut {
	#bytes: Buffer
	#length = 0

	constructor(expected: number) {
		this.#bytes = Buffer.allocUnsafe(Math.max(expected, 1_024))
	}

	/** The bytes so far. Valid until more are added. */
	get bytes(): Buffer {
		return this.#bytes.subarray(0, this.#length)
	}

	text(text: string) {
		this.#makeRoom(text.length * 3)
		this.#length += this.#bytes.write(text, this.#length)
	}

	byte(byte: number) {
		this.#makeRoom(1)
		this.#bytes[this.#length++] = byte
	}

	all(bytes: Buffer) {
		this.copy(bytes, 0, bytes.length)
	}

	/** Copies a range of other bytes. Most ranges are a few bytes long, for which a loop is faster than a call. */
	copy(from: Buffer, start: number, end: number) {
		this.#makeRoom(end - start)
		const out = this.#bytes
		if (end - start > 100) {
			this.#length += from.copy(out, this.#length, start, end)
			return
		}
		let length = this.#length
		for (let at = start; at < end; at++) out[length++] = from[at] as number
		this.#length = length
	}

	/**
	 * Copies a range of compact JSON as the content of a JSON string, or with a quote as `sign`, as that of a field of CSV.
	 */
	copyQuoted(from: Buffer, start: number, end: number, sign: number = backslash) {
		this.#makeRoom(2 * (end - start))
		const out = this.#bytes
		let length = this.#length
		for (let at = start; at < end; at++) {
			const byte = from[at] as number
			if (byte === quote || byte === sign) out[length++] = sign
			out[length++] = byte
		}
		this.#length = length
	}

	#makeRoom(more: number) {
		if (this.#length + more <= this.#bytes.length) return
		const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more))
		this.#bytes.copy(grown, 0, 0, this.#length)
		this.#bytes = grown
	}
}

const [quote, backslash] = [0x22, 0x5c] as const
