/** Most of what a parser would have to make of a text. What is left out is not limited. */
export interface JsonLimits {
	readonly depth: number
	/** Elements, and members twice. */
	readonly parts: number
	readonly texts?: number
	/** Of all numbers together. */
	readonly digits?: number
}

/**
 * Follows JSON while it comes and counts what the parser would have to make of it. The parser cannot be stopped, and
 * megabytes of brackets or names would hold it, and with it everybody else, for seconds; so a text that nests too deeply
 * or has too many parts is known before it is parsed.
 *
 * Counts bytes without judging them: what is not JSON at all is for the parser to refuse.
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

	/** Known to be too much, before it is whole. */
	get excess(): 'depth' | 'parts' | undefined {
		if (this.#isTooDeep) return 'depth'
		const { parts, texts = Number.POSITIVE_INFINITY, digits = Number.POSITIVE_INFINITY } = this.#limits
		return this.#parts > parts || this.#texts > texts || this.#digits > digits ? 'parts' : undefined
	}

	/** Whether it ends in the middle, if this is its end. */
	get isOpen(): boolean {
		return this.#isInText || this.#depth !== 0
	}

	push(bytes: Uint8Array): void {
		if (this.excess) return
		// In variables while it runs: members would make this several times slower, and every frame passes here.
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
