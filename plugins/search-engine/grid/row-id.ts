import { DriverError, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'

/** Identifies a document: its actual index (also if read through an alias), its `_id`, and its routing. */
export interface RowKey {
	readonly index: string
	readonly id: string
	readonly routing?: string
}

/** The version of a document that was read. An edit succeeds only on the same version. */
export interface RowVersion {
	readonly seqNo: string
	readonly primaryTerm: string
}

export function encodeRowId({ index, id, routing }: RowKey): string {
	return JSON.stringify(routing === undefined ? [index, id] : [index, id, routing])
}

/** Parses a row id. A text that this driver did not make is read as the `_id` of a document in `table`. */
export function decodeRowId(rowId: string, table: string): RowKey {
	const [index, id, routing] = readParts(rowId)
	if (index === undefined || id === undefined) return { index: table, id: rowId }
	return { index, id, ...(routing !== undefined && { routing }) }
}

/** Whether a text has the form of a row id. It may be the `_id` of a document too. */
export const isRowIdForm = (text: string): boolean => readParts(text).length >= 2

function readParts(rowId: string): readonly string[] {
	if (!rowId.startsWith('["')) return []
	try {
		const parts = JSON.parse(rowId) as unknown
		const isOurs = Array.isArray(parts) && parts.length <= 3 && parts.every(part => typeof part === 'string')
		return isOurs ? parts : []
	} catch {
		return []
	}
}

function encodeVersion({ seqNo, primaryTerm }: RowVersion): string {
	return `${seqNo}.${primaryTerm}`
}

/** @throws DriverError `invalid_argument` for a version that this driver did not make. */
export function decodeVersion(version: string): RowVersion {
	const [, seqNo, primaryTerm] = /^([0-9]+)\.([0-9]+)$/.exec(version) ?? []
	if (seqNo === undefined || primaryTerm === undefined) {
		throw new DriverError('invalid_argument', 'The row version is malformed.')
	}
	return { seqNo, primaryTerm }
}

/** Accepts a hit of a search or the answer of a `_doc` read, which have the same members. */
export function rowKeyOf(hit: JsonObject): RowKey {
	const routing = hit._routing
	return { index: String(hit._index), id: String(hit._id), ...(typeof routing === 'string' && { routing }) }
}

export function rowVersionOf(hit: JsonObject): string | undefined {
	if (hit._seq_no === undefined || hit._primary_term === undefined) return undefined
	return encodeVersion({ seqNo: digits(hit._seq_no), primaryTerm: digits(hit._primary_term) })
}

function digits(value: Json): string {
	return stringifyJson(value)
}
