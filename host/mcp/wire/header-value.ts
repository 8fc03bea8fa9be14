import { isUtf8 } from 'node:buffer'
import { ProtocolError } from '../protocol/errors.ts'

const prefix = '=?base64?'
const suffix = '?='
const standardBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const printable = /^[\t\x20-\x7e]*$/

/**
 * Decodes the value of an MCP header (contract, "Required headers": printable ASCII stands for itself, everything else
 * is wrapped as `=?base64?…?=`). A value with only one of the two markers is taken literally.
 * @throws ProtocolError `header_mismatch` for a malformed wrapper or a control character
 */
export function decodeHeaderValue(name: string, value: string): string {
	if (!printable.test(value)) throw malformed(name, 'holds characters that must be wrapped as =?base64?…?=')
	if (!value.startsWith(prefix) || !value.endsWith(suffix) || value.length < prefix.length + suffix.length) return value
	const encoded = value.slice(prefix.length, -suffix.length)
	const bytes = Buffer.from(encoded, 'base64')
	if (!standardBase64.test(encoded) || !isUtf8(bytes)) throw malformed(name, 'has a malformed base64 wrapper')
	return bytes.toString('utf8')
}

function malformed(name: string, reason: string): ProtocolError {
	return new ProtocolError('header_mismatch', `The header ${name} ${reason}.`)
}
