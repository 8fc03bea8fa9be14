import { hasEscapedName, withPlainNames } from './escaped-names.ts'
import { inexactNumbers } from './inexact-numbers.ts'

/**
 * Lossless JSON with the JavaScript engine's parser and printer.
 *
 * A number whose text would change through a double (`12345678901234567890`, `1.10`, `1e400`) becomes a raw-JSON value
 * that `JSON.stringify` prints unchanged. Every other number stays a plain number. Based on the ECMAScript proposal
 * "JSON.parse source text access", which Node 24 and Chromium 156 ship.
 */

/** A value of `JSON.rawJSON`: a frozen object without a prototype. */
export interface ExactNumber {
	readonly rawJSON: string
}

/** A value of JSON whose numbers keep their digits. */
export type Json = null | boolean | string | number | ExactNumber | readonly Json[] | JsonObject
/** An object of JSON. */
export interface JsonObject {
	readonly [key: string]: Json
}

// TypeScript's library does not declare these two yet.
const native = JSON as unknown as {
	rawJSON(text: string): ExactNumber
	isRawJSON(value: unknown): value is ExactNumber
	parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
}

/**
 * Marks the string that replaces a raw number while the native parser runs. A control character that is valid unescaped
 * in JSON, and that V8 stores in one byte, so that a Latin-1 text keeps one byte per character. The parser is slower
 * with an escape.
 */
const mark = '\u0081'
const escapedMark = '\\u0081'

/**
 * Parses JSON text without changing a number.
 *
 * The native parser with a reviver could do this alone, but takes seven to ten times as long as without. So the few
 * numbers that need it are found first and passed through the parser as marked strings. A text that contains the mark
 * takes the slow path.
 *
 * @throws SyntaxError if the text is not JSON.
 */
export function parseJson(text: string): Json {
	return parseText(text)
}

/** Parses UTF-8 like {@link parseJson}. */
export function parseJsonBytes(bytes: Uint8Array): Json {
	const text = decoder.decode(bytes)
	// A mark at the start is left out of the text, and invalid bytes are replaced.
	const isSame = bytes[0] !== firstOfMark && !text.includes(replacement)
	return parseText(text, isSame ? bytes : undefined)
}

const decoder = new TextDecoder()
const firstOfMark = 0xef
const replacement = '\ufffd'

/** @param bytes the text in UTF-8, if that exists */
function parseText(text: string, bytes?: Uint8Array): Json {
	return hasEscapedName(text) ? (withPlainNames(text, parsePlainNames) as Json) : parsePlainNames(text, bytes)
}

/**
 * Matches each number that a double might change, and some that it does not change. A number of JSON follows one of these
 * characters or begins the text. Most requests have no such number, and this is four times faster than a scan.
 */
const suspiciousNumber = /(?:^|[\s:,[])(?:-0|-?\d{1,15}[.eE]|-?\d{16})/

function parsePlainNames(text: string, bytes?: Uint8Array): Json {
	if (!suspiciousNumber.test(text)) return JSON.parse(text) as Json
	const spans = inexactNumbers(text, bytes)
	if (spans.length === 0) return JSON.parse(text) as Json
	return text.includes(mark) || text.includes(escapedMark) ? parseWithReviver(text) : unmarked(parseMarked(text, spans))
}

/**
 * Parses JSON text like {@link parseJson}, with less code and up to ten times slower: for small texts in small programs.
 * Member names must have no escapes (see `withPlainNames`).
 *
 * @throws SyntaxError if the text is not JSON.
 */
export function parseWithReviver(text: string): Json {
	return native.parse(text, (_key, value, context) =>
		typeof value === 'number' && context.source !== undefined && String(value) !== context.source
			? native.rawJSON(context.source)
			: value,
	) as Json
}

function parseMarked(text: string, spans: readonly number[]): MarkedJson {
	let marked = ''
	let from = 0
	for (let at = 0; at < spans.length; at += 2) {
		const [start, end] = [spans[at] ?? 0, spans[at + 1] ?? 0]
		marked += `${text.slice(from, start)}"${mark}${text.slice(start, end)}"`
		from = end
	}
	try {
		return JSON.parse(marked + text.slice(from)) as MarkedJson
	} catch {
		// Throws the same error, with positions in the original text.
		return JSON.parse(text) as MarkedJson
	}
}

/** A value fresh from the parser, without other references. */
type MarkedJson = Json | MarkedJson[] | { [key: string]: MarkedJson }

function unmarked(value: MarkedJson): Json {
	if (typeof value === 'string') return value.startsWith(mark) ? native.rawJSON(value.slice(1)) : value
	if (typeof value === 'object' && value !== null) unmarkInside(value as MarkedJson[] | { [key: string]: MarkedJson })
	return value as Json
}

/** Replaces marks in place, because a copy of every answer would cost as much as parsing it. */
function unmarkInside(container: MarkedJson[] | { [key: string]: MarkedJson }) {
	if (Array.isArray(container)) {
		for (const [index, value] of container.entries()) if (isTouched(value)) container[index] = unmarked(value)
		return
	}
	for (const key in container) {
		const value = container[key]
		if (value === undefined || !isTouched(value)) continue
		const exact = unmarked(value)
		if (key === '__proto__') Object.defineProperty(container, key, { value: exact })
		else if (exact !== value) container[key] = exact
	}
}

function isTouched(value: MarkedJson): boolean {
	return typeof value === 'string' ? value.startsWith(mark) : typeof value === 'object' && value !== null
}

/** Prints what {@link parseJson} read, with unchanged numbers. */
export function stringifyJson(value: Json, indent?: number): string {
	return JSON.stringify(value, null, indent)
}

/** Returns whether a value is a raw number, which a double cannot hold. */
export function isExactNumber(value: unknown): value is ExactNumber {
	return typeof value === 'object' && native.isRawJSON(value)
}

/** Returns whether a value is a number of JSON, plain or raw. */
export function isJsonNumber(value: unknown): value is number | ExactNumber {
	return typeof value === 'number' || isExactNumber(value)
}

/** Returns whether a value is an object of JSON: no array, no `null` and no raw number. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
}

/** Returns the number with exactly these digits: a plain number if a double represents it, else a raw one. */
export function exactNumber(text: string): number | ExactNumber {
	if (!/^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text)) {
		throw new SyntaxError(`not a JSON number: ${text.slice(0, 40)}`)
	}
	const value = Number(text)
	return String(value) === text ? value : native.rawJSON(text)
}
