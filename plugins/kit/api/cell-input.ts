import type { Cell } from './cell.ts'
import { exactNumber, isExactNumber, type Json, parseJson, stringifyJson } from './json.ts'
import type { ColumnKind } from './table.ts'

/** How text that is typed, pasted or read from a file becomes a value. No digit is lost, and nothing is coerced. */

export type InputKind = 'line' | 'number' | 'boolean' | 'json' | 'bytes'

/** Returns a complete value to save. Values that were read may be truncated, written values never are. */
export function newValue(value: Json): Cell {
	if (isExactNumber(value)) return { number: value.rawJSON }
	return typeof value === 'object' && value !== null ? { json: stringifyJson(value) } : value
}

export type Typed = { readonly cell: Cell } | { readonly fault: string }

/** Numbers that JSON does not have, in any case and with any short form. */
const nonFinite = /^(?:(nan)|([+-]?)inf(?:inity)?)$/i

/** Returns the cell of `NaN`, `Infinity` or `-Infinity`, if the text is one of them. */
export function readNonFinite(text: string): Cell | undefined {
	const [found, nan, sign] = nonFinite.exec(text.trim()) ?? []
	if (found === undefined) return undefined
	return nan === undefined ? `${sign === '-' ? '-' : ''}Infinity` : 'NaN'
}

/** Parses typed text. A fault explains what is wrong; nothing is rounded or coerced. */
export function readInput(kind: InputKind, text: string): Typed {
	try {
		switch (kind) {
			case 'number':
				return { cell: newValue(exactNumber(text.trim())) }
			case 'boolean':
				return readBoolean(text)
			case 'json': {
				const value = parseJson(text)
				// A text of JSON keeps its quotes, which tell it from a text that contains JSON. A null of JSON is a value.
				return { cell: typeof value === 'string' || value === null ? jsonCell(value) : newValue(value) }
			}
			case 'bytes': {
				const bytes = base64OfHex(text)
				return bytes === undefined ? { fault: 'not hexadecimal: two digits for each byte' } : { cell: { bytes } }
			}
			case 'line':
				return { cell: text }
		}
	} catch (error) {
		return { fault: kind === 'number' ? 'not a number' : `not JSON: ${error instanceof Error ? error.message : ''}` }
	}
}

const [yes, no] = [
	['true', 'yes', 'on', '1'],
	['false', 'no', 'off', '0'],
]

/** Reads `true`, `yes`, `on`, `1`, their opposites, and unique beginnings of these words such as `t`, in any case. */
function readBoolean(text: string): Typed {
	const word = text.trim().toLowerCase()
	const begins = (words: readonly string[]) => word !== '' && words.some(whole => whole.startsWith(word))
	const [isYes, isNo] = [begins(yes), begins(no)]
	return isYes === isNo ? { fault: 'not true or false' } : { cell: isYes }
}

/** Reads hexadecimal bytes, with or without blanks and the prefixes `0x` and `\\x`. @returns base64, if it is hexadecimal */
export function base64OfHex(text: string): string | undefined {
	const digits = text
		.trim()
		.replace(/^(0x|\\x)/i, '')
		.replace(/\s+/g, '')
	if (!/^([0-9a-f]{2})*$/i.test(digits)) return undefined
	const pairs = digits.match(/../g) ?? []
	let binary = ''
	for (const pair of pairs) binary += String.fromCharCode(Number.parseInt(pair, 16))
	return btoa(binary)
}

/**
 * Reads a value of a row's document as a value of a column. In a document, bytes are base64 or hexadecimal behind `\x`, and a text in a column of JSON is a text of JSON. `null` is the engine's null.
 */
export function readJsonValue(kind: ColumnKind, value: Json): Typed {
	if (typeof value !== 'string') return { cell: kind === 'json' && value !== null ? jsonCell(value) : newValue(value) }
	if (kind === 'json') return { cell: jsonCell(value) }
	if (kind !== 'binary') return { cell: value }
	if (value.startsWith('\\x')) return readInput('bytes', value)
	return base64.test(value) ? { cell: { bytes: value } } : { fault: 'not base64' }
}

const jsonCell = (value: Json): Cell => ({ json: stringifyJson(value) })
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
