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

/** The parts of a modern request's body that its headers repeat. */
interface ModernBody {
	readonly method: string
	readonly params: JsonObject
	readonly parameterHeaders: ParameterHeaders | undefined
}

/**
 * Checks that the header copies of a modern request agree with its body (contract, "Required headers").
 * @throws ProtocolError `header_mismatch`
 */
export function checkHeaders(headers: Headers, { method, params, parameterHeaders }: ModernBody): void {
	if (single(headers, 'mcp-method') !== method) throw mismatch('The header Mcp-Method is not the method of the body.')
	const member = memberInName(method)
	if (member !== undefined && single(headers, 'mcp-name') !== params[member]) {
		throw mismatch(`The header Mcp-Name is not \`params.${member}\` of the body.`)
	}
	checkParameters(headers, method === 'tools/call' ? params.arguments : params, parameterHeaders)
}

/**
 * Checks the headers of a notification. They are optional, but must agree with the body. @throws ProtocolError
 * `header_mismatch`
 */
export function checkNotificationHeaders(headers: Headers, method: string, version: string | undefined): void {
	if (headers['mcp-method'] !== undefined && single(headers, 'mcp-method') !== method) {
		throw mismatch('The header Mcp-Method is not the method of the body.')
	}
	if (version !== undefined && headers['mcp-protocol-version'] !== undefined) checkVersionHeader(headers, version)
}

/** @param name in lower case */
function single(headers: Headers, name: string): string {
	const value = headers[name]
	if (typeof value !== 'string') throw mismatch(`The header ${shown(name)} is missing.`)
	const decoded = decodeHeaderValue(value)
	if ('fault' in decoded) throw mismatch(`The header ${shown(name)} ${decoded.fault}.`)
	return decoded.value
}

/** Returns the name of a header as the specification writes it. */
function shown(name: string): string {
	return name.replaceAll(/(?<=^|-)[a-z]/g, letter => letter.toUpperCase())
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
		if (!values.some(value => isSame(value, sent))) throw mismatch(`The header ${shown(name)} disagrees with the body.`)
	}
	for (const [field, path] of annotated ?? []) {
		// Specification: a value in the body must be in its header; null and missing values have no header.
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

/** Collects the fields of all nested objects. Called once per request, because a client may send a thousand headers. */
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

/** Compares strings as text, numbers numerically, and booleans as `true` and `false`. Other values never match. */
function isSame(value: Json | undefined, sent: string): boolean {
	if (typeof value === 'string') return value === sent
	if (typeof value === 'boolean') return String(value) === sent
	const isNumber = typeof value === 'number' || isExactNumber(value)
	return isNumber && isSameNumber(typeof value === 'number' ? String(value) : value.rawJSON, sent)
}

const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Compares integers by their digits, because different long integers can have the same double value. */
function isSameNumber(inBody: string, sent: string): boolean {
	if (!decimal.test(sent)) return false
	// Without leading zeros, equal numbers have equal digits. The exception is -0.
	const isInteger = /^-?\d+$/
	const isPlain = (text: string) => isInteger.test(text) && text !== '-0'
	if (isPlain(inBody) && isPlain(sent)) return inBody === sent
	return Number(inBody) === Number(sent)
}

function mismatch(message: string): ProtocolError {
	return new ProtocolError('header_mismatch', message)
}
