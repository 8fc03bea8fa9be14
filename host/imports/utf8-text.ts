import { isUtf8 } from 'node:buffer'
import { importErrors } from './errors.ts'

const newline = 0x0a

/**
 * Decodes UTF-8 in pieces, strictly: the text ends before the line with a wrong byte, and {@link requireValid} names that
 * line. A byte-order mark is left out.
 */
export class Utf8Text {
	#isFirst = true
	/** The beginning of a character whose other bytes follow. */
	#rest: Uint8Array = new Uint8Array()
	#line = 1
	#isValid = true

	/** @param isEnd whether no more bytes follow */
	read(piece: Uint8Array, isEnd: boolean): string {
		const bytes = this.#rest.length === 0 ? Buffer.from(piece) : Buffer.concat([this.#rest, piece])
		const end = isEnd ? bytes.length : bytes.length - incompleteAtEnd(bytes)
		this.#isValid = isUtf8(bytes.subarray(0, end))
		const whole = bytes.subarray(0, this.#isValid ? end : endOfValidLines(bytes))
		this.#rest = bytes.subarray(end)
		for (let at = whole.indexOf(newline); at >= 0; at = whole.indexOf(newline, at + 1)) this.#line++
		const text = whole.toString('utf8')
		const hasMark = this.#isFirst && text.startsWith('\ufeff')
		if (text !== '') this.#isFirst = false
		return hasMark ? text.slice(1) : text
	}

	/** Whether every byte so far could be read. */
	get isValid(): boolean {
		return this.#isValid
	}

	/** @throws HostError `import/encoding` */
	requireValid(): void {
		if (!this.#isValid) throw importErrors.make('encoding', { line: this.#line })
	}
}

/** Returns how many bytes at the end begin a character that is not complete. */
function incompleteAtEnd(bytes: Uint8Array): number {
	for (let back = 1; back <= Math.min(3, bytes.length); back++) {
		const byte = bytes[bytes.length - back] ?? 0
		if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
		if (byte < 0x80) return 0
	}
	return 0
}

/** No byte of a longer character is a newline, so each line is valid or not by itself. */
function endOfValidLines(bytes: Buffer): number {
	for (let start = 0; ; ) {
		const end = bytes.indexOf(newline, start)
		if (end < 0 || !isUtf8(bytes.subarray(start, end))) return start
		start = end + 1
	}
}
