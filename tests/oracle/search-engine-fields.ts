import { exactNumber, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'
import { Refusal } from './answer.ts'

/**
 * Types of Elasticsearch for random mappings, and what their values mean. Each value has a place in the order of its
 * type, as a whole number or as a text.
 */
export type Place = bigint | string

/** The places that a typed value means: a day alone means all of its moments. */
export interface Span {
	readonly from: Place
	readonly to: Place
}

type PlaceOf = (value: Json) => Place | undefined

export interface FieldType {
	readonly mapping: JsonObject
	/** Values of a document, beside null, lists and nothing. */
	readonly values: readonly Json[]
	/** Texts of filters beside those of the values. */
	readonly probes: readonly string[]
	readonly kind: 'text' | 'number' | 'date' | 'boolean' | 'ip'
	/** The place of a stored value; `undefined` if the engine does not index it. */
	readonly placeOf: PlaceOf
	/** The place for "equals", "in" and "exists", if it differs. */
	readonly equalPlaceOf?: PlaceOf
	/** The place of a stored value as a user sees it, if the engine indexes another one. */
	readonly shownPlaceOf?: PlaceOf
	/** @throws Refusal */
	readonly spanOf: (text: string) => Span
	/** Text of the group at a place, and of a group that the product shows, in one form. */
	readonly textAt: (place: Place) => string
	readonly textOf: (shown: string) => string
	/** Where the engine sorts a document without a value, by direction. Without it: behind all places. */
	readonly absent?: { readonly asc: Place; readonly desc: Place }
	/** Its words are compared in place of the whole text. */
	readonly isWords?: boolean
	/** Not sorted and not grouped. */
	readonly isSortable?: false
}

const exactly = (place: Place): Span => ({ from: place, to: place })
const textPlace: PlaceOf = value =>
	value === null ? undefined : typeof value === 'string' ? value : stringifyJson(value)
const asItIs = { textAt: String, textOf: String }

/** One is 10^20. */
export const unit = 10n ** 20n

function decimalPlace(text: string): bigint {
	const [, sign = '', whole = '', fraction = '', exponent = '0'] =
		/^([+-]?)(\d*)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text.trim()) ?? []
	if (whole === '' && fraction === '') throw new Refusal(`${text} is no number`)
	const places = 20 - fraction.length + Number(exponent)
	const digits = BigInt(`${whole}${fraction}`)
	const place = places >= 0 ? digits * 10n ** BigInt(places) : digits / 10n ** BigInt(-places)
	return sign === '-' ? -place : place
}

export function numberAt(place: Place): number {
	const digits = String(place).replace('-', '').padStart(21, '0')
	return Number(`${String(place).startsWith('-') ? '-' : ''}${digits.slice(0, -20)}.${digits.slice(-20)}`)
}

const asNumber = {
	textAt: (place: Place) => String(BigInt(place) % unit === 0n ? BigInt(place) / unit : numberAt(place)),
	textOf: (shown: string) => {
		const value = Number(shown)
		return /^-?\d+$/.test(shown) ? shown : String(Number.isInteger(value) ? BigInt(value) : value)
	},
}

const integer = (type: string, bits: bigint, values: readonly string[]): FieldType => {
	const [least, most] = [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]
	return {
		mapping: { type },
		values: [...values, '0', '1', '2', '-5', '10', String(most), String(least)].map(exactNumber),
		probes: ['1.5', '0.5', 'abc', '', '-1', '3', '3000000000', '-1e30', '99999999999999999999'],
		kind: 'number',
		placeOf: value => (value === null ? undefined : decimalPlace(stringifyJson(value))),
		spanOf: text => exactly(decimalPlace(text)),
		...asNumber,
		// A missing short is sorted as a longer number.
		...(bits > 16n && { absent: { asc: most * unit, desc: least * unit } }),
	}
}

const decimal = (type: string, round: (value: number) => number): FieldType => {
	const placeOf = (text: string) => decimalPlace(round(Number(text)).toFixed(20))
	return {
		mapping: { type },
		values: [0, 1, 1.5, -1.5, 0.1, 0.3, 1e5, 16777217, 1.25],
		probes: ['0.1', '0.3', '0.30000001', '1.5', 'x', '16777216', '1e5', '-0'],
		kind: 'number',
		placeOf: value => (value === null ? undefined : placeOf(stringifyJson(value))),
		spanOf: text => exactly(decimalPlace(text) === 0n ? 0n : placeOf(text)),
		...asNumber,
	}
}

const millisecond = 1_000_000n
/** Nanoseconds since 1970. */
function momentSpan(text: string): Span {
	const [, day = '', clock = '00:00:00', fraction = '', zone = 'Z'] =
		/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
	const from = BigInt(Date.parse(`${day}T${clock}${zone}`)) * millisecond + BigInt(fraction.padEnd(9, '0'))
	return { from, to: text === day ? from + 86_400_000n * millisecond - 1n : from }
}

