import { type Encoded, type Json, parseJson } from '@roundhouse/kit'

const decoder = new TextDecoder()

/** Parses what a driver encoded; numbers keep their digits. The wire's schemas see bytes only, so the type is the driver's word. */
export function decode<T>(encoded: Encoded<T>): T {
	return parseJson(decoder.decode(encoded)) as Json as T
}
