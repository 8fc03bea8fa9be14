import { type Cell, cellLimit, type Json, missingCell, toCell, unreadCell } from '@roundhouse/kit'
import type { BytesOut } from '../hits/bytes-out.ts'
import type { RawObject } from '../hits/raw-object.ts'
import type { Hit } from '../hits/read-hits.ts'
import { encodeRowId, rowKeyOf, rowVersionOf } from './row-id.ts'

/** Prints parts of a row directly from the bytes of the engine's answer. */

/** Prints the cell of a member: `toCell` of its value. */
export function printMember(out: BytesOut, { scanner, starts, ends, isCompact }: RawObject, member: number) {
	const [start, end] = [starts[member] as number, ends[member] as number]
	if (scanner.isObject(start) || scanner.isList(start)) {
		if (end - start > cellLimit || !(isCompact || scanner.isCompact(start, end))) {
			return out.text(JSON.stringify(nestedCell(scanner, start, end)))
		}
		out.all(beforeJson)
		out.copyQuoted(scanner.bytes, start, end)
		return out.all(behind)
	}
	if (end - start > cellLimit && scanner.isText(start))
		return out.text(JSON.stringify(shownCell(scanner.valueOf(start, end))))
	if (scanner.isExact(start, end)) return out.copy(scanner.bytes, start, end)
	out.all(beforeNumber)
	out.copy(scanner.bytes, start, end)
	out.all(behind)
}

/** Returns the cell of a value, with a text cut at the same length as JSON. */
export function shownCell(value: Json | undefined): Cell {
	if (typeof value !== 'string' || value.length <= cellLimit) return toCell(value)
	const isPairCut = /[\ud800-\udbff]/.test(value.charAt(cellLimit - 1))
	return { text: value.slice(0, isPairCut ? cellLimit - 1 : cellLimit), cutFrom: value.length }
}

/** Returns the cell of a list or an object. One too deep to be parsed is shown as the engine printed it. */
function nestedCell(scanner: RawObject['scanner'], start: number, end: number): Cell {
	try {
		return toCell(scanner.valueOf(start, end))
	} catch (error) {
		if (!(error instanceof RangeError)) throw error
		const json = scanner.bytes.toString('utf8', start, end)
		return json.length > cellLimit ? { json: `${json.slice(0, cellLimit)}...`, cutFrom: json.length } : { json }
	}
}

export function printSaid(out: BytesOut, hit: Hit, name: string) {
	const member = hit.names.lastIndexOf(name)
	if (member >= 0) printMember(out, hit, member)
	else out.all(name === '_score' ? unranked : missing)
}

/** Prints the text of `encodeRowId`. */
export function printRowId(out: BytesOut, hit: Hit) {
	const parts = [hit.range('_index'), hit.range('_id'), hit.range('_routing')]
	const isPlain = parts.every((part, index) => (part === undefined ? index === 2 : hit.scanner.isPlainText(...part)))
	if (!isPlain) return out.text(JSON.stringify(encodeRowId(rowKeyOf(hit.values('_index', '_id', '_routing')))))
	out.all(beforeKey)
	for (const [index, part] of parts.entries()) {
		if (part === undefined) continue
		if (index > 0) out.byte(comma)
		out.copyQuoted(hit.scanner.bytes, ...part)
	}
	out.all(behindKey)
}

/** Prints the text of `rowVersionOf`, as a member of the row. */
export function printRowVersion(out: BytesOut, hit: Hit) {
	const { scanner } = hit
	const [seqNo, primaryTerm] = [hit.range('_seq_no'), hit.range('_primary_term')]
	if (seqNo === undefined || primaryTerm === undefined) return
	out.all(beforeVersion)
	if (scanner.isDigits(...seqNo) && scanner.isDigits(...primaryTerm)) {
		out.copy(scanner.bytes, ...seqNo)
		out.byte(dot)
		out.copy(scanner.bytes, ...primaryTerm)
	} else {
		out.text(JSON.stringify(rowVersionOf(hit.values('_seq_no', '_primary_term'))).slice(1, -1))
	}
	out.byte(quote)
}

export function printMissing(out: BytesOut) {
	out.all(missing)
}

export function printUnread(out: BytesOut) {
	out.all(unread)
}

const [comma, dot, quote] = [0x2c, 0x2e, 0x22] as const
const [beforeKey, behindKey, beforeVersion] = [Buffer.from('"['), Buffer.from(']"'), Buffer.from(',"version":"')]
const [missing, unread, unranked] = [
	Buffer.from(JSON.stringify(missingCell)),
	Buffer.from(JSON.stringify(unreadCell)),
	Buffer.from('null'),
]
const [beforeJson, beforeNumber, behind] = [Buffer.from('{"json":"'), Buffer.from('{"number":"'), Buffer.from('"}')]
