import { type Json, parseJson } from './json.ts'

/** UTF-8 bytes of the JSON text of a `T`, which may have raw text behind it. */
export type Encoded<T> = Uint8Array & { readonly __of?: T }

/** What holds a text as an engine sent it, which nobody on the way to its reader parses or copies into JSON. */
export interface WithRaw {
	/** UTF-8. */
	readonly raw?: Uint8Array
	/** How many bytes it had, where it was cut to fit one message. */
	readonly rawCutFrom?: number
}

const encoder = new TextEncoder()

/** Encodes a result once, as the bytes that travel to its reader. */
export function encode<T>(value: T): Encoded<T> {
	return encoder.encode(JSON.stringify(value))
}

/** RFC 7464's separator: no JSON text has this byte, in its strings neither. */
const separator = 0x1e

/** A message to the host holds 64 MiB of bytes (wire/frames.ts). */
export const largestEncoded = 64 * 1024 * 1024

/** As {@link encode}, with the raw text behind the JSON; what is longer than a message can be is cut, which it says. */
export function encodeWithRaw<T extends WithRaw>(value: T, largest = largestEncoded): Encoded<T> {
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

/** The last place up to `most` that is in no character of several bytes. */
function endOfCharacter(bytes: Uint8Array, most: number): number {
	let end = Math.max(0, most)
	while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
	return end
}

const decoder = new TextDecoder()

/** Parses what a driver encoded; numbers keep their digits. Who decodes has seen bytes only: the type is the driver's word. */
export function decode<T>(encoded: Encoded<T>): T {
	const end = encoded.indexOf(separator)
	if (end < 0) return parseJson(decoder.decode(encoded)) as Json as T
	const head = parseJson(decoder.decode(encoded.subarray(0, end))) as Json as T
	return { ...head, raw: encoded.subarray(end + 1) }
}

/** The text that is raw beside a result. */
export function rawText({ raw }: WithRaw): string {
	return decoder.decode(raw)
}
