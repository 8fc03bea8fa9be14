import {
	type Aggregated,
	type AggregateQuery,
	type Cell,
	DriverError,
	type Group,
	type Json,
	type JsonObject,
	type Measure,
	toCell,
} from '@roundhouse/kit'
import { resolve } from '../mapping/exact-field.ts'
import type { Field } from '../mapping/field.ts'
import { isDate } from '../mapping/field-type.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { keyOf } from '../mapping/sort-key.ts'
import { isOfDays, zoneOf } from '../mapping/time-zone.ts'
import type { QueryPlan } from '../query/query.ts'
import { numberOf, objectOf, objectsOf } from '../transport/answer.ts'
import { listed, named } from '../transport/engine-words.ts'
import { isAtLeast, type Version } from '../transport/product.ts'

/** Upper limits of groups that the engine holds at once, and within another group. Each level multiplies them. */
const [maxHeld, maxInside] = [20_000, 50]

/**
 * Groups that each shard reports, if there is one level. By default a shard reports few more than are shown, so values
 * that are spread evenly are counted on some shards only.
 */
const perShard = 5_000

const calendar = new Set(['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'])

type Percentile = 'median' | 'p90' | 'p95' | 'p99'
const percents: Readonly<Record<string, number>> = { median: 50, p90: 90, p95: 95, p99: 99 } satisfies Record<
	Percentile,
	number
>
const engineWords: Readonly<Record<Exclude<Measure['function'], Percentile>, string>> = {
	count: 'value_count',
	sum: 'sum',
	avg: 'avg',
	min: 'min',
	max: 'max',
	distinct: 'cardinality',
}

interface Computing {
	readonly plan: QueryPlan
	readonly mapping: Mapping
	readonly version: Version
	/** The zone of the connection. */
	readonly timeZone: string
}

/** Returns the search body: nested aggregations, each an outer `g` around the measures `m0`, `m1`, … */
export function aggregationBody(query: AggregateQuery, { plan, mapping, version, timeZone }: Computing): JsonObject {
	const measures = Object.fromEntries(
		query.measures.map((measure, index) => [
			`m${index}`,
			metricOf(measure, fieldOf(measure.column, mapping, measure.function)),
		]),
	)
	const { order, ordered } = orderOf(query, measures)
	const inside = (depth: number): JsonObject => {
		const group = query.groups[depth]
		if (group === undefined) return measures
		const size = depth === 0 ? query.limit : insideOf(query)
		const aggs = { ...ordered, ...inside(depth + 1) }
		const isAlone = query.groups.length === 1
		const grouping = groupingOf(group, { size, isAlone, order, mapping, version, timeZone })
		return { g: { ...grouping, ...(Object.keys(aggs).length > 0 && { aggs }) } }
	}
	// The engine groups no document without a value.
	const absent = Object.fromEntries(
		query.groups.map(({ column }, at) => [`absent${at}`, { missing: { field: fieldOf(column, mapping) } }]),
	)
	return { size: 0, query: plan.query, track_total_hits: query.groups.length === 0, aggs: { ...inside(0), ...absent } }
}

function metricOf({ function: name }: Measure, field: string): JsonObject {
	return isPercentile(name)
		? { percentiles: { field, percents: [percents[name] ?? null], keyed: false } }
		: { [engineWords[name]]: { field } }
}

function isPercentile(name: Measure['function']): name is Percentile {
	return name in percents
}

/** Returns the order of groups, and the measure that each level must compute for it. */
function orderOf({ order, measures: asked }: AggregateQuery, measures: JsonObject) {
	if (order?.measure === 'count') return { order: { _count: order.direction }, ordered: {} }
	if (order?.measure === 'group') return { order: { _key: order.direction }, ordered: {} }
	const measure = order && asked[order.measure]
	if (!order || !measure) return { order: undefined, ordered: {} }
	const name = `m${order.measure}`
	// A metric with several values is addressed by the value's name.
	const path = isPercentile(measure.function) ? `${name}.${percents[measure.function]}` : name
	return { order: { [path]: order.direction }, ordered: { [name]: measures[name] ?? {} } }
}

