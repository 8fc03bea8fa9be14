import {
	type AggregateQuery,
	type Filter,
	type GridQuery,
	isExactNumber,
	isJsonObject,
	type Json,
	type JsonObject,
} from '@roundhouse/kit'
import { Refusal } from './answer.ts'
import { comparePlaces, type FieldType, numberAt, type Place, type Span, unit } from './search-engine-fields.ts'

/** What questions mean for documents, in plain JavaScript. Shares nothing with the driver, and asks no engine. */

export interface Document {
	readonly index: string
	readonly id: string
	readonly source: JsonObject
}

/** Types of the fields, by index and by path. */
export type Fields = ReadonlyMap<string, ReadonlyMap<string, FieldType>>

/** `indexed`: as the engine finds values. `shown`: as a user sees them. */
type View = 'indexed' | 'shown'

/** Returns the values at a path, of all elements of lists on the way. */
export function valuesAt(value: Json | undefined, path: string): readonly Json[] {
	if (value === undefined) return []
	if (Array.isArray(value)) return value.flatMap(element => valuesAt(element, path))
	if (path === '') return [value]
	if (!isJsonObject(value) || isExactNumber(value)) return []
	return Object.keys(value).flatMap(key => {
		if (key !== path && !path.startsWith(`${key}.`)) return []
		return valuesAt(value[key], path.slice(key.length + 1))
	})
}

/** Returns what a cell shows at a path: the value, or a list with that of each element. */
export function shownValue(source: Json, path: string): Json | undefined {
	const [first = '', rest] = path.split('.')
	const value = isJsonObject(source) && Object.hasOwn(source, first) ? source[first] : undefined
	if (rest === undefined || value === undefined) return value
	if (!Array.isArray(value)) return shownValue(value, rest)
	const found = value.map(element => shownValue(element, rest))
	return found.some(one => one !== undefined) ? found.map(one => one ?? null) : undefined
}

const placesOf = (type: FieldType, values: readonly Json[], view: View | 'equal'): readonly Place[] => {
	const other = view === 'shown' ? type.shownPlaceOf : view === 'equal' ? type.equalPlaceOf : undefined
	const placeOf = other ?? type.placeOf
	return values.flatMap(value => placeOf(value) ?? [])
}

const fold = (text: string) => text.replaceAll(/[A-Z]/g, letter => letter.toLowerCase())
const patternOperators = new Set(['contains', 'starts_with', 'ends_with', 'wildcard'])
const ignoresCase = new Set(['equals', 'not_equals', 'in', 'not_in'])
const isNegated = ({ operator }: Filter) => operator === 'not_equals' || operator === 'not_in' || operator === 'missing'

/** Returns whether any of the places fulfils the positive form of a filter. @throws Refusal */
function testOf({ operator, values }: Filter, type: FieldType): (places: readonly Place[]) => boolean {
	if (operator === 'exists' || operator === 'missing') return places => places.length > 0
	const isList = operator === 'in' || operator === 'not_in'
	const count = operator === 'between' ? 2 : 1
	if (isList ? values.length === 0 : values.length !== count) throw new Refusal(`${values.length} values`)
	const [first = '', second = ''] = values
	if (patternOperators.has(operator)) {
		if (type.kind !== 'text') throw new Refusal(`${operator} of ${type.kind}`)
		return patternTest(operator, first)
	}
	const isAny = (test: (place: Place) => boolean) => (places: readonly Place[]) => places.some(test)
	const isIn = ({ from, to }: Span) => isAny(place => comparePlaces(place, from) >= 0 && comparePlaces(place, to) <= 0)
	if (isList) {
		const tests = values.map(value => isIn(type.spanOf(value)))
		return places => tests.some(test => test(places))
	}
	if (operator === 'equals' || operator === 'not_equals') return isIn(type.spanOf(first))
	if (type.kind === 'boolean') throw new Refusal('a boolean has no order')
	if (operator === 'between') {
		// An empty end is open.
		if (first === '' && second === '') throw new Refusal('two empty ends')
		const from = first === '' ? undefined : type.spanOf(first).from
		const to = second === '' ? undefined : type.spanOf(second).to
		return isAny(
			place =>
				(from === undefined || comparePlaces(place, from) >= 0) && (to === undefined || comparePlaces(place, to) <= 0),
		)
	}
	const { from, to } = type.spanOf(first)
	if (operator === 'less') return isAny(place => comparePlaces(place, from) < 0)
	if (operator === 'less_or_equal') return isAny(place => comparePlaces(place, to) <= 0)
	return isAny(place => (operator === 'greater' ? comparePlaces(place, to) > 0 : comparePlaces(place, from) >= 0))
}

