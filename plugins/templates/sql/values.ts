import { type Cell, type Column, type ColumnKind, cellLimit } from '@roundhouse/kit'
import { type Given, numberCell, typedBytes, type Values } from '@roundhouse/sql'
import { language, literal } from './language.ts'

/**
 * A column of SQLite has values of any type. Each is selected as a text that begins with its type and has all of it: `i` and
 * `r` with the digits, `t` and `b` with the bytes in hexadecimal digits. `T` and `B` have the first part of it, behind its length.
 */

const whole = (x: string) =>
	`case typeof(${x}) when 'integer' then 'i' || ${x} when 'real' then 'r' || ${x} when 'text' then 't' || hex(${x}) when 'blob' then 'b' || hex(${x}) end`

const cut = (x: string, tag: string) => `'${tag}' || length(${x}) || ':' || hex(substr(${x}, 1, ${cellLimit}))`
const short = (x: string) =>
	`case when length(${x}) <= ${cellLimit} then ${whole(x)} when typeof(${x}) = 'text' then ${cut(x, 'T')} when typeof(${x}) = 'blob' then ${cut(x, 'B')} end`

/** Infinity, as SQLite reads it. */
const digitsIn = (text: string) => text.replace('Inf', '9.0e+999')

function cellOf(text: string): Cell {
	const [tag, rest] = [text[0], text.slice(1)]
	if (tag === 'i' || tag === 'r') return numberCell(digitsIn(rest))
	const [digits = '', length] = rest.split(':').toReversed()
	const bytes = Buffer.from(digits, 'hex')
	const whole = tag === 't' || tag === 'T' ? bytes.toString('utf8') : { bytes: bytes.toString('base64') }
	if (length === undefined) return whole
	return typeof whole === 'string' ? { text: whole, cutFrom: Number(length) } : { ...whole, cutFrom: Number(length) }
}

function textOf(value: Given): string {
	if ('number' in value) return `${/^-?\d+$/.test(value.number) ? 'i' : 'r'}${value.number}`
	return 'text' in value ? `t${Buffer.from(value.text).toString('hex')}` : `b${value.bytes.toString('hex')}`
}

function exact(text: string): string {
	const [tag, rest] = [text[0], text.slice(1)]
	// Behind a minus, another one would begin a comment.
	if (tag === 'i' || tag === 'r') return `(${digitsIn(rest)})`
	if (tag === 'b') return `x'${rest}'`
	const bytes = Buffer.from(rest, 'hex')
	const shown = bytes.toString('utf8')
	// A literal ends at a NUL. The plus takes the type TEXT from the value, which would change what it is compared with.
	return shown.includes('\0') || !Buffer.from(shown).equals(bytes) ? `+cast(x'${rest}' as text)` : literal(shown)
}

/** How SQLite derives an affinity from a declared type. Dates are texts or numbers. https://www.sqlite.org/datatype3.html */
export function kindOf(type: string): ColumnKind {
	if (/int/i.test(type)) return 'number'
	if (/char|clob|text|date|time/i.test(type)) return 'text'
	if (/blob/i.test(type)) return 'binary'
	return type === '' || /any/i.test(type) ? 'other' : 'number'
}

const asText = ({ name }: Column) => `cast(${language.quoted(name)} as text)`

export const values: Values = {
	whole,
	short,
	cellOf,
	textOf,
	exact,
	// Values of a column without a type are compared as they are shown.
	compared: column => (column.kind === 'other' ? asText(column) : language.quoted(column.name)),
	// SQLite reads a number in a text as its column does.
	typed: (column, typed) => (column.kind === 'binary' ? `x'${typedBytes(column, typed)}'` : literal(typed)),
	matches: (column, pattern) => `${asText(column)} like ${literal(pattern)} escape '\\'`,
	digest: texts => `roundhouse_digest(${texts.map(text => `ifnull(${text}, '-')`).join(` || ',' || `)})`,
	nulls: 'smallest',
}
