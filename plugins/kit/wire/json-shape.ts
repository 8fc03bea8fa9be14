/** Limits on what a parser would have to create from a text. An absent limit does not apply. */
export interface JsonLimits {
	readonly depth: number
	/** Elements count once, members twice. */
	readonly parts: number
	readonly texts?: number
	/** Digits of all numbers together. */
	readonly digits?: number
}

/**
 * Counts what a parser would have to create from JSON while it arrives. The parser cannot be interrupted, and megabytes
 * of brackets or names would block the whole process for seconds. So a text that nests too deep or has too many parts
 * is recognized before it is parsed.
 *
 * Counts bytes without validating them. The parser rejects text that is not JSON.
 */
export class JsonShape {
	readonly #limits: JsonLimits
	#depth = 0
	#parts = 0
	#texts = 0
	#digits = 0
	#isInText = false
	#isEscaped = false
	#isTooDeep = false

	constructor(limits: JsonLimits) {
		this.#limits = limits
	}

	/** The limit that is exceeded, known before the text is complete. */
	get excess(): 'depth' | 'parts' | undefined {
		if (this.#isTooDeep) return 'depth'
		const { parts, texts = Number.POSITIVE_INFINITY, digits = Number.POSITIVE_INFINITY } = this.#limits
		return this.#parts > parts || this.#texts > texts || this.#digits > digits ? 'parts' : undefined
	}

	/** Whether the text is incomplete, if it ends here. */
	get isOpen(): boolean {
		return this.#isInText || this.#depth !== 0
	}

	push(bytes: Uint8Array): void {
		if (this.excess) return
		// Local variables, because members would make this several times slower, and every frame passes here.
		let [depth, parts, texts, digits] = [this.#depth, this.#parts, this.#texts, this.#digits]
		let [isInText, isEscaped] = [this.#isInText, this.#isEscaped]
		for (let at = 0; at < bytes.length; at++) {
			const byte = bytes[at] ?? 0
			if (isInText) {
				if (isEscaped) isEscaped = false
				else if (byte === quote) isInText = false
				else isEscaped = byte === backslash
			} else if (byte === quote) {
				isInText = true
				texts++
			} else if (byte === comma || byte === colon) parts++
			else if (byte >= zero && byte <= nine) digits++
			else if (byte === openList || byte === openObject) {
				parts++
				if (++depth > this.#limits.depth) {
					this.#isTooDeep = true
					return
				}
			} else if (byte === closeList || byte === closeObject) depth--
		}
		this.#depth = depth
		this.#parts = parts
		this.#texts = texts
		this.#digits = digits
		this.#isInText = isInText
		this.#isEscaped = isEscaped
	}
}

const [quote, backslash, comma, colon, zero, nine, openList, closeList, openObject, closeObject] = [
	0x22, 0x5c, 0x2c, 0x3a, 0x30, 0x39, 0x5b, 0x5d, 0x7b, 0x7d,
]
