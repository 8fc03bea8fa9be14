/**
 * Lossless JSON on the engine's own parser and printer.
 *
 * A number whose text would change on its way through a double (`12345678901234567890`, `1.10`, `1e400`) is kept as
 * a raw-JSON value that `JSON.stringify` prints as it came; every other number stays a plain number. Own reading of
 * the ECMAScript proposal "JSON.parse source text access", which Node 24 and Chromium 156 ship.
 */

/** What `JSON.rawJSON` makes: a frozen object without a prototype. */
export interface ExactNumber {
	readonly rawJSON: string
}

export type Json = null | boolean | string | number | ExactNumber | readonly Json[] | JsonObject
export interface JsonObject {
	readonly [key: string]: Json
}

// TypeScript's library does not know these two yet.
const native = JSON as unknown as {
	rawJSON(text: string): ExactNumber
	isRawJSON(value: unknown): value is ExactNumber
	parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
}

/**
 * Finds anything that might be a number a double cannot carry: 16 digits or more, a trailing zero behind the point,
 * an exponent, a negative zero, a small fraction that prints with an exponent. Numbers begin behind a bracket, a colon,
 * a comma or a space, so dates and ids in strings do not count. It may still hit text inside a string; that costs time,
 * never correctness.
 */
const mayBeInexact = /(?:^|[\s:,[])(?:-0|-?[0-9.]{16}|-?[0-9]+\.[0-9]*0(?![0-9])|-?[0-9]+(?:\.[0-9]+)?[eE]|-?0\.0{6})/

/**
 * Parses JSON text without changing a number.
 * @throws SyntaxError where the text is not JSON.
 */
export function parseJson(text: string): Json {
	if (!mayBeInexact.test(text)) return JSON.parse(text) as Json
	return native.parse(text, (_key, value, context) =>
		typeof value === 'number' && context.source !== undefined && String(value) !== context.source
			? native.rawJSON(context.source)
			: value,
	) as Json
}

/** Prints what {@link parseJson} read; numbers leave as they came. */
export function stringifyJson(value: Json, indent?: number): string {
	return JSON.stringify(value, null, indent)
}

export function isExactNumber(value: unknown): value is ExactNumber {
	return native.isRawJSON(value)
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
}

/** The number with exactly these digits: a plain number where a double keeps them, else a raw one. */
export function exactNumber(text: string): number | ExactNumber {
	if (!/^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text)) {
		throw new SyntaxError(`not a JSON number: ${text.slice(0, 40)}`)
	}
	const value = Number(text)
	return String(value) === text ? value : native.rawJSON(text)
}
