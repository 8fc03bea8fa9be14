import { guardedName } from '@roundhouse/kit/csv'
import {
	backslash,
	isEnd,
	isNull,
	lineEnd,
	quote,
	type RowWriter,
	specialBytes,
	type Target,
	unescaped,
} from './text-row.ts'

const [comma, carriageReturn] = [0x2c, 0x0d]
const special = specialBytes([quote, comma])
/** A line of this text alone was the end of the data for older servers, so the server writes it with quotes. */
const endOfData = '\\.'
const endOfDataRow = Buffer.from('\\\\.\n')

/**
 * Writes rows as the server writes them in CSV: NULL is empty, an empty text is `""`, and only values with a quote, a
 * comma or a line end have quotes.
 */
export function csvRow({ length }: readonly unknown[]): RowWriter {
	const write = (row: Uint8Array, start: number, to: Target) => {
		let at = start
		for (let column = 0; column < length; column++) {
			if (column > 0) to.bytes[to.used++] = comma
			const mustQuote = length === 1 && endOfDataRow.equals(row.subarray(at, at + endOfDataRow.length))
			at = 1 + (isNull(row, at) ? at + 2 : writeValue(row, at, mustQuote, to))
		}
		to.bytes[to.used++] = lineEnd
	}
	return { write, fixedBytes: 0 }
}

/** @returns the end of the value in the row */
function writeValue(row: Uint8Array, start: number, mustQuote: boolean, to: Target): number {
	const { bytes } = to
	const value = to.used
	let used = value
	let at = start
	let isQuoted = false
	for (;;) {
		let byte = row[at] ?? lineEnd
		while (special[byte] === 0) {
			bytes[used++] = byte
			byte = row[++at] ?? lineEnd
		}
		if (isEnd(byte)) break
		if (byte === backslash) byte = unescaped(row[++at] ?? 0)
		at++
		if (!isQuoted && (byte === quote || byte === comma || byte === lineEnd || byte === carriageReturn)) {
			isQuoted = true
			bytes.copyWithin(value + 1, value, used++)
			bytes[value] = quote
		}
		bytes[used++] = byte
		if (byte === quote) bytes[used++] = quote
	}
	if (!isQuoted && (used === value || mustQuote)) {
		bytes.copyWithin(value + 1, value, used++)
		bytes[value] = quote
		isQuoted = true
	}
	if (isQuoted) bytes[used++] = quote
	to.used = used
	return at
}

/** Returns the header that the server writes, with a line end. */
export function csvHeader(columns: readonly string[], isGuarded: boolean): string {
	const names = isGuarded ? columns.map(guardedName) : columns
	const one = (name: string) =>
		/[",\n\r]/.test(name) || (names.length === 1 && name === endOfData) ? `"${name.replaceAll('"', '""')}"` : name
	return `${names.map(one).join(',')}\n`
}
