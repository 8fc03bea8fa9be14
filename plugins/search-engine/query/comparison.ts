import { DriverError, exactNumber, type Filter, instantOf, type Json, type JsonObject } from '@roundhouse/kit'
import { integerBounds, isDate, isStructured, isText } from '../mapping/field-type.ts'
import { flattenedKey, type Target } from './target.ts'
import { typedValue } from './typed-value.ts'

/**
 * Translates one filter on one field to `term`, `terms`, `range`, `wildcard` or `exists` (contract, part B). For
 * `not_equals`, `not_in` and `missing`, returns what must not match.
 *
 * @throws DriverError `invalid_argument` if the field or a value does not match the operator
 */
export function comparison(filter: Filter, target: Target): JsonObject {
	if (filter.operator === 'exists' || filter.operator === 'missing') return { exists: { field: target.field.path } }
	if (isOnlyThere(target.exact.type)) {
		throw invalidFilter(
			`${target.column} is of type ${target.exact.type}, so only "exists" and "missing" apply. Use the raw query for other conditions`,
		)
	}
	switch (filter.operator) {
		case 'equals':
		case 'not_equals':
			return equals(one(filter), target)
		case 'in':
		case 'not_in':
			return oneOf(filter, target)
		case 'less':
			return range(target, { lt: one(filter) })
		case 'less_or_equal':
			return range(target, { lte: one(filter) })
		case 'greater':
			return range(target, { gt: one(filter) })
		case 'greater_or_equal':
			return range(target, { gte: one(filter) })
		case 'between':
			return between(filter, target)
		case 'contains':
			return pattern(target, `*${escapePattern(one(filter))}*`, true)
		case 'starts_with':
			return target.exact.type === flattenedKey
				? startsWith(one(filter), target)
				: pattern(target, `${escapePattern(one(filter))}*`, true)
		case 'ends_with':
			return pattern(target, `*${escapePattern(one(filter))}`, true)
		case 'wildcard':
			return wildcard(one(filter), target)
	}
}

/** Structured types with comparable parts: the leaves of a flattened object, a relation's name, a bound. */
const comparable = new Set(['flattened', 'join'])

function isOnlyThere(type: string): boolean {
	return type === 'binary' || (isStructured(type) && !comparable.has(type) && !type.endsWith('_range'))
}

function equals(text: string, target: Target): JsonObject {
	const { exact } = target
	if (isBeyondKeyword(text, target)) return { match_phrase: { [target.field.path]: text } }
	if (isForeignDate(text, target) || dayIn(text, target)) return range(target, { gte: text, lte: text })
	const value = typedValue(oneInstant(text, target), exact.type, target.column)
	if (sideOf(text, exact.type) !== undefined) return { match_none: {} }
	// Most analyzers index words in lower case, but users do not type them so.
	const ignoreCase = target.isWords && target.canIgnoreCase && { case_insensitive: true }
	return { term: { [exact.path]: { value, ...ignoreCase } } }
}

/** Returns whether a text is too long for `.keyword`. Its words are indexed anyway. */
export function isBeyondKeyword(text: string, { field, exact }: Target): boolean {
	return isText(field.type) && exact.ignoreAbove !== undefined && text.length > exact.ignoreAbove
}

/** Compares each value like {@link equals}, in one clause if that is equivalent. */
function oneOf(filter: Filter, target: Target): JsonObject {
	const texts = filter.values
	if (texts.length === 0) throw invalidFilter(`The filter on ${filter.column} needs a value`)
	const isDay = (text: string) => isForeignDate(text, target) || dayIn(text, target) !== undefined
	const isPlain = (text: string) => !target.isWords && !isDay(text) && !isBeyondKeyword(text, target)
	if (texts.every(isPlain)) {
		const { path, type } = target.exact
		const typed = texts.map(text => [text, typedValue(oneInstant(text, target), type, target.column)] as const)
		return { terms: { [path]: typed.filter(([text]) => sideOf(text, type) === undefined).map(([, value]) => value) } }
	}
	return { bool: { should: texts.map(text => equals(text, target)), minimum_should_match: 1 } }
}

function between(filter: Filter, target: Target): JsonObject {
	const [low, high] = filter.values
	if (low === undefined || high === undefined || filter.values.length !== 2 || (low === '' && high === '')) {
		throw invalidFilter(`"between" on ${filter.column} needs two values`)
	}
	return range(target, { ...(low !== '' && { gte: low }), ...(high !== '' && { lte: high }) })
}

