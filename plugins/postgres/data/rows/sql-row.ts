import {
	backslash,
	copyValue,
	hasDigits,
	isEnd,
	isNull,
	lineEnd,
	put,
	type RowWriter,
	specialBytes,
	type Target,
	unescaped,
} from './text-row.ts'

export interface SqlColumn {
	readonly as: 'text' | 'number' | 'boolean'
}

const [apostrophe, letterOfEscapes, minus, zero] = [0x27, 0x45, 0x2d, 0x30]
const special = specialBytes([apostrophe])
const [nothing, separator] = [Buffer.from('null'), Buffer.from(', ')]

/**
 * Writes rows as INSERT statements. Numbers and booleans have no quotes, texts those of `quote_literal`.
 * @param around what is before and behind the values
 */
export function sqlRow(columns: readonly SqlColumn[], around: readonly [string, string]): RowWriter {
	const [head, end] = [Buffer.from(around[0]), Buffer.from(`${around[1]}\n`)]
	const write = (row: Uint8Array, start: number, to: Target) => {
		put(head, to)
		let at = start
		for (const [place, { as }] of columns.entries()) {
			if (place > 0) put(separator, to)
			if (isNull(row, at)) {
				put(nothing, to)
				at += 2
			} else if (as === 'boolean' || (as === 'number' && isPlain(row, at))) at = copyValue(row, at, to)
			else at = writeLiteral(row, at, to)
			at++
		}
		put(end, to)
	}
	return { write, fixedBytes: head.length + columns.length * separator.length + end.length }
}

/** Whether a number means the same without quotes. A negative zero would lose its sign. */
const isPlain = (row: Uint8Array, at: number) => hasDigits(row, at) && !(row[at] === minus && row[at + 1] === zero)

/** A text with a backslash begins with E. @returns the end of the value in the row */
function writeLiteral(row: Uint8Array, start: number, to: Target): number {
	const { bytes } = to
	const literal = to.used
	let used = literal
	let at = start
	let isEscaped = false
	bytes[used++] = apostrophe
	for (;;) {
		let byte = row[at] ?? lineEnd
		while (special[byte] === 0) {
			bytes[used++] = byte
			byte = row[++at] ?? lineEnd
		}
		if (isEnd(byte)) break
		if (byte === backslash) byte = unescaped(row[++at] ?? 0)
		at++
		if (byte === backslash && !isEscaped) {
			isEscaped = true
			bytes.copyWithin(literal + 1, literal, used++)
			bytes[literal] = letterOfEscapes
		}
		if (byte === backslash || byte === apostrophe) bytes[used++] = byte
		bytes[used++] = byte
	}
	bytes[used++] = apostrophe
	to.used = used
	return at
}
