import { isUtf8 } from 'node:buffer'

/** Prefix of headers that copy single arguments. Lower case, like the names in node:http. */
export const parameterHeaderPrefix = 'mcp-param-'

/** The member of `params` that the header `Mcp-Name` copies (contract, "Required headers"). */
const namedBy: ReadonlyMap<string, 'name' | 'uri'> = new Map([
	['tools/call', 'name'],
	['prompts/get', 'name'],
	['resources/read', 'uri'],
])

export function memberInName(method: string): 'name' | 'uri' | undefined {
	return namedBy.get(method)
}

/** Distinguishes bridges with the same token. */
export const bridgeHeader = 'roundhouse-bridge'

const prefix = '=?base64?'
const suffix = '?='
const standardBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const printable = /^[\t\x20-\x7e]*$/

/**
 * Encodes the value of an MCP header (contract, "Required headers"): printable ASCII stays, other text is encoded as
 * base64 of its UTF-8 in a wrapper, `=?base64?…?=`.
 */
export function encodeHeaderValue(value: string): string {
	const isPlain = /^[\x20-\x7e]*$/.test(value) && value.trim() === value && !value.startsWith(prefix)
	return isPlain ? value : `${prefix}${Buffer.from(value, 'utf8').toString('base64')}${suffix}`
}

/** A decoded value, or a fault that completes the sentence "The header … ". */
export type DecodedHeaderValue = { readonly value: string } | { readonly fault: string }

/** Decodes a header value. A value with only one of the two markers is plain text. */
export function decodeHeaderValue(value: string): DecodedHeaderValue {
	if (!printable.test(value)) return { fault: 'contains characters that must be encoded as =?base64?…?=' }
	const isWrapped = value.startsWith(prefix) && value.endsWith(suffix) && value.length >= prefix.length + suffix.length
	if (!isWrapped) return { value }
	const encoded = value.slice(prefix.length, -suffix.length)
	const bytes = Buffer.from(encoded, 'base64')
	if (!standardBase64.test(encoded) || !isUtf8(bytes)) return { fault: 'has a malformed base64 wrapper' }
	return { value: bytes.toString('utf8') }
}
