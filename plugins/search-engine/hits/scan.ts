import { exactNumber, isExactNumberAt, type Json, parseJson } from '@roundhouse/kit'

/**
 * Scans JSON in place: goes through the bytes of an answer, and parses only the values that are read. All of it is
 * validated against the grammar, because ranges are copied to the reader unchanged.
 */

/** The bytes are not JSON, or not in a form that can be scanned in place. */
export class NotReadable extends Error {
	override readonly name = 'NotReadable'
}

/** The closing characters of a list and an object. */
export const [endOfList, endOfObject] = [0x5d, 0x7d] as const

/** Deeper values are scanned without recursion: a document of 20,000 levels would exhaust the stack. */
const mostRecursion = 500

export class Scanner {
	readonly bytes: Buffer
	/** End of the list or object for which `first` or `next` returned -1. */
	closed = 0
	/** Number of skipped white space characters. */
	blanks = 0
	#depth = 0

	constructor(bytes: Buffer) {
		this.bytes = bytes
	}

	isObject(start: number): boolean {
		return this.bytes[start] === openBrace
	}

	isText(start: number): boolean {
		return this.bytes[start] === quote
	}

	isList(start: number): boolean {
		return this.bytes[start] === openBracket
	}

	/** Returns the first place from `at` on that is not white space. */
	afterBlanks(at: number): number {
		return (this.bytes[at] as number) > space ? at : this.#skipBlanks(at)
	}

	/** Returns the end of the value that begins at `start`. */
	endOfValue(start: number): number {
		const byte = this.bytes[start]
		if (byte === quote) return this.endOfText(start)
		if (byte === openBrace) return this.#endOfObject(start)
		if (byte === openBracket) return this.#endOfList(start)
		if (byte === smallT) return this.#endOfWord(start, 'true')
		if (byte === smallF) return this.#endOfWord(start, 'false')
		if (byte === smallN) return this.#endOfWord(start, 'null')
		return this.#endOfNumber(start)
	}

	endOfText(start: number): number {
		const { bytes } = this
		const { length } = bytes
		if (bytes[start] !== quote) throw new NotReadable()
		for (let at = start + 1; at < length; at++) {
			const byte = bytes[at] as number
			if (byte === quote) return at + 1
			if (byte === backslash) at = this.#endOfEscape(at + 1)
			else if (byte < space) break
		}
		throw new NotReadable()
	}

	/** Returns the start of the first part of the list or object that begins at `start`, or -1 if it is empty. */
	first(start: number, close: number): number {
		const at = this.afterBlanks(start + 1)
		if (this.bytes[at] !== close) return at
		this.closed = at + 1
		return -1
	}

	/** Returns the start of the part after the one that ends at `end`, or -1 after the last. */
	next(end: number, close: number): number {
		const at = this.afterBlanks(end)
		if (this.bytes[at] === comma) return this.afterBlanks(at + 1)
		if (this.bytes[at] !== close) throw new NotReadable()
		this.closed = at + 1
		return -1
	}

	/** Returns the start of the value of a member whose name ends at `end`. */
	afterColon(end: number): number {
		const at = this.afterBlanks(end)
		if (this.bytes[at] !== colon) throw new NotReadable()
		return this.afterBlanks(at + 1)
	}

	/** Returns whether two ranges contain the same bytes. */
	isSame(start: number, end: number, otherStart: number, otherEnd: number): boolean {
		const { bytes } = this
		if (end - start !== otherEnd - otherStart) return false
		for (let at = start, other = otherStart; at < end; at++, other++) if (bytes[at] !== bytes[other]) return false
		return true
	}

	/** Returns whether a value contains no white space outside of strings. */
	isCompact(start: number, end: number): boolean {
		const before = this.blanks
		return this.endOfValue(start) === end && this.blanks === before
	}

	/** Returns `false` for a number that a double would print differently, and `true` for any other value. */
	isExact(start: number, end: number): boolean {
		const { bytes } = this
		const first = bytes[start]
		if (first !== minus && !isDigit(first)) return true
		return isExactNumberAt(bytes, start, end, () => bytes.toString('latin1', start, end))
	}

	/** Returns whether a value is a whole number written only with digits. */
	isDigits(start: number, end: number): boolean {
		for (let at = start; at < end; at++) if (!isDigit(this.bytes[at])) return false
		return true
	}

