import {
	backslash,
	copyValue,
	hasDigits,
	isEnd,
	isNull,
	lineEnd,
	put,
	quote,
	type RowWriter,
	specialBytes,
	type Target,
} from './text-row.ts'

export interface JsonColumn {
	readonly name: string
	readonly as: 'text' | 'number' | 'boolean' | 'json'
}

const [nothing, yes, no] = ['null', 'true', 'false'].map(word => Buffer.from(word)) as [Buffer, Buffer, Buffer]
const [open, close, letterOfTrue, letterOfTab] = [0x7b, 0x7d, 0x74, 0x76]
const verticalTab = 0x0b
const special = specialBytes([quote, ...Array.from({ length: 0x20 }, (_, control) => control)])
const hexDigits = Buffer.from('0123456789abcdef')

/** Writes rows as `row_to_json` does: without blanks, and with the digits of numbers. */
export function jsonRow(columns: readonly JsonColumn[]): RowWriter {
	const members = columns.map(({ name, as }, at) => ({
		as,
		head: Buffer.from(`${at === 0 ? '' : ','}${JSON.stringify(name)}:`),
	}))
	const write = (row: Uint8Array, start: number, to: Target) => {
		to.bytes[to.used++] = open
		let at = start
		for (const { as, head } of members) {
			put(head, to)
			if (isNull(row, at)) {
				put(nothing, to)
				at += 2
			} else if (as === 'boolean') put(row[at++] === letterOfTrue ? yes : no, to)
			else if (as === 'json' || (as === 'number' && hasDigits(row, at))) at = copyValue(row, at, to)
			else at = writeText(row, at, to)
			at++
		}
		to.bytes[to.used++] = close
		to.bytes[to.used++] = lineEnd
	}
	return { write, fixedBytes: 3 + members.reduce((sum, { head }) => sum + head.length, 0) }
}

/** Most escapes of COPY are those of JSON. @returns the end of the value in the row */
function writeText(row: Uint8Array, start: number, to: Target): number {
	const { bytes } = to
	let { used } = to
	let at = start
	bytes[used++] = quote
	for (;;) {
		let byte = row[at] ?? lineEnd
		while (special[byte] === 0) {
			bytes[used++] = byte
			byte = row[++at] ?? lineEnd
		}
		if (isEnd(byte)) break
		const isVerticalTab = byte === backslash && row[at + 1] === letterOfTab
		if (byte < 0x20 || isVerticalTab) {
			const code = isVerticalTab ? verticalTab : byte
			for (const part of [backslash, 0x75, 0x30, 0x30, hexDigits[code >> 4] ?? 0, hexDigits[code & 15] ?? 0])
				bytes[used++] = part
		} else {
			bytes[used++] = backslash
			bytes[used++] = byte === quote ? quote : (row[at + 1] ?? 0)
		}
		at += byte === backslash ? 2 : 1
	}
	bytes[used++] = quote
	to.used = used
	return at
}
