import { type Json, stringifyJson } from './json.ts'

/** How a record of CSV is written. */
export interface CsvOptions {
	/** Prefixes text that a spreadsheet would run as a formula with `'`, also if it begins with `'` already. */
	readonly guardFormulas: boolean
}

/**
 * Returns one record of CSV (RFC 4180) without its line end. A missing value and `null` are empty. An empty text is
 * `""`, so that it differs from them.
 */
export function csvRecord(values: readonly (Json | undefined)[], { guardFormulas }: CsvOptions): string {
	return values.map(value => field(value, guardFormulas)).join(',')
}

/** Returns the header of CSV. A name such as `@timestamp` runs nothing, so it is not changed. */
export function csvHeader(names: readonly string[], { guardFormulas }: CsvOptions): string {
	return names.map(name => field(guardFormulas ? guardedName(name) : name, false)).join(',')
}

/** Returns the name of a column behind a guard against formulas, if a spreadsheet would run it. */
export const guardedName = (name: string): string => (/^@[\p{L}\p{N}_.]*$/u.test(name) ? name : withGuard(name))

function field(value: Json | undefined, isGuarded: boolean): string {
	if (value === undefined || value === null) return ''
	const isText = typeof value === 'string'
	const plain = isText ? value : stringifyJson(value)
	const text = isText && isGuarded ? withGuard(plain) : plain
	return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Text that spreadsheets interpret as a formula, including the full-width characters that some of them convert. A sign
 * before a number, a phone number or an id (`-5`, `+49 (30) 123`, `-SZab_1`) begins no formula that could do harm.
 */
const looksLikeFormula =
	/^'*(?:[\s\ufeff]*[=@\uff1d\uff20]|[\t\r\n]|[\s\ufeff]*[+\-\uff0b\uff0d](?!(?:[A-Za-z0-9_.,:-]*|[0-9 ()./-]*)$))/

/** Returns a text behind a guard against formulas, if a spreadsheet would run it. */
export function withGuard(text: string): string {
	return looksLikeFormula.test(text) ? `'${text}` : text
}

/** Returns the text that a guard against formulas was put before; any other text as it is. */
export function withoutGuard(text: string): string {
	return text.startsWith("'") && looksLikeFormula.test(text) ? text.slice(1) : text
}
