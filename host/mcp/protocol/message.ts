import { isUtf8 } from 'node:buffer'
import { type ExactNumber, isExactNumber, isJsonObject, type Json, type JsonObject, parseJson } from '@roundhouse/kit'
import { ProtocolError } from './errors.ts'

/** Long integers keep their digits, so that an id is returned as it was sent. */
export type RequestId = string | number | ExactNumber

/** Each message about a request contains its id, so a very long id would be sent back many times. */
const maxIdLength = 1000

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

/** A body that is not a valid message. It keeps the id if it could be read, so that the client can match the answer. */
export interface Unreadable {
	readonly kind: 'unreadable'
	readonly id: RequestId | null
	readonly error: ProtocolError
}

/**
 * Parses a body as one JSON-RPC message (contract, "Request envelope"). The last of duplicate keys wins.
 * @param fault why the body must not be parsed (body-shape.ts)
 */
export function parseMessage(body: Buffer, fault?: ProtocolError): Request | Notification | Unreadable {
	if (fault) return unreadable(fault)
	if (!isUtf8(body)) return unreadable(new ProtocolError('parse_error', 'The body is not UTF-8.'))
	let value: Json
	try {
		value = parseJson(body.toString('utf8'))
	} catch {
		return unreadable(new ProtocolError('parse_error'))
	}
	return readEnvelope(value)
}

function readEnvelope(value: Json): Request | Notification | Unreadable {
	const refuse = (reason: string, id: RequestId | null = null) =>
		unreadable(new ProtocolError('invalid_request', reason), id)
	if (Array.isArray(value)) return refuse('Batches are not supported: send one message a request.')
	if (!isJsonObject(value)) return refuse('A message is an object.')
	const id = value.id
	const hasId = id !== undefined
	if (hasId && !isRequestId(id)) return refuse(`\`id\` is a string or an integer of at most ${maxIdLength} characters.`)
	const knownId = hasId ? id : null
	if (value.jsonrpc !== '2.0') return refuse('`jsonrpc` is "2.0".', knownId)
	if (value.result !== undefined || value.error !== undefined)
		return refuse('This server sends no requests, so it takes no responses.', knownId)
	if (typeof value.method !== 'string' || value.method === '') return refuse('`method` must be a string.', knownId)
	const params = value.params ?? {}
	if (value.params === null || !isJsonObject(params)) return refuse('`params` is an object.', knownId)
	return hasId
		? { kind: 'request', id, method: value.method, params }
		: { kind: 'notification', method: value.method, params }
}

export function isRequestId(value: Json | undefined): value is RequestId {
	if (typeof value === 'string') return value.length <= maxIdLength
	if (typeof value === 'number') return Number.isInteger(value)
	return isExactNumber(value) && value.rawJSON.length <= maxIdLength && /^-?\d+$/.test(value.rawJSON)
}

/** Returns a key of an id that depends on type and value: 1 is not "1". */
export function idKey(id: RequestId): string {
	return JSON.stringify(id)
}

function unreadable(error: ProtocolError, id: RequestId | null = null): Unreadable {
	return { kind: 'unreadable', id, error }
}