/** Returns the limit of groups per inner level, so that all levels together stay within the limit. */
function insideOf({ groups, limit }: AggregateQuery): number {
	const fair = Math.floor((maxHeld / limit) ** (1 / Math.max(1, groups.length - 1)))
	return Math.max(2, Math.min(limit, maxInside, fair))
}

/** How the engine groups one level. */
interface Grouping {
	readonly size: number
	/** Whether there is no other level. Each group of a shard holds all groups of the levels inside. */
	readonly isAlone: boolean
	readonly order: JsonObject | undefined
	readonly mapping: Mapping
	readonly version: Version
	readonly timeZone: string
}

function groupingOf({ column, interval }: Group, grouping: Grouping): JsonObject {
	const { size, isAlone, order, mapping, version } = grouping
	const field = fieldOf(column, mapping)
	const ordered = order && { order }
	if (interval === undefined) {
		const shards = isAlone && size < perShard && { shard_size: perShard }
		return { terms: { field, size, ...shards, show_term_doc_count_error: true, ...ordered } }
	}
	if (calendar.has(interval)) {
		const word = isAtLeast(version, 7, 2) ? 'calendar_interval' : 'interval'
		const inZone = calendarZone(column, grouping)
		return { date_histogram: { field, [word]: interval, min_doc_count: 1, ...inZone, ...ordered } }
	}
	if (/^[1-9][0-9]{0,8}[smhd]$/.test(interval)) {
		const word = isAtLeast(version, 7, 2) ? 'fixed_interval' : 'interval'
		return { date_histogram: { field, [word]: interval, min_doc_count: 1, ...ordered } }
	}
	const step = Number(interval)
	if (!(step > 0) || !Number.isFinite(step)) {
		const words = [...calendar].join(', ')
		throw new DriverError(
			'invalid_argument',
			`interval must be one of ${words} or a width such as 5m or 12h for dates, or a positive number for numbers.`,
		)
	}
	return { histogram: { field, interval: step, min_doc_count: 1, ...ordered } }
}

/** Returns how days begin in another zone than UTC. The key of a group then has an offset, whatever the field's format. */
function calendarZone(column: string, { mapping, timeZone }: Pick<Grouping, 'mapping' | 'timeZone'>): JsonObject {
	const zone = zoneOf(realField(column, mapping), timeZone)
	return zone === 'UTC' ? {} : { time_zone: zone, format: 'strict_date_optional_time' }
}

/** Returns the field whose values the engine can aggregate. @throws DriverError if there is none */
function fieldOf(column: string, mapping: Mapping, computed?: Measure['function']): string {
	const key = keyOf(column, mapping)
	if (typeof key === 'string') throw new DriverError('unsupported', `${column} cannot be aggregated: ${key}.`)
	// The engine counts what it holds, so 1 and 1.0 of two indices would count twice.
	if (computed === 'distinct' && key.isOfTwoForms === true) {
		throw new DriverError(
			'unsupported',
			`Different values of ${column} cannot be counted: the indices behind this name define it as ${listed(typeOf(column, mapping).split('|').map(named))}, so equal values would count twice. Count them in one index, or group by ${column}.`,
		)
	}
	if (key.nestedIn.length === 0) return key.field
	throw new DriverError(
		'unsupported',
		`${column} is in the nested object ${named(key.nestedIn.join('.'))}. Use a statement with a nested aggregation instead.`,
	)
}

/** Up to about here, the engine counts different values exactly. */
const exactDistinct = 3_000

/** The groups around a level. */
interface Walked {
	readonly before: readonly Cell[]
	/** Whether one of them may lack documents of a shard. */
	readonly isAbout: boolean
}

