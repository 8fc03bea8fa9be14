import { exactNumber, isExactNumber, isJsonObject, type Json, stringifyJson } from '@roundhouse/kit'
import { tokenize } from './analysis.ts'
import { parseDate } from './dates.ts'
import type { SampleField } from './field.ts'

/** A value in comparable form: dates as milliseconds, addresses and large integers as `bigint`. */
export type Comparable = string | number | bigint | boolean

const integerTypes = new Set(['long', 'integer', 'short', 'byte', 'unsigned_long'])
const decimalTypes = new Set(['double', 'float', 'half_float', 'scaled_float'])

export function isNumberType(type: string): boolean {
	return integerTypes.has(type) || decimalTypes.has(type)
}

/** Returns the value in the field's type, or `undefined` if it does not match. */
export function comparable(
	value: Json,
	field: Pick<SampleField, 'type' | 'format'>,
	isUpper = false,
): Comparable | undefined {
	const { type } = field
	const text = plainText(value)
	if (text === undefined) return undefined
	if (integerTypes.has(type)) return integerOf(text)
	if (decimalTypes.has(type)) return /^\s*$/.test(text) ? undefined : numberOf(text)
	if (type === 'boolean') return text === 'true' ? true : text === 'false' || text === '' ? false : undefined
	if (type === 'date') return parseDate(text, field.format, isUpper)
	if (type === 'ip') return addressOf(text)
	return text
}

export function plainText(value: Json): string | undefined {
	if (isExactNumber(value)) return value.rawJSON
	return value === null || isJsonObject(value) || Array.isArray(value) ? undefined : String(value)
}

/** Like the engine, accepts `"12"` and `12.0` as integers, and truncates decimals. */
function integerOf(text: string): bigint | undefined {
	if (/^-?\d+$/.test(text)) return BigInt(text)
	const number = numberOf(text)
	return number === undefined || !Number.isFinite(number) ? undefined : BigInt(Math.trunc(number))
}

function numberOf(text: string): number | undefined {
	const number = Number(text)
	return Number.isNaN(number) ? undefined : number
}

/** Returns an IP address as one number. IPv4 is mapped to IPv6, so that both have one order. */
export function addressOf(text: string): bigint | undefined {
	if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) {
		const bytes = text.split('.').map(Number)
		if (bytes.some(byte => byte > 255)) return undefined
		return 0xffff00000000n + bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
	}
	if (!/^[0-9a-f:]+$/i.test(text) || !text.includes(':')) return undefined
	const [head = '', tail] = text.split('::')
	const left = head === '' ? [] : head.split(':')
	const right = tail === undefined || tail === '' ? [] : tail.split(':')
	const zeros = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0')
	const groups = [...left, ...zeros, ...right]
	return groups.length === 8 ? groups.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n) : undefined
}

/** Scores and metrics are doubles, which the engine prints with a decimal point. */
export function printDouble(value: number): Json {
	return Number.isInteger(value) ? exactNumber(`${value}.0`) : value
}

/** Returns the words by which analysed text is found. */
export function words(values: readonly Json[]): string[] {
	return values.flatMap(value => tokenize(plainText(value) ?? stringifyJson(value)).map(token => token.token))
}

export function compare(a: Comparable, b: Comparable): number {
	if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
	return a < b ? -1 : a > b ? 1 : 0
}

/** The engine compares text by UTF-8 bytes, which differs from UTF-16 order only outside the basic plane. */
function compareText(a: string, b: string): number {
	return a === b ? 0 : a < b ? -1 : 1
}
