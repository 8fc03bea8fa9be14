import { DriverError } from '@roundhouse/kit'

/** Values as SQL, which every `sql_mode` reads as the same value. */

/**
 * A value of a statement: a text, bytes, digits that are written as they are, or NULL. In a statement of a user, whose
 * session may read texts in another way, a text is `{ text }`.
 */
export type Value = string | Uint8Array | { readonly number: string } | { readonly text: string } | null

/** Returns a text as a literal. With a backslash it is in hexadecimal digits: `sql_mode` decides what a backslash means. */
export const literal = (text: string): string =>
	text.includes('\\') || !text.isWellFormed() ? hexText(text) : `'${text.replaceAll("'", "''")}'`

/** Returns a text as a literal that has no character of a text: wherever it is placed in a statement, it ends nothing. */
export const hexText = (text: string): string => `_utf8mb4 x'${Buffer.from(text, 'utf8').toString('hex')}'`

export const bytesLiteral = (bytes: Uint8Array): string => `x'${Buffer.from(bytes).toString('hex')}'`

const digits = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/** Returns any value as SQL. @throws DriverError `invalid_argument` for a number with more than digits */
export function valueSql(value: Value): string {
	if (value === null) return 'null'
	if (typeof value === 'string') return literal(value)
	if (value instanceof Uint8Array) return bytesLiteral(value)
	if ('text' in value) return hexText(value.text)
	if (!digits.test(value.number)) throw new DriverError('invalid_argument', `${value.number} is not a number.`)
	// The server takes `--1` for a comment only before a blank, and an operator before it would otherwise be another one.
	return value.number.startsWith('-') ? `(${value.number})` : value.number
}
