/**
 * Rows in the text format of COPY, which the server prints faster than any other: values between tabs, NULL as `\N`, a
 * line end behind the row, and backslashes before what would be mistaken for these. The writers of other formats copy
 * plain bytes in a narrow loop, because a row costs them as much as it costs the server.
 * https://www.postgresql.org/docs/current/sql-copy.html
 */

export const [backslash, lineEnd, quote] = [0x5c, 0x0a, 0x22]
const tab = 0x09
const letterOfNull = 'N'.charCodeAt(0)

/** Where rows are written. `bytes` has room for the row. */
export interface Target {
	readonly bytes: Uint8Array
	used: number
}

export interface RowWriter {
	/** Writes the row that begins at `at` in another format, with a line end. */
	readonly write: (row: Uint8Array, at: number, to: Target) => void
	/** Size of what is the same in all rows. */
	readonly fixedBytes: number
}

/** Returns a table of the bytes that are not copied as they are: 1 for each. The ends of values are always among them. */
export function specialBytes(others: readonly number[]): Uint8Array {
	const table = new Uint8Array(256)
	for (const byte of [tab, lineEnd, backslash, ...others]) table[byte] = 1
	return table
}

/** By the byte behind a backslash. */
const escapes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
for (const [at, letter] of [...'btnvfr'].entries()) escapes[letter.charCodeAt(0)] = 8 + at

/** Returns the byte that an escape stands for. @param letter the byte behind the backslash */
export const unescaped = (letter: number): number => escapes[letter] ?? letter

/** A backslash of a value is doubled, so this is nothing else. */
export const isNull = (row: Uint8Array, at: number): boolean => row[at] === backslash && row[at + 1] === letterOfNull

export const isEnd = (byte: number): boolean => byte === tab || byte === lineEnd

/** Whether a number has digits, in contrast to `NaN` and `-Infinity`. */
export function hasDigits(row: Uint8Array, at: number): boolean {
	const first = row[at] === 0x2d ? row[at + 1] : row[at]
	return first !== undefined && first >= 0x30 && first <= 0x39
}

const special = specialBytes([])

/** Copies the bytes of a value, without escapes. @returns the end of the value in the row */
export function copyValue(row: Uint8Array, start: number, to: Target): number {
	const { bytes } = to
	let { used } = to
	let at = start
	for (;;) {
		let byte = row[at] ?? lineEnd
		while (special[byte] === 0) {
			bytes[used++] = byte
			byte = row[++at] ?? lineEnd
		}
		if (isEnd(byte)) break
		bytes[used++] = unescaped(row[at + 1] ?? 0)
		at += 2
	}
	to.used = used
	return at
}

/** Copies a short text. */
export function put(text: Uint8Array, to: Target): void {
	const { bytes, used } = to
	for (let at = 0; at < text.length; at++) bytes[used + at] = text[at] ?? 0
	to.used = used + text.length
}

/** Longer rows are looked at before room is made for them. */
const shortBytes = 4096
/** A control character of one byte is six in JSON: `\u0001`. The end of an empty value gets two quotes. */
const mostGrowth = 6

/** Returns an upper limit of the size of a row in any format. */
export function mostBytes(row: Uint8Array, start: number, end: number): number {
	if (end - start <= shortBytes) return (end - start) * mostGrowth
	let growing = 0
	for (let at = start; at < end; at++) {
		const byte = row[at] ?? 0
		if (byte < 0x28 || byte === backslash) growing++
	}
	return end - start + growing * (mostGrowth - 1)
}