	/** Returns whether a value is a string without escapes. */
	isPlainText(start: number, end: number): boolean {
		if (this.bytes[start] !== quote) return false
		for (let at = start; at < end; at++) if (this.bytes[at] === backslash) return false
		return true
	}

	/** Parses the value between two places that the scanner returned. */
	valueOf(start: number, end: number): Json {
		const text = this.bytes.toString('utf8', start, end)
		const first = this.bytes[start]
		if (first === openBrace || first === openBracket) return parseJson(text)
		return first === minus || isDigit(first) ? exactNumber(text) : (JSON.parse(text) as Json)
	}

	#endOfList(start: number): number {
		if (this.#depth === mostRecursion) return this.#endOfDeepValue(start)
		this.#depth++
		for (let at = this.first(start, endOfList); at >= 0; ) at = this.next(this.endOfValue(at), endOfList)
		this.#depth--
		return this.closed
	}

	#endOfObject(start: number): number {
		if (this.#depth === mostRecursion) return this.#endOfDeepValue(start)
		this.#depth++
		for (let at = this.first(start, endOfObject); at >= 0; ) {
			const value = this.afterColon(this.endOfText(at))
			at = this.next(this.endOfValue(value), endOfObject)
		}
		this.#depth--
		return this.closed
	}

	/** Scans a list or an object of any depth, slower and without recursion. */
	#endOfDeepValue(start: number): number {
		const closers: number[] = []
		const valueIn = (part: number, close: number) =>
			close === endOfObject ? this.afterColon(this.endOfText(part)) : part
		let at = start
		for (;;) {
			if (this.isObject(at) || this.isList(at)) {
				const close = this.isObject(at) ? endOfObject : endOfList
				const part = this.first(at, close)
				if (part >= 0) {
					closers.push(close)
					at = valueIn(part, close)
					continue
				}
				at = this.closed
			} else at = this.endOfValue(at)
			for (;;) {
				const close = closers.at(-1)
				if (close === undefined) {
					this.closed = at
					return at
				}
				const part = this.next(at, close)
				if (part >= 0) {
					at = valueIn(part, close)
					break
				}
				closers.pop()
				at = this.closed
			}
		}
	}

	#skipBlanks(start: number): number {
		let at = start
		while (isBlank(this.bytes[at])) at++
		this.blanks += at - start
		return at
	}

	/** Returns the last byte of an escape. `at` is the place after its backslash. */
	#endOfEscape(at: number): number {
		const byte = this.bytes[at] ?? 0
		if (shortEscapes.includes(byte)) return at
		if (byte !== smallU) throw new NotReadable()
		for (let digit = at + 1; digit <= at + 4; digit++) if (!isHexDigit(this.bytes[digit])) throw new NotReadable()
		return at + 4
	}

	#endOfWord(start: number, word: string): number {
		for (let at = 0; at < word.length; at++) {
			if (this.bytes[start + at] !== word.charCodeAt(at)) throw new NotReadable()
		}
		return start + word.length
	}

	#endOfNumber(start: number): number {
		const { bytes } = this
		const first = bytes[start] === minus ? start + 1 : start
		let at = bytes[first] === zero ? first + 1 : this.#endOfDigits(first)
		if (bytes[at] === dot) at = this.#endOfDigits(at + 1)
		if (bytes[at] === smallE || bytes[at] === largeE) {
			const sign = bytes[at + 1]
			at = this.#endOfDigits(sign === plus || sign === minus ? at + 2 : at + 1)
		}
		return at
	}

	/** Requires at least one digit. */
	#endOfDigits(start: number): number {
		let at = start
		while (isDigit(this.bytes[at])) at++
		if (at === start) throw new NotReadable()
		return at
	}
}

const [space, quote, backslash, comma, colon, minus, plus, dot, zero, nine] = [
	0x20, 0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x2b, 0x2e, 0x30, 0x39,
] as const
const [openBrace, openBracket] = [0x7b, 0x5b] as const
const [smallT, smallF, smallN, smallU, smallE, largeE] = [0x74, 0x66, 0x6e, 0x75, 0x65, 0x45] as const

const shortEscapes: readonly number[] = Array.from('"\\/bfnrt', character => character.charCodeAt(0))

function isBlank(byte: number | undefined): boolean {
	return byte === space || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function isDigit(byte: number | undefined): boolean {
	return byte !== undefined && byte >= zero && byte <= nine
}

function isHexDigit(byte: number | undefined): boolean {
	return byte !== undefined && /[0-9a-f]/i.test(String.fromCharCode(byte))
}
