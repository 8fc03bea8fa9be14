import { isExactNumber, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { decodeHeaderValue, memberInName, parameterHeaderPrefix } from '../wire/headers.ts'
import type { ParameterHeaders } from '../wire/parameter-headers.ts'
import { ProtocolError } from './errors.ts'

/** Headers by lower-case name, as node:http gives them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** @throws ProtocolError `header_mismatch` */
export function checkVersionHeader(headers: Headers, version: string): void {
	const header = headers['mcp-protocol-version']
	if (header === undefined) throw mismatch('The header MCP-Protocol-Version is missing.')
	if (header !== version) throw mismatch(`The header MCP-Protocol-Version is not the "${version}" of the body.`)
}

/**
 * Checks that the header copies of a modern request agree with its body (contract, "Required headers").
 * @throws ProtocolError `header_mismatch`
 */
export function checkHeaders(
	headers: Headers,
	method: string,
	params: JsonObject,
	parameterHeaders: ParameterHeaders | undefined,
): void {
	if (single(headers, 'Mcp-Method') !== method) throw mismatch('The header Mcp-Method is not the method of the body.')
	const member = memberInName(method)
	if (member !== undefined && single(headers, 'Mcp-Name') !== params[member]) {
		throw mismatch(`The header Mcp-Name is not \`params.${member}\` of the body.`)
	}
	checkParameters(headers, method === 'tools/call' ? params.arguments : params, parameterHeaders)
}

/** A notification needs no headers; those that are there must agree. @throws ProtocolError `header_mismatch` */
export function checkNotificationHeaders(headers: Headers, method: string, version: string | undefined): void {
	if (headers['mcp-method'] !== undefined && single(headers, 'Mcp-Method') !== method) {
		throw mismatch('The header Mcp-Method is not the method of the body.')
	}
	if (version !== undefined && headers['mcp-protocol-version'] !== undefined) checkVersionHeader(headers, version)
}

function single(headers: Headers, name: string): string {
	const value = headers[name.toLowerCase()]
	if (typeof value !== 'string') throw mismatch(`The header ${name} is missing.`)
	const decoded = decodeHeaderValue(value)
	if ('fault' in decoded) throw mismatch(`The header ${name} ${decoded.fault}.`)
	return decoded.value
}

function checkParameters(headers: Headers, body: Json | undefined, annotated: ParameterHeaders | undefined): void {
	let fields: Fields | undefined
	for (const name in headers) {
		if (!name.startsWith(parameterHeaderPrefix)) continue
		const field = name.slice(parameterHeaderPrefix.length)
		const sent = single(headers, name)
		const path = annotated?.get(field)
		if (!path) fields ??= fieldsOf(body)
		const values = path ? [valueAt(body, path)] : (fields?.get(field) ?? [])
		if (!values.some(value => isSame(value, sent))) throw mismatch(`The header ${name} disagrees with the body.`)
	}
	for (const [field, path] of annotated ?? []) {
		// The specification: a value that is in the body must be in its header; null and absent have none.
		if (headers[parameterHeaderPrefix + field] === undefined && (valueAt(body, path) ?? null) !== null) {
			throw mismatch(`The header Mcp-Param-${field} is missing.`)
		}
	}
}

function valueAt(body: Json | undefined, path: readonly string[]): Json | undefined {
	let value = body
	for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
	return value
}

/** Values by the lower-case name of their field. */
type Fields = ReadonlyMap<string, readonly Json[]>

/** The fields at every level of nested objects. Gathered once: a client may send a thousand headers and a long body. */
function fieldsOf(body: Json | undefined, fields = new Map<string, Json[]>()): Fields {
	if (!isJsonObject(body)) return fields
	for (const [key, value] of Object.entries(body)) {
		const name = key.toLowerCase()
		const known = fields.get(name)
		if (known) known.push(value)
		else fields.set(name, [value])
		fieldsOf(value, fields)
	}
	return fields
}

/** Strings compare as text, numbers numerically, booleans as `true` and `false`; nothing else ever matches. */
function isSame(value: Json | undefined, sent: string): boolean {
	if (typeof value === 'string') return value === sent
	if (typeof value === 'boolean') return String(value) === sent
	const isNumber = typeof value === 'number' || isExactNumber(value)
	return isNumber && isSameNumber(typeof value === 'number' ? String(value) : value.rawJSON, sent)
}

const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Long integers compare by their digits: two of them can be the same double and still not the same number. */
function isSameNumber(inBody: string, sent: string): boolean {
	if (!decimal.test(sent)) return false
	// Neither has leading zeros, so the digits alone tell; zero has two spellings.
	const isInteger = /^-?\d+$/
	const isPlain = (text: string) => isInteger.test(text) && text !== '-0'
	if (isPlain(inBody) && isPlain(sent)) return inBody === sent
	return Number(inBody) === Number(sent)
}

function mismatch(message: string): ProtocolError {
	return new ProtocolError('header_mismatch', message)
}
