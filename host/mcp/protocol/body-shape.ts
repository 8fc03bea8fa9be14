import { ProtocolError } from './errors.ts'

/** Deeper bodies are refused, so that no recursion below has to fear for its stack. */
const deepestNesting = 256

/** What costs the parser its time, which the length of a text does not. In JSON of so many parts there are fewer texts. */
const most = {
	/** Elements, and members twice. */
	parts: 50_000,
	texts: 100_000,
	/** Of all numbers together: each is looked at by several readers. */
	digits: 500_000,
}

/**
 * Follows a JSON body while it comes and counts what the parser would have to make of it. The parser cannot be stopped,
 * and ten megabytes of brackets or names would hold it, and with it everybody else, for seconds; so a body that nests
 * too deeply or has too many parts is known before it is whole, and is never parsed.
 *
 * Counts bytes without judging them: what is not JSON at all is for the parser to refuse.
 */
export class BodyShape {
	#depth = 0
	#parts = 0
	#texts = 0
	#digits = 0
	#isInText = false
	#isEscaped = false
	#excess: ProtocolError | undefined

	/** Known to be too much, before it is whole. */
	get excess(): ProtocolError | undefined {
		return this.#excess
	}

	/** Why the whole body is not parsed, if so: it is too much, or ends in the middle, which the parser would find out late. */
	end(): ProtocolError | undefined {
		const isOpen = this.#isInText || this.#depth !== 0
		return this.#excess ?? (isOpen ? new ProtocolError('parse_error') : undefined)
	}

	push(chunk: Buffer): void {
		if (this.#excess) return
		for (const byte of chunk) {
			if (this.#isInText) this.#inText(byte)
			else this.#between(byte)
		}
		if (this.#parts > most.parts || this.#texts > most.texts || this.#digits > most.digits) {
			this.#excess ??= new ProtocolError('invalid_request', 'The body has too many parts: send less at once.')
		}
	}

	#inText(byte: number): void {
		if (this.#isEscaped) this.#isEscaped = false
		else if (byte === backslash) this.#isEscaped = true
		else if (byte === quote) this.#isInText = false
	}

	#between(byte: number): void {
		if (byte === quote) {
			this.#isInText = true
			this.#texts++
		} else if (byte === comma || byte === colon) this.#parts++
		else if (byte === openList || byte === openObject) {
			this.#parts++
			if (++this.#depth > deepestNesting) {
				this.#excess ??= new ProtocolError('invalid_request', `The body nests deeper than ${deepestNesting} levels.`)
			}
		} else if (byte === closeList || byte === closeObject) this.#depth--
		else if (byte >= zero && byte <= nine) this.#digits++
	}
}

const [quote, backslash, comma, colon, zero, nine, openList, closeList, openObject, closeObject] = [
	0x22, 0x5c, 0x2c, 0x3a, 0x30, 0x39, 0x5b, 0x5d, 0x7b, 0x7d,
]