function patternTest(operator: string, text: string): (places: readonly Place[]) => boolean {
	const quoted = (part: string) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
	const before = operator === 'starts_with' ? '' : '.*'
	const behind = operator === 'ends_with' ? '' : '.*'
	const wildcard = () =>
		text.replaceAll(/\\(.)|[*?]|[^*?\\]+|\\$/gsu, (part, escaped) =>
			escaped !== undefined ? quoted(escaped) : part === '*' ? '.*' : part === '?' ? '.' : quoted(part),
		)
	const expression = operator === 'wildcard' ? wildcard() : `${before}${quoted(fold(text))}${behind}`
	const pattern = new RegExp(`^(?:${expression})$`, 'su')
	return places => places.some(place => pattern.test(operator === 'wildcard' ? String(place) : fold(String(place))))
}

/** The words of a text, as the default analyzer makes them of plain texts. */
const wordsOf = (text: string) =>
	fold(text)
		.split(/[^a-z0-9]+/)
		.filter(Boolean)

/** Returns the documents that match, and whether some index takes no value of a filter. @throws Refusal */
export function matching(
	documents: readonly Document[],
	fields: Fields,
	query: Pick<GridQuery, 'filters' | 'match'>,
	view: View,
) {
	let isPartial = false
	const tests = query.filters.map(filter => {
		const refusals: Refusal[] = []
		const kinds = new Set([...fields.values()].map(types => types.get(filter.column)))
		kinds.delete(undefined)
		const byIndex = new Map<string, (value: Json | undefined, path?: string) => boolean>()
		for (const [index, types] of fields) {
			const type = types.get(filter.column)
			if (!type) continue
			try {
				const values = kinds.size > 1 ? fittingValues(filter, type) : filter.values
				const test = testOf(
					{
						...filter,
						values: type.isWords && view === 'indexed' && ignoresCase.has(filter.operator) ? values.map(fold) : values,
					},
					type,
				)
				byIndex.set(index, (value, path = filter.column) => {
					const isPresence = filter.operator === 'exists' || filter.operator === 'missing'
					const isEqual = view === 'indexed' && (isPresence || ignoresCase.has(filter.operator))
					const places = placesOf(type, valuesAt(value, path), isEqual ? 'equal' : view)
					const isWords = type.isWords && view === 'indexed' && !isPresence
					return test(isWords ? places.flatMap(place => wordsOf(String(place))) : places)
				})
			} catch (error) {
				if (!(error instanceof Refusal)) throw error
				refusals.push(error)
			}
		}
		if (byIndex.size === 0) throw refusals[0] ?? new Refusal(`no column ${filter.column}`)
		isPartial ||= refusals.length > 0
		return {
			filter,
			test: (document: Document, value?: Json, path?: string) =>
				byIndex.get(document.index)?.(value ?? document.source, path) ?? false,
		}
	})
	const matches = (document: Document) => {
		const one = ({ filter, test }: (typeof tests)[number]) => test(document) !== isNegated(filter)
		if (query.match === 'any') return tests.length === 0 || tests.some(one)
		// Conditions on one nested object hold for the same element of it.
		const inNested = tests.filter(({ filter }) => filter.column.startsWith('items.') && !isNegated(filter))
		if (!tests.filter(test => !inNested.includes(test)).every(one)) return false
		if (inNested.length === 0) return true
		const elements = [document.source.items ?? []].flat()
		const isIn = (element: Json, { filter, test }: (typeof tests)[number]) =>
			test(document, element, filter.column.slice('items.'.length))
		// Another value of the same field may be in another element.
		const further = inNested.filter(({ filter }, at) =>
			inNested.slice(0, at).some(other => areEqualities(filter, other.filter)),
		)
		const together = inNested.filter(test => !further.includes(test))
		return (
			elements.some(element => together.every(test => isIn(element, test))) &&
			further.every(test => elements.some(element => isIn(element, test)))
		)
	}
	return { documents: documents.filter(matches), isPartial }
}

const areEqualities = (one: Filter, other: Filter) =>
	one.operator === 'equals' && other.operator === 'equals' && one.column === other.column

/** A list keeps the values that an index can have: none of its rows is equal to the others. */
function fittingValues(filter: Filter, type: FieldType): readonly string[] {
	if (filter.operator !== 'in' && filter.operator !== 'not_in') return filter.values
	const values = filter.values.filter(value => {
		try {
			return type.spanOf(value)
		} catch (error) {
			if (error instanceof Refusal) return false
			throw error
		}
	})
	return values.length === 0 ? filter.values : values
}

const whole = new Set(['long', 'integer', 'short'])

/** Numbers of several types are compared as the widest, and so is what stands for none: behind all decimals. */
function absentIn(fields: Fields, column: string, type: FieldType | undefined): FieldType['absent'] {
	const types = [...fields.values()].flatMap(own => own.get(column) ?? [])
	const names = new Set(types.map(({ mapping }) => String(mapping.type)))
	if (names.size === 1) return type?.absent
	if (![...names].every(name => whole.has(name))) return undefined
	return types.find(({ mapping }) => mapping.type === 'long')?.absent
}