const date = (mapping: JsonObject, values: readonly string[]): FieldType => ({
	mapping: { type: 'date', ...mapping },
	values,
	probes: [
		'2024-01-01',
		'2024-02-29',
		'2024-01-01T00:00:00Z',
		'2024-01-01T10:00:00.000Z',
		'2024-01-01T10:00:00.500Z',
		'2024-01-01T12:00:00.000+02:00',
	],
	kind: 'date',
	placeOf: value => (typeof value === 'string' ? momentSpan(value).from : undefined),
	spanOf: momentSpan,
	// The engine groups by milliseconds.
	textAt: place => String(BigInt(place) / millisecond),
	textOf: shown => String(Date.parse(shown)),
})

const addressPlace = (text: string) => text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)

const texts = [
	'a',
	'A',
	'ab',
	'Ab',
	'abc',
	'b',
	'',
	' ',
	'true',
	'10',
	'9',
	'a*b',
	'a?b',
	'a\\b',
	'a b',
	'é',
	'É',
	'😀',
	'\uffee',
	'null',
	'"q"',
	'=1',
	'x'.repeat(9),
]
const text = (mapping: JsonObject, more: Partial<FieldType> = {}): FieldType => ({
	mapping: { type: 'keyword', ...mapping },
	values: texts,
	probes: [],
	kind: 'text',
	placeOf: textPlace,
	spanOf: exactly,
	...asItIs,
	...more,
})
/** Longer than `ignore_above`. */
const short: PlaceOf = value => (String(textPlace(value)).length > 5 ? undefined : textPlace(value))
const keyword = { type: 'keyword' }

export const numbered = integer('integer', 32n, [])

export const types: readonly FieldType[] = [
	text({}),
	text({}),
	text({ ignore_above: 5 }, { placeOf: short, shownPlaceOf: textPlace }),
	text(
		{ null_value: 'NULL' },
		{ placeOf: value => textPlace(value) ?? 'NULL', shownPlaceOf: textPlace, probes: ['NULL'] },
	),
	text({ doc_values: false }, { isSortable: false }),
	text({ index: false }),
	text({ type: 'text', fields: { keyword } }),
	text(
		{ type: 'text', fields: { keyword: { ...keyword, ignore_above: 5 } } },
		{ placeOf: short, equalPlaceOf: textPlace, shownPlaceOf: textPlace },
	),
	text(
		{ type: 'text' },
		{
			values: ['quick fox', 'Quick', 'fox', 'lazy dog', 'dog Fox', 'a', '10'],
			probes: ['QUICK', 'fo'],
			isWords: true,
			isSortable: false,
		},
	),
	integer('long', 64n, ['9007199254740993', '9007199254740992']),
	integer('integer', 32n, []),
	integer('short', 16n, []),
	decimal('double', value => value),
	decimal('float', Math.fround),
	{
		mapping: { type: 'boolean' },
		values: [true, false],
		probes: ['true', 'True', 'yes'],
		kind: 'boolean',
		placeOf: textPlace,
		...asItIs,
		spanOf: typed => {
			const word = typed.trim().toLowerCase()
			if (word === 'true' || word === 'false') return exactly(word)
			throw new Refusal(`${typed} is no boolean`)
		},
	},
	date({}, [
		'2024-01-01',
		'2024-01-01T10:00:00Z',
		'2024-01-01T10:00:00.500Z',
		'2024-02-29T23:59:59.999Z',
		'1969-12-31T23:59:59.999Z',
	]),
	date({ format: 'yyyy-MM-dd HH:mm:ss||yyyy-MM-dd' }, ['2024-01-01', '2024-01-01 10:00:00', '2024-02-29 23:59:59']),
	date({ type: 'date_nanos' }, [
		'2024-01-01T10:00:00.000000001Z',
		'2024-01-01T10:00:00.000000002Z',
		'2024-02-29T00:00:00Z',
	]),
	{
		mapping: { type: 'ip' },
		values: ['10.0.0.1', '10.0.0.2', '9.255.255.255', '192.168.1.1'],
		probes: ['10.0.0.0'],
		kind: 'ip',
		placeOf: value => (typeof value === 'string' ? addressPlace(value) : undefined),
		spanOf: typed => exactly(addressPlace(typed)),
		textAt: place => [24n, 16n, 8n, 0n].map(bits => (BigInt(place) >> bits) & 255n).join('.'),
		textOf: String,
	},
]

export const oddFields = [
	'plain',
	'with space',
	'ünï',
	'a-b',
	'select',
	'constructor',
	'0',
	'count',
	'a"b',
	"it's",
	'UPPER',
	'keyword',
	'a\\b',
	'object.inner',
	'object.other',
	'x'.repeat(80),
]
export const oddIndices = ['plain', 'a+b', 'ünï', 'a.b', 'a&b', 'a=b', "a'b", 'a@b', 'a!b', 'a%41', 'a~b', '0']
/** Without `?`, `#` and a backslash, whose documents are refused to AI clients. */
export const oddIds = [
	'1',
	'a/b',
	'..',
	'ünï',
	'a b',
	'["ids","victim"]',
	'_x',
	'a+b%20',
	'q=1&r',
	'x'.repeat(400),
	'"',
	'null',
]

/** Compares places of one type: texts by their code points, as UTF-8 is ordered. */
export function comparePlaces(one: Place, other: Place): number {
	if (typeof one === 'bigint' && typeof other === 'bigint') return one < other ? -1 : one > other ? 1 : 0
	return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
}