type Bounds = Readonly<Partial<Record<'gt' | 'gte' | 'lt' | 'lte', string>>>

function range(target: Target, bounds: Bounds): JsonObject {
	const { path, type, format } = target.exact
	if (type === '_id' || type === 'boolean' || type === 'join') {
		throw invalidFilter(`${target.column} has no order, so it cannot be compared with less or greater`)
	}
	const inZone = Object.entries(bounds).map(([word, text]) => inZoneOf(target, word, text))
	const typed = inZone.map(([word, text]) => {
		const value = typedValue(text, type, target.column)
		return atEdge(word, text, type) ?? ([word, value] as const)
	})
	const open = openBounds(target, bounds)
	const texts = [...inZone.map(([, text]) => text), ...Object.values(open)]
	const readsIso = texts.some(text => isForeignDate(text, target)) && {
		format: `${format}||strict_date_optional_time_nanos`,
	}
	return { range: { [path]: { ...open, ...Object.fromEntries<Json>(typed), ...readsIso } } }
}

/** Returns a bound as one instant. A day of another zone than UTC has two: where it begins and where the next one does. */
function inZoneOf(target: Target, word: string, text: string): readonly [word: string, text: string] {
	const isAfter = word === 'gt' || word === 'lte'
	const day = dayIn(text, target)
	if (day === undefined) return [word, isAfter ? oneInstant(text, target) : text]
	return [word === 'gt' ? 'gte' : word === 'lte' ? 'lt' : word, new Date(isAfter ? day.end : day.start).toISOString()]
}

/** Returns on which side of all values of a type of whole numbers a number is, if it is none of them. */
function sideOf(text: string, type: string): 'below' | 'above' | undefined {
	const bounds = integerBounds[type]
	if (bounds === undefined) return undefined
	// An exponent is not needed to the last digit.
	const value = /^[+-]?\d+$/.test(text.trim()) ? BigInt(text) : Number(text)
	return value < bounds.least ? 'below' : value > bounds.most ? 'above' : undefined
}

/** The engine refuses a bound that is no value of its type. Returns the one at the edge that means the same. */
function atEdge(word: string, text: string, type: string): readonly [string, Json] | undefined {
	const side = sideOf(text, type)
	const bounds = integerBounds[type]
	if (side === undefined || bounds === undefined) return undefined
	const isUpper = word === 'lt' || word === 'lte'
	const isOpen = isUpper === (side === 'above')
	const edge = exactNumber(String(side === 'above' ? bounds.most : bounds.least))
	return [`${isUpper ? 'lt' : 'gt'}${isOpen ? 'e' : ''}`, edge]
}

const lastText = '\u{10FFFF}'

/**
 * A range on a key of a flattened field must have both ends. Open ends are filled with bounds that include all texts. The
 * engine groups nanoseconds only in a range with a lower end, and has none before 1970.
 */
function openBounds({ exact: { type } }: Target, bounds: Bounds): Bounds {
	const isAbove = 'gt' in bounds || 'gte' in bounds
	const isBelow = 'lt' in bounds || 'lte' in bounds
	if (type === 'date_nanos') return isAbove ? {} : { gte: '1970-01-01T00:00:00Z' }
	if (type !== flattenedKey) return {}
	return { ...(!isAbove && { gte: '' }), ...(!isBelow && { lte: lastText }) }
}

/** Returns whether a date is in ISO format, and the field's mapping may accept other formats only. */
function isForeignDate(text: string, { exact: { type, format } }: Target): boolean {
	const isIso = /^[0-9]{4}-[0-9]{2}/.test(text)
	return isDate(type) && isIso && format !== undefined && !/date_optional_time/.test(format)
}

/** A year, a month or a day. */
const withoutTime = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/

/** Returns the day of a date without a time. Four digits alone may be a number of seconds in another format. */
export function dayOf(text: string, format = 'date_optional_time'): string | undefined {
	const [, year, month, day = '01'] = withoutTime.exec(text) ?? []
	if (year === undefined || (month === undefined && !/^(?:strict_)?date_optional_time/.test(format))) return undefined
	return `${year}-${month ?? '01'}-${day}`
}

const dayMs = 86_400_000

/** Returns the instants of a day, if the text is one, and the engine would read it in another zone. */
function dayIn(
	text: string,
	{ exact: { type, format }, timeZone }: Target,
): { readonly start: number; readonly end: number } | undefined {
	const day = isDate(type) && timeZone !== 'UTC' ? dayOf(text, format) : undefined
	const reading = Date.parse(`${day}T00:00:00Z`)
	// The engine refuses a day that does not exist.
	if (day === undefined || Number.isNaN(reading) || !new Date(reading).toISOString().startsWith(day)) return undefined
	return { start: instantOf(reading, timeZone), end: instantOf(reading + dayMs, timeZone) }
}