/** Several indices that have whole numbers and decimals are compared as doubles. */
function isOfDoubles(fields: Fields, column: string): boolean {
	const names = [...fields.values()].flatMap(own => own.get(column)?.mapping.type ?? [])
	return names.some(name => whole.has(String(name))) && names.some(name => name === 'float' || name === 'double')
}

const asDouble = (place: Place | undefined) =>
	typeof place === 'bigint' && place % unit === 0n ? BigInt(Number(place / unit)) * unit : place

/** Returns the ranks of documents in an order. A document without a value is last, and one of several is placed by the first. */
export function ranksOf(documents: readonly Document[], fields: Fields, sort: GridQuery['sort']): readonly number[] {
	const keys = documents.map(({ index, source }) =>
		sort.map(({ column, direction }) => {
			// An index without the field sorts like one whose rows have no value.
			const type = fields.get(index)?.get(column) ?? [...fields.values()].flatMap(own => own.get(column) ?? [])[0]
			const places = type ? placesOf(type, valuesAt(source, column), 'indexed').toSorted(comparePlaces) : []
			const place = places.at(direction === 'asc' ? 0 : -1) ?? absentIn(fields, column, type)?.[direction]
			return isOfDoubles(fields, column) ? asDouble(place) : place
		}),
	)
	const compare = (a: number, b: number) => {
		for (const [at, { direction }] of sort.entries()) {
			const [one, other] = [keys[a]?.[at], keys[b]?.[at]]
			if (one === undefined && other === undefined) continue
			if (one === undefined || other === undefined) return one === undefined ? 1 : -1
			const order = comparePlaces(one, other)
			if (order !== 0) return direction === 'asc' ? order : -order
		}
		return 0
	}
	const order = documents.map((_, at) => at).toSorted(compare)
	const ranks: number[] = []
	for (const [at, document] of order.entries()) {
		const before = order[at - 1]
		ranks[document] = before === undefined ? 1 : (ranks[before] ?? 0) + (compare(before, document) === 0 ? 0 : 1)
	}
	return ranks
}

/** Returns the groups of one column, or one row about all documents: the place, the count, and the measures. */
export function groupsOf(
	documents: readonly Document[],
	fields: Fields,
	{ groups, measures }: Pick<AggregateQuery, 'groups' | 'measures'>,
) {
	const placesIn = (column: string, { index, source }: Document) => {
		const type = fields.get(index)?.get(column)
		return type ? placesOf(type, valuesAt(source, column), 'indexed') : []
	}
	const isDate = (column: string, { index }: Document) => fields.get(index)?.get(column)?.kind === 'date'
	const byPlace = new Map<string, { place: Place | undefined; documents: Document[] }>()
	const [group] = groups
	if (!group) byPlace.set('', { place: undefined, documents: [...documents] })
	for (const document of group ? documents : []) {
		for (const place of new Set(
			placesIn(group?.column ?? '', document).map(place =>
				groupPlace(place, group?.interval, isDate(group?.column ?? '', document)),
			),
		)) {
			const known = byPlace.get(String(place))
			if (known) known.documents.push(document)
			else byPlace.set(String(place), { place, documents: [document] })
		}
	}
	return [...byPlace.values()].map(({ place, documents }) => ({
		place,
		count: documents.length,
		measures: measures.map(({ function: computed, column }) => {
			const places = documents.flatMap(document => placesIn(column, document))
			if (computed === 'count') return places.length
			if (computed === 'distinct') return new Set(places.map(String)).size
			const numbers = places.map(place => (typeof place === 'bigint' ? numberAt(place) : Number.NaN))
			// The order of large numbers decides what is left of the others.
			const isRounded = numbers.some(number => Math.abs(number) > Number.MAX_SAFE_INTEGER)
			if (isRounded && numbers.length > 1 && (computed === 'sum' || computed === 'avg')) return Number.NaN
			if (computed === 'sum') return numbers.reduce((sum, number) => sum + number, 0)
			if (numbers.length === 0) return null
			if (computed === 'avg') return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
			return computed === 'min' ? Math.min(...numbers) : Math.max(...numbers)
		}),
	}))
}

const dayNs = 86_400_000_000_000n
function groupPlace(place: Place, interval: string | undefined, isDate: boolean): Place {
	if (typeof place === 'string') return place
	// The engine groups times by milliseconds.
	if (interval === undefined) return isDate ? place - (place % 1_000_000n) : place
	const width = interval === 'day' ? dayNs : BigInt(interval) * 10n ** 20n
	return (place - (((place % width) + width) % width)) as Place
}
