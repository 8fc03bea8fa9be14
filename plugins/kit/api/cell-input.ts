import type { Cell } from './cell.ts'
import { exactNumber, isExactNumber, type Json, parseJson, stringifyJson } from './json.ts'

/** How text that is typed, pasted or read from a file becomes a value. No digit is lost, and nothing is coerced. */

export type InputKind = 'line' | 'number' | 'boolean' | 'json' | 'bytes'

/** Returns a complete value to save. Values that were read may be truncated, written values never are. */
export function newValue(value: Json): Cell {
	if (isExactNumber(value)) return { number: value.rawJSON }
	return typeof value === 'object' && value !== null ? { json: stringifyJson(value) } : value
}

export type Typed = { readonly cell: Cell } | { readonly fault: string }

/** Parses typed text. A fault explains what is wrong; nothing is rounded or coerced. */
export function readInput(kind: InputKind, text: string): Typed {
	try {
		switch (kind) {
			case 'number':
				return { cell: newValue(exactNumber(text.trim())) }
			case 'boolean':
				if (text === 'true' || text === 'false') return { cell: text === 'true' }
				return { fault: 'true or false' }
			case 'json':
				return { cell: newValue(parseJson(text)) }
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