/** A date with a time of day, without a fraction of the second. */
const withoutFraction = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2})?(Z|[+-]\d{2}:?\d{2})?$/

/**
 * Returns a time as one instant. For equality and for the end of a range, the engine takes a time without a fraction for
 * the whole second, or the whole minute. A date without a time stays: it means its whole day.
 */
function oneInstant(text: string, { exact: { type } }: Target): string {
	const [, minute, second = ':00', zone = ''] = withoutFraction.exec(text) ?? []
	return isDate(type) && minute !== undefined ? `${minute}${second}.000${zone}` : text
}

/** Keys of a flattened field do not support patterns, but they are ordered. */
function startsWith(text: string, target: Target): JsonObject {
	return range(target, { gte: text, lt: `${text}${lastText}` })
}

const patternTypes = new Set(['keyword', 'constant_keyword', 'wildcard', 'version', '_index'])

function pattern(target: Target, value: string, ignoresCase: boolean): JsonObject {
	const { path, type } = target.exact
	if (!patternTypes.has(type) && !isText(type)) {
		throw invalidFilter(
			`${target.column} is ${type === flattenedKey ? 'a key of a flattened field' : `of type ${type}`}. Text patterns apply to text and keyword fields only`,
		)
	}
	// The engine finds no empty text by an empty pattern.
	if (value === '') return { term: { [path]: value } }
	return { wildcard: { [path]: { value, ...(ignoresCase && target.canIgnoreCase && { case_insensitive: true }) } } }
}

/**
 * A pattern with spaces is one of several words. Text without `.keyword`, and text that is too long for it, has only its
 * words to compare: what is between wildcards must be in it as a phrase, and a part of a word at a wildcard in a word.
 */
function wildcard(value: string, target: Target): JsonObject {
	const { field, exact, isWords } = target
	if (isWords && /\S\s+\S/.test(value)) return { bool: { filter: phrasesOf(value, target) } }
	const found = pattern(target, value, false)
	const hasWords = /\S\s+\S|[^*?][*?]+[^*?]/.test(value)
	if (isWords || !isText(field.type) || exact.ignoreAbove === undefined || !hasWords) return found
	const long = { bool: { filter: phrasesOf(value, target), must_not: { exists: { field: exact.path } } } }
	return { bool: { should: [found, long], minimum_should_match: 1 } }
}

function phrasesOf(value: string, { field: { path }, canIgnoreCase }: Target): readonly JsonObject[] {
	const pieces = value.match(/(?:\\.|[^*?\\])+/gs) ?? []
	const [startsOpen, endsOpen] = [/^[*?]/.test(value), /(?:^|[^\\])(?:\\\\)*[*?]$/.test(value)]
	return pieces.flatMap((piece, at) => {
		const text = piece.replaceAll(/\\(.)/gs, '$1')
		const isOpenLeft = at > 0 || startsOpen
		const isOpenRight = at < pieces.length - 1 || endsOpen
		const left = isOpenLeft ? (/^[\p{L}\p{N}]+/u.exec(text)?.[0] ?? '') : ''
		const rest = text.slice(left.length)
		const right = isOpenRight ? (/[\p{L}\p{N}]+$/u.exec(rest)?.[0] ?? '') : ''
		const phrase = rest.slice(0, rest.length - right.length).trim()
		const isWhole = rest === '' && isOpenRight
		const parts = [...(left ? [isWhole ? `*${left}*` : `*${left}`] : []), ...(right ? [`${right}*`] : [])]
		return [
			...(/[\p{L}\p{N}]/u.test(phrase)
				? [{ match_phrase: { [path]: { query: phrase, zero_terms_query: 'all' } } }]
				: []),
			...parts.map(part => ({
				wildcard: { [path]: { value: part, ...(canIgnoreCase && { case_insensitive: true }) } },
			})),
		]
	})
}

function escapePattern(text: string): string {
	return text.replaceAll(/[\\*?]/g, '\\$&')
}

function one(filter: Filter): string {
	const value = filter.values[0]
	if (value === undefined || filter.values.length !== 1)
		throw invalidFilter(`The filter on ${filter.column} needs one value`)
	return value
}

function invalidFilter(message: string): DriverError {
	return new DriverError('invalid_argument', `${message}.`)
}