/** Returns the rows of the answer, outermost group first. */
export function aggregated(
	query: AggregateQuery,
	answer: JsonObject,
	{ mapping, timeZone }: Pick<Computing, 'mapping' | 'timeZone'>,
): Aggregated {
	const rows: Cell[][] = []
	const estimated: number[] = []
	const facts = { others: 0, isEstimate: false, isCut: false, isRounded: false, mostDistinct: 0 }
	const measured = (bucket: JsonObject) =>
		query.measures.map(({ column, function: computed }, index) => {
			const found = objectOf(bucket[`m${index}`])
			if (computed === 'distinct') facts.mostDistinct = Math.max(facts.mostDistinct, numberOf(found.value))
			facts.isRounded ||= isRounded(found, typeOf(column, mapping), computed)
			return measureCell(found, isDate(typeOf(column, mapping)))
		})
	/** The engine groups by intervals, and values of indices with different types, as doubles. */
	const areDoubles = query.groups.map(({ column, interval }) => {
		const type = typeOf(column, mapping)
		return /long/.test(type) && (interval !== undefined || type.includes('|'))
	})
	const isOfDates = query.groups.map(({ column }) => isDate(typeOf(column, mapping)))
	const hasError = (found: JsonObject) => numberOf(found.doc_count_error_upper_bound) !== 0
	const walk = (level: JsonObject, depth: number, { before, isAbout }: Walked) => {
		const found = objectOf(level.g)
		facts.others += numberOf(found.sum_other_doc_count)
		facts.isEstimate ||= hasError(found)
		for (const bucket of objectsOf(found.buckets)) {
			const cells = [...before, keyCell(bucket, isOfDates[depth - 1] === true)]
			facts.isRounded ||= areDoubles[depth - 1] === true && isBeyondDouble(bucket.key)
			const isAboutHere = isAbout || hasError(bucket)
			if (depth < query.groups.length) walk(bucket, depth + 1, { before: cells, isAbout: isAboutHere })
			else if (rows.length >= query.limit) facts.isCut = true
			else {
				if (isAboutHere) estimated.push(rows.length)
				rows.push([...cells, toCell(bucket.doc_count ?? 0), ...measured(bucket)])
			}
		}
	}
	const aggregations = objectOf(answer.aggregations)
	if (query.groups.length > 0) walk(aggregations, 1, { before: [], isAbout: false })
	else rows.push([toCell(objectOf(objectOf(answer.hits).total).value ?? 0), ...measured(aggregations)])
	return {
		columns: [
			...query.groups.map(({ column }) => ({ name: column, type: typeOf(column, mapping) })),
			{ name: 'count', type: 'long' },
			...query.measures.map(measure => ({ name: nameOf(measure), type: measuredType(measure, mapping) })),
		],
		rows,
		isTruncated: facts.isCut || facts.others > 0,
		...(query.groups.some(group => isInZone(group, { mapping, timeZone })) && { timeZone }),
		...(estimated.length > 0 && { estimated }),
		notices: noticesOf(query, {
			...facts,
			absent: absentOf(query, aggregations),
			isCountAbout: estimated.length > 0,
			mapping,
			timeZone,
		}),
	}
}

/** Returns how many rows have no value of a group, for each group. */
function absentOf({ groups }: AggregateQuery, aggregations: JsonObject): readonly string[] {
	return groups.flatMap(({ column }, at) => {
		const count = numberOf(objectOf(aggregations[`absent${at}`]).doc_count)
		const rows = count === 1 ? '1 document has' : `${count.toLocaleString('en')} documents have`
		return count > 0 ? [`${rows} no value of ${column}, so no group has ${count === 1 ? 'it' : 'them'}.`] : []
	})
}

function noticesOf(
	query: AggregateQuery,
	facts: {
		readonly others: number
		readonly absent: readonly string[]
		readonly isEstimate: boolean
		readonly isCountAbout: boolean
		readonly isRounded: boolean
		readonly mostDistinct: number
		readonly mapping: Mapping
		readonly timeZone: string
	},
): string[] {
	return [
		...facts.absent,
		...(facts.others > 0 ? [`${facts.others.toLocaleString('en')} documents are in groups that are not shown.`] : []),
		...(facts.isEstimate ? [estimateNotice(facts.isCountAbout)] : []),
		...(facts.mostDistinct > exactDistinct
			? [`Numbers of different values above ${exactDistinct.toLocaleString('en')} are estimates.`]
			: []),
		...(facts.isRounded
			? ['The engine computes with 53 bits, so whole numbers above 9,007,199,254,740,991 are rounded.']
			: []),
		...nanosecondsNotice(query, facts.mapping),
		...zoneNotices(query, facts),
		...(query.measures.some(measure => isPercentile(measure.function)) ? ['Percentiles are estimates.'] : []),
	]
}

