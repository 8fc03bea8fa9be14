import { type Json, parseJson } from './json.ts'

/** UTF-8 bytes of the JSON text of a `T`. */
export type Encoded<T> = Uint8Array & { readonly __of?: T }

const encoder = new TextEncoder()

/** Encodes a result once, as the bytes that travel to its reader. */
export function encode<T>(value: T): Encoded<T> {
	return encoder.encode(JSON.stringify(value))
}

const decoder = new TextDecoder()

/** Parses what a driver encoded; numbers keep their digits. Who decodes has seen bytes only: the type is the driver's word. */
export function decode<T>(encoded: Encoded<T>): T {
	return parseJson(decoder.decode(encoded)) as Json as T
}
