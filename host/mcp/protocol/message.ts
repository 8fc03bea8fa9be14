import { isUtf8 } from 'node:buffer'
import { type ExactNumber, isExactNumber, isJsonObject, type Json, type JsonObject, parseJson } from '@roundhouse/kit'
import { ProtocolError } from './errors.ts'

/** Integers of any length keep their digits, so an id comes back as it was sent. */
export type RequestId = string | number | ExactNumber

export interface Request {
	readonly kind: 'request'
	readonly id: RequestId
	readonly method: string
	readonly params: JsonObject
}

export interface Notification {
	readonly kind: 'notification'
	readonly method: string
	readonly params: JsonObject
}

/** A body that is no message; the id is kept where it could be read, so that the client finds its answer. */
export interface Unreadable {
	readonly kind: 'unreadable'
	readonly id: RequestId | null
	readonly error: ProtocolError
}

/** Deeper bodies are refused, so that no recursion below has to fear for its stack. */
const deepestNesting = 256

/** Reads a body as one JSON-RPC message (contract, "Request envelope"). Where a key stands twice, the last one counts. */
export function parseMessage(body: Buffer): Request | Notification | Unreadable {
	if (!isUtf8(body)) return unreadable(new ProtocolError('parse_error', 'The body is not UTF-8.'))
	let value: Json
	try {
		value = parseJson(body.toString('utf8'))
	} catch (error) {
		// The parser recurses where a number must keep its digits; it runs out of stack long after our own limit.
		return unreadable(error instanceof RangeError ? tooDeep() : new ProtocolError('parse_error'))
	}
	// A short body cannot nest deeply: each level takes two characters.
	if (body.length > deepestNesting * 2 && isDeeperThan(value, deepestNesting)) return unreadable(tooDeep())
	return readEnvelope(value)
}

function readEnvelope(value: Json): Request | Notification | Unreadable {
	const refuse = (reason: string, id: RequestId | null = null) =>
		unreadable(new ProtocolError('invalid_request', reason), id)
	if (Array.isArray(value)) return refuse('Batches are not supported: send one message a request.')
	if (!isJsonObject(value)) return refuse('A message is an object.')
	const id = value.id
	const hasId = id !== undefined
	if (hasId && !isRequestId(id)) return refuse('`id` is a string or an integer.')
	const knownId = hasId ? id : null
	if (value.jsonrpc !== '2.0') return refuse('`jsonrpc` is "2.0".', knownId)
	if (value.result !== undefined || value.error !== undefined)
		return refuse('This server sends no requests, so it takes no responses.', knownId)
	if (typeof value.method !== 'string' || value.method === '') return refuse('`method` is a text.', knownId)
	const params = value.params ?? {}
	if (value.params === null || !isJsonObject(params)) return refuse('`params` is an object.', knownId)
	return hasId
		? { kind: 'request', id, method: value.method, params }
		: { kind: 'notification', method: value.method, params }
}

export function isRequestId(value: Json | undefined): value is RequestId {
	if (typeof value === 'string') return true
	if (typeof value === 'number') return Number.isInteger(value)
	return isExactNumber(value) && /^-?\d+$/.test(value.rawJSON)
}

/** Tells ids apart by type and value: 1 is not "1". */
export function idKey(id: RequestId): string {
	return JSON.stringify(id)
}

function isDeeperThan(value: Json, levels: number): boolean {
	if (typeof value !== 'object' || value === null || isExactNumber(value)) return false
	if (levels === 0) return true
	const members = Array.isArray(value) ? value : Object.values(value)
	return members.some((member: Json) => isDeeperThan(member, levels - 1))
}

function tooDeep(): ProtocolError {
	return new ProtocolError('invalid_request', `The body nests deeper than ${deepestNesting} levels.`)
}

function unreadable(error: ProtocolError, id: RequestId | null = null): Unreadable {
	return { kind: 'unreadable', id, error }
}
