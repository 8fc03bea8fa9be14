import { type Json, stringifyJson } from './json.ts'

export interface CsvOptions {
	/** Puts `'` before text that a spreadsheet would run as a formula. */
	readonly guardFormulas: boolean
}

/**
 * One record of CSV (RFC 4180) without its line end. A missing value and `null` are empty; an empty text is `""`, so
 * that it can be told from them.
 */
export function csvRecord(values: readonly (Json | undefined)[], { guardFormulas }: CsvOptions): string {
	return values.map(value => field(value, guardFormulas)).join(',')
}

function field(value: Json | undefined, isGuarded: boolean): string {
	if (value === undefined || value === null) return ''
	const isText = typeof value === 'string'
	const plain = isText ? value : stringifyJson(value)
	const text = isText && isGuarded && looksLikeFormula.test(plain) ? `'${plain}` : plain
	return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** What spreadsheets take for a formula, with the wide forms that some of them fold. */
const looksLikeFormula = /^[\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/
