import { isJsonObject, isExactNumber as isRaw, type Json, stringifyJson } from '@roundhouse/kit/json'
import { isExactNumber } from './host-link.ts'

/**
 * Characters without a shape, and characters that change how their neighbours are displayed. Line breaks, tabs and the
 * selectors of emoji stay.
 */
const invisible = /(?![\n\t]|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800]|(?! )\p{Zs}/gu

/** Escapes invisible characters. */
export const spelledOut = (text: string) =>
	text.replace(invisible, character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)

/** Returns a name or an id on one line. It is in quotes if its blanks would not be visible, or if it reads like null. */
export function nameText(name: string): string {
	return spelledOut(/^(null)?$|^[\s"]|\s$|\s\s|[\n\t]/.test(name) ? JSON.stringify(name) : name)
}

/**
 * Returns a proposed value as JSON on one line, like the question for consent. A number that the client has rounded
 * begins with ≈.
 */
export function valueText(value: Json): string {
	if (typeof value === 'number') return isExactNumber(value) ? String(value) : `≈ ${value}`
	if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
	if (!isJsonObject(value)) return spelledOut(JSON.stringify(value))
	const members = Object.entries(value).map(
		([key, member]) => `${spelledOut(JSON.stringify(key))}: ${valueText(member)}`,
	)
	return `{${members.join(', ')}}`
}

/** A value in a result: its text, and the class of its kind. */
export interface ResultText {
	readonly text: string
	readonly look: 'text' | 'empty' | 'number' | 'boolean' | 'json' | 'null'
}

/** Returns the text of a value in a result, with every digit of a number; of a value that was not read, none. */
export function resultText(value: Json | undefined): ResultText {
	if (value === null || value === undefined) return { text: value === null ? 'null' : '', look: 'null' }
	if (value === '') return { text: '""', look: 'empty' }
	if (typeof value === 'string') return { text: spelledOut(value), look: 'text' }
	if (typeof value === 'boolean') return { text: String(value), look: 'boolean' }
	const text = stringifyJson(value)
	return typeof value === 'number' || isRaw(value) ? { text, look: 'number' } : { text: spelledOut(text), look: 'json' }
}
