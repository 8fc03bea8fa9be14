import { parseJsonBytes } from './json.ts'

/** UTF-8 bytes of the JSON text of a `T`, optionally followed by raw text. */
export type Encoded<T> = Uint8Array & { readonly __of?: T }

/**
 * A result with the raw text of the engine. The host passes this text from the driver to the client without parsing it.
 */
export interface WithRaw {
	/** UTF-8. */
	readonly raw?: Uint8Array
	/** Original size in bytes, if the text was truncated to fit one message. */
	readonly rawCutFrom?: number
}

const encoder = new TextEncoder()

/** Encodes a result once. The bytes are transferred to its reader unchanged. */
export function encode<T>(value: T): Encoded<T> {
	return encoder.encode(JSON.stringify(value))
}

/** RFC 7464's separator. No JSON text contains this byte, not even inside a string. */
const separator = 0x1e

/** The limit of the host for the bytes of a message: 64 MiB (wire/frames.ts). */
export const maxEncodedBytes = 64 * 1024 * 1024

/**
 * Encodes like {@link encode}, with the raw text after the JSON. Text that exceeds a message is truncated, and the
 * result has `rawCutFrom`.
 */
export function encodeWithRaw<T extends WithRaw>(value: T, largest = maxEncodedBytes): Encoded<T> {
	const { raw, ...rest } = value
	if (raw === undefined) return encode(value)
	const whole = encode(rest)
	if (whole.length + 1 + raw.length <= largest) return joined(whole, raw)
	const head = encode({ ...rest, rawCutFrom: raw.length })
	return joined(head, raw.subarray(0, endOfCharacter(raw, largest - head.length - 1)))
}

function joined(head: Uint8Array, raw: Uint8Array): Uint8Array {
	const bytes = new Uint8Array(head.length + 1 + raw.length)
	bytes.set(head)
	bytes[head.length] = separator
	bytes.set(raw, head.length + 1)
	return bytes
}

/** Returns the largest offset, at most `limit`, that is not inside a multi-byte character. */
function endOfCharacter(bytes: Uint8Array, limit: number): number {
	let end = Math.max(0, limit)
	while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
	return end
}

const decoder = new TextDecoder()

/** Returns the JSON text of an encoded result, without the raw text. */
export function jsonPart(encoded: Encoded<unknown>): Uint8Array {
	const end = encoded.indexOf(separator)
	return end < 0 ? encoded : encoded.subarray(0, end)
}

/** Parses what a driver encoded. Numbers keep their digits. `decode` does not validate the result against `T`. */
export function decode<T>(encoded: Encoded<T>): T {
	const json = jsonPart(encoded)
	const head = parseJsonBytes(json) as T
	return json.length === encoded.length ? head : { ...head, raw: encoded.subarray(json.length + 1) }
}

/** Returns the raw text of a result. */
export function rawText({ raw }: WithRaw): string {
	return decoder.decode(raw)
}
