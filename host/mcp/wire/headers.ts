import { isUtf8 } from 'node:buffer'

/** Begins the headers that repeat single arguments; lower case, as node:http gives names. */
export const parameterHeaderPrefix = 'mcp-param-'

/** Which member of `params` the header `Mcp-Name` repeats (contract, "Required headers"). */
const namedBy: ReadonlyMap<string, 'name' | 'uri'> = new Map([
	['tools/call', 'name'],
	['prompts/get', 'name'],
	['resources/read', 'uri'],
])

export function memberInName(method: string): 'name' | 'uri' | undefined {
	return namedBy.get(method)
}

/** Tells two bridges apart that hold the same token. */
export const bridgeHeader = 'roundhouse-bridge'

const prefix = '=?base64?'
const suffix = '?='
const standardBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const printable = /^[\t\x20-\x7e]*$/

/**
 * The value of an MCP header (contract, "Required headers"): printable ASCII stands for itself, everything else is the
 * base64 of its UTF-8 in a wrapper, `=?base64?…?=`.
 */
export function encodeHeaderValue(value: string): string {
	const isPlain = /^[\x20-\x7e]*$/.test(value) && value.trim() === value && !value.startsWith(prefix)
	return isPlain ? value : `${prefix}${Buffer.from(value, 'utf8').toString('base64')}${suffix}`
}

/** What a header says, or what is wrong with it, as the end of a sentence that the header's name begins. */
export type DecodedHeaderValue = { readonly value: string } | { readonly fault: string }

/** A value with only one of the two markers is taken literally. */
export function decodeHeaderValue(value: string): DecodedHeaderValue {
	if (!printable.test(value)) return { fault: 'holds characters that must be wrapped as =?base64?…?=' }
	const isWrapped = value.startsWith(prefix) && value.endsWith(suffix) && value.length >= prefix.length + suffix.length
	if (!isWrapped) return { value }
	const encoded = value.slice(prefix.length, -suffix.length)
	const bytes = Buffer.from(encoded, 'base64')
	if (!standardBase64.test(encoded) || !isUtf8(bytes)) return { fault: 'has a malformed base64 wrapper' }
	return { value: bytes.toString('utf8') }
}