/** Whether a result of the engine may have lost digits of whole numbers. */
function isRounded({ value }: JsonObject, type: string, computed: Measure['function']): boolean {
	const isOfValues = computed === 'min' || computed === 'max' || computed === 'sum'
	return isOfValues && /long/.test(type) && isBeyondDouble(value)
}

const isBeyondDouble = (value: Json | undefined) => Math.abs(numberOf(value)) > Number.MAX_SAFE_INTEGER

function nanosecondsNotice({ groups, measures }: AggregateQuery, mapping: Mapping): readonly string[] {
	const isNanos = ({ column }: { readonly column: string }) => typeOf(column, mapping) === 'date_nanos'
	const isMeasured = measures.some(one => isNanos(one) && one.function !== 'count' && one.function !== 'distinct')
	return isMeasured || groups.some(isNanos)
		? ['The engine groups and measures times in milliseconds, so nanoseconds are cut.']
		: []
}

/** Names the zone of days and of other units of the calendar. */
function zoneNotices(
	{ groups }: AggregateQuery,
	{ mapping, timeZone }: Pick<Computing, 'mapping' | 'timeZone'>,
): readonly string[] {
	return groups.flatMap(({ column, interval }) => {
		if (interval === undefined || !calendar.has(interval) || isOfDays(realField(column, mapping)?.format)) return []
		return [`${column}: each ${interval} is one in ${timeZone}.`]
	})
}

/** Whether a group is a unit of the calendar in another zone than UTC. */
const isInZone = ({ column, interval }: Group, { mapping, timeZone }: Pick<Computing, 'mapping' | 'timeZone'>) =>
	interval !== undefined && calendar.has(interval) && zoneOf(realField(column, mapping), timeZone) !== 'UTC'

const estimateNotice = (isCountAbout: boolean) =>
	isCountAbout
		? 'Counts of groups are estimates, because each shard reports only its largest groups.'
		: 'A group that is not shown may be as large as the last one.'

/**
 * Returns the formatted key of dates and booleans; the engine's raw key is milliseconds, or 1 and 0.
 * @param isDate whether the key is a date, or the start of an interval of dates
 */
function keyCell({ key, key_as_string: text }: JsonObject, isDate: boolean): Cell {
	return toCell(isDate ? isoDate(text, key) : (text ?? key ?? null))
}

/** A measure of dates has a formatted value beside its number. Percentiles are a list of one value. */
function measureCell(metric: JsonObject, isOfDates: boolean): Cell {
	const [percentile] = objectsOf(metric.values)
	const { value, value_as_string: text } = percentile ?? metric
	if (value === null) return null
	return toCell(isOfDates && text !== undefined ? isoDate(text, value) : (text ?? value ?? null))
}

/** Returns a date as ISO text. A field with another format, for example `dd/MM/yyyy`, prints text that has no order. */
function isoDate(text: Json | undefined, ms: Json | undefined): Json {
	if (typeof text === 'string' && /^[0-9]{4}-[0-9]{2}/.test(text)) return text
	const isDay = typeof ms === 'number' && Math.abs(ms) <= 8.64e15
	return isDay ? new Date(ms).toISOString() : (text ?? ms ?? null)
}

function nameOf(measure: Measure): string {
	return `${measure.function}(${measure.column})`
}

function typeOf(column: string, mapping: Mapping): string {
	return realField(column, mapping)?.type ?? 'keyword'
}

function realField(column: string, mapping: Mapping): Field | undefined {
	const field = mapping.fields.get(column)
	return field && resolve(field, mapping)
}

function measuredType(measure: Measure, mapping: Mapping): string {
	if (measure.function === 'count' || measure.function === 'distinct') return 'long'
	const type = typeOf(measure.column, mapping)
	return type === 'date' ? type : 'double'
}
