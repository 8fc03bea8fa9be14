/**
 * Lays JSON out for reading, a member in each line, from its bytes. Nothing is parsed, so every number, escape and
 * repeated key stays. It continues where it stopped, so that an answer of any size is laid out in slices.
 */
export class JsonLayout implements Layout {
	/** The line that closes what a line opens, both counted from 1. */
	readonly closings = new Map<number, number>()
	hasCutTexts = false
	readonly #bytes: Uint8Array
	readonly #longest: number
	readonly #open: number[] = []
	#at = 0
	#line = 1
	#out: Uint8Array
	#filled = 0

	/** @param longest bytes of a string that are shown; the rest is counted */
	constructor(bytes: Uint8Array, longest = longestText) {
		this.#bytes = bytes
		this.#longest = longest
		this.#out = new Uint8Array(64 * 1024)
	}

	get isDone(): boolean {
		return this.#at >= this.#bytes.length
	}

	next(sizeBytes: number): readonly string[] {
		return this.nextText(sizeBytes).split('\n')
	}

	/** Returns the next lines as one text. */
	nextText(sizeBytes: number): string {
		const bytes = this.#bytes
		this.#filled = 0
		for (; this.#at < bytes.length; ) {
			const byte = bytes[this.#at] as number
			if (byte <= space) {
				this.#at++
				continue
			}
			const isClosing = byte === closeBrace || byte === closeBracket
			if (this.#isLineDue || isClosing) {
				if (this.#filled >= sizeBytes) {
					this.#isBroken = true
					break
				}
				this.#newLine(isClosing)
			}
			if (byte === quote) this.#text()
			else if (byte === openBrace || byte === openBracket) this.#opening(byte)
			else if (isClosing) this.#mark(byte)
			else if (byte === colon) {
				this.#mark(byte)
				this.#putByte(space)
			} else if (byte === comma) {
				this.#mark(byte)
				this.#isLineDue = true
			} else this.#scalar()
		}
		return decoder.decode(this.#out.subarray(0, this.#filled))
	}

	/** The next token begins a line. */
	#isLineDue = false
	/** That line is the first of a slice. */
	#isBroken = false

	#newLine(isClosing: boolean): void {
		if (!this.#isBroken) this.#putByte(lineFeed)
		this.#isBroken = false
		this.#isLineDue = false
		this.#line++
		const opened = isClosing ? this.#open.pop() : undefined
		if (opened !== undefined) this.closings.set(opened, this.#line)
		for (let left = 2 * Math.min(this.#open.length, deepest); left > 0; left--) this.#putByte(space)
	}

	#put(bytes: Uint8Array): void {
		this.#reserve(bytes.length)
		this.#out.set(bytes, this.#filled)
		this.#filled += bytes.length
	}

	/** Most tokens are one byte or a few; an array for each would cost more than everything else. */
	#putByte(byte: number): void {
		if (this.#filled === this.#out.length) this.#reserve(1)
		this.#out[this.#filled++] = byte
	}

	#copy(from: number, to: number): void {
		if (to - from > 64) return this.#put(this.#bytes.subarray(from, to))
		for (let at = from; at < to; at++) this.#putByte(this.#bytes[at] as number)
	}

	#reserve(more: number): void {
		const needed = this.#filled + more
		if (needed <= this.#out.length) return
		const grown = new Uint8Array(Math.max(needed, 2 * this.#out.length))
		grown.set(this.#out.subarray(0, this.#filled))
		this.#out = grown
	}

	/** For bytes of JSON syntax. */
	#mark(byte: number): void {
		this.#at++
		this.#putByte(byte)
	}

	#opening(byte: number): void {
		const bytes = this.#bytes
		const close = byte + 2
		let next = this.#at + 1
		while ((bytes[next] as number) <= space) next++
		if (bytes[next] === close) {
			this.#putByte(byte)
			this.#putByte(close)
			this.#at = next + 1
			return
		}
		this.#putByte(byte)
		this.#at = next
		this.#open.push(this.#line)
		this.#isLineDue = true
	}

	#text(): void {
		const end = endOfText(this.#bytes, this.#at)
		const length = end - this.#at
		if (length <= this.#longest) this.#copy(this.#at, end)
		else {
			this.hasCutTexts = true
			const shown = this.#bytes.subarray(this.#at, endOfCharacter(this.#bytes, this.#at + this.#longest))
			this.#put(shown)
			this.#put(encoder.encode(cutWords(length - 2, 'bytes')))
			this.#putByte(quote)
		}
		this.#at = end
	}

	#scalar(): void {
		const start = this.#at
		while (this.#at < this.#bytes.length && ends[this.#bytes[this.#at] as number] === 0) this.#at++
		// A byte that is no valid JSON at its position is shown like the others.
		if (this.#at === start) this.#at++
		this.#copy(start, this.#at)
	}
}

/** A text that is shown line by line, in slices. */
export interface Layout {
	readonly isDone: boolean
	/** A string or a line was shortened. */
	readonly hasCutTexts: boolean
	readonly closings: ReadonlyMap<number, number>
	/** Returns the next lines, of about this many bytes. */
	next(sizeBytes: number): readonly string[]
}

/** Plain text by its own lines. */
export class TextLayout implements Layout {
	readonly closings = new Map<number, number>()
	hasCutTexts = false
	readonly #bytes: Uint8Array
	#at = 0

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes
	}

	get isDone(): boolean {
		return this.#at >= this.#bytes.length
	}

	next(sizeBytes: number): readonly string[] {
		const bytes = this.#bytes
		const newLine = bytes.indexOf(lineFeed, Math.min(bytes.length, this.#at + sizeBytes))
		const end = newLine < 0 ? bytes.length : newLine
		const lines = decoder.decode(bytes.subarray(this.#at, end)).split('\n')
		this.#at = end + 1
		return lines.map(whole => {
			const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole
			if (line.length <= longestText) return line
			this.hasCutTexts = true
			return line.slice(0, longestText) + cutWords(line.length, 'characters')
		})
	}
}

/** Returns the whole text without shortening, for editing. */
export function formatted(bytes: Uint8Array): string {
	return new JsonLayout(bytes, Number.POSITIVE_INFINITY).nextText(Number.POSITIVE_INFINITY)
}

/** Longer strings and lines are shortened, because an editor that lays them out would block the window. */
const longestText = 4_000
/** Deeper levels share one indentation. */
const deepest = 100

const cutWords = (length: number, unit: string) => `… (${length.toLocaleString('en')} ${unit} in total)`

const decoder = new TextDecoder()
const encoder = new TextEncoder()
const [space, quote, backslash, lineFeed] = [0x20, 0x22, 0x5c, 0x0a] as const
const [openBrace, closeBrace, openBracket, closeBracket, colon, comma] = [0x7b, 0x7d, 0x5b, 0x5d, 0x3a, 0x2c] as const
/** Returns whether a byte ends a number or a word. */
const ends = new Uint8Array(256)
for (const byte of [quote, openBrace, closeBrace, openBracket, closeBracket, colon, comma, space, 0x0a, 0x0d, 0x09]) {
	ends[byte] = 1
}

/** Returns the position after a string's closing quote, or the end if there is none. */
export function endOfText(bytes: Uint8Array, start: number): number {
	// Most strings are short: a loop ends before the browser's search has started.
	const near = Math.min(bytes.length, start + 80)
	for (let at = start + 1; at < near; at++) {
		const byte = bytes[at]
		if (byte === quote) return at + 1
		if (byte === backslash) break
	}
	for (let end = bytes.indexOf(quote, start + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
		let escapes = end - 1
		while (bytes[escapes] === backslash) escapes--
		if ((end - escapes) % 2 === 1) return end + 1
	}
	return bytes.length
}

function endOfCharacter(bytes: Uint8Array, most: number): number {
	let end = most
	while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
	return end
}
