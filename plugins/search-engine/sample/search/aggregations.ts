import {
	exactNumber,
	instantOf,
	isJsonObject,
	type Json,
	type JsonObject,
	offsetAt,
	stringifyJson,
} from '@roundhouse/kit'
import { comparablesIn } from '../query/target.ts'
import type { Snapshot } from '../store/cluster.ts'
import { shift, startOf, unitMillis } from '../values/dates.ts'
import { parsingFailure, shardFailure } from '../values/failure.ts'
import type { SampleField } from '../values/field.ts'
import { type Comparable, compare, isNumberType, printDouble } from '../values/field-value.ts'
import type { Match } from './sort.ts'

/**
 * Aggregations: terms, date_histogram, histogram, avg, min, max, sum, stats, value_count, cardinality, missing,
 * percentiles; nested in each other.
 */
export function aggregate(aggs: JsonObject, matches: readonly Match[], snapshots: readonly Snapshot[]): JsonObject {
	const results = Object.entries(aggs).map(([name, definition]) => {
		const { aggs: inner, aggregations, meta: _, ...kinds } = isJsonObject(definition) ? definition : {}
		const [kind = '', options] = Object.entries(kinds)[0] ?? []
		const sub = inner ?? aggregations
		const run = aggregators[kind]
		if (run === undefined) throw parsingFailure(`Unknown aggregation type [${kind}]`)
		const under = (bucket: readonly Match[]) => (isJsonObject(sub) ? aggregate(sub, bucket, snapshots) : {})
		return [name, run(isJsonObject(options) ? options : {}, { matches, snapshots, under })] as const
	})
	return Object.fromEntries(results)
}

interface Aggregated {
	readonly matches: readonly Match[]
	readonly snapshots: readonly Snapshot[]
	/** Returns the nested aggregations of a bucket. */
	readonly under: (bucket: readonly Match[]) => JsonObject
}

type Aggregator = (options: JsonObject, aggregated: Aggregated) => JsonObject

const aggregators: Readonly<Record<string, Aggregator>> = {
	terms: (options, { matches, snapshots, under }) => {
		const { field, valuesOf } = fieldOf(options, snapshots)
		const groups = new Map<Comparable, Match[]>()
		for (const match of matches) {
			for (const value of new Set(valuesOf(match))) addTo(groups, value, match)
		}
		const ordered = inOrder([...groups], {
			order: options.order,
			under,
			otherwise: ([a, left], [b, right]) => right.length - left.length || compare(a, b),
		})
		const shown = ordered.slice(0, Number(options.size ?? 10))
		const others = ordered.slice(shown.length).reduce((sum, [, bucket]) => sum + bucket.length, 0)
		return {
			doc_count_error_upper_bound: 0,
			sum_other_doc_count: others,
			buckets: shown.map(([key, bucket]) => ({
				...keyOf(key, field),
				doc_count: bucket.length,
				...under(bucket),
			})),
		}
	},
	date_histogram: (options, { matches, snapshots, under }) => {
		const { valuesOf } = fieldOf(options, snapshots)
		const step = stepOf(options)
		const groups = new Map<number, Match[]>()
		for (const match of matches) {
			for (const at of new Set(valuesOf(match).map(value => step.floor(Number(value))))) {
				addTo(groups, at, match)
			}
		}
		const starts = [...groups.keys()].sort((a, b) => a - b)
		const [first, last] = [starts[0], starts.at(-1)]
		const all: number[] = []
		if (first !== undefined && last !== undefined) for (let at = first; at <= last; at = step.next(at)) all.push(at)
		const kept = all.filter(at => Number(options.min_doc_count ?? 0) === 0 || groups.has(at))
		const filled = kept.map(at => [at, groups.get(at) ?? []] as const)
		const ordered = inOrder(filled, { order: options.order, under, otherwise: ([a], [b]) => a - b })
		return {
			buckets: ordered.map(([at, bucket]) => {
				return { key_as_string: textOf(at, options.time_zone), key: at, doc_count: bucket.length, ...under(bucket) }
			}),
		}
	},
	histogram: (options, { matches, snapshots, under }) => {
		const { valuesOf } = fieldOf(options, snapshots)
		const step = Number(options.interval)
		const groups = new Map<number, Match[]>()
		for (const match of matches) {
			for (const at of new Set(valuesOf(match).map(value => Math.floor(Number(value) / step) * step))) {
				addTo(groups, at, match)
			}
		}
		const ordered = inOrder([...groups], { order: options.order, under, otherwise: ([a], [b]) => a - b })
		return {
			buckets: ordered.map(([at, bucket]) => ({ key: printDouble(at), doc_count: bucket.length, ...under(bucket) })),
		}
	},
	avg: metric(values => ({ value: average(values) })),
	min: metric(values => ({ value: least(values) })),
	max: metric(values => ({ value: most(values) })),
	sum: metric(values => ({ value: printDouble(sum(values)) })),
	stats: metric(values => ({
		count: values.length,
		min: least(values),
		max: most(values),
		avg: average(values),
		sum: printDouble(sum(values)),
	})),
	value_count: (options, { matches, snapshots }) => {
		const { valuesOf } = fieldOf(options, snapshots)
		return { value: matches.reduce((count, match) => count + valuesOf(match).length, 0) }
	},
	missing: (options, { matches, snapshots, under }) => {
		const { valuesOf } = fieldOf(options, snapshots)
		const absent = matches.filter(match => valuesOf(match).length === 0)
		return { doc_count: absent.length, ...under(absent) }
	},
	cardinality: (options, { matches, snapshots }) => {
		const { valuesOf } = fieldOf(options, snapshots)
		return { value: new Set(matches.flatMap(valuesOf)).size }
	},
	percentiles: (options, aggregated) =>
		metric(values => {
			const percents = Array.isArray(options.percents) ? options.percents.map(Number) : [1, 5, 25, 50, 75, 95, 99]
			const found = percents.map(percent => ({ key: printDouble(percent), value: percentile(values, percent) }))
			if (options.keyed === false) return { values: found }
			return { values: Object.fromEntries(found.map(({ key, value }) => [stringifyJson(key), value])) }
		})(options, aggregated),
}

/** The requested order of groups, and the order without a request. */
interface GroupOrder<K> {
	readonly order: Json | undefined
	readonly under: (bucket: readonly Match[]) => JsonObject
	readonly otherwise: (a: readonly [K, Match[]], b: readonly [K, Match[]]) => number
}

/** Sorts by the number of documents or by a nested metric, if the request names one. */
function inOrder<K>(
	groups: readonly (readonly [K, Match[]])[],
	{ order, under, otherwise }: GroupOrder<K>,
): readonly (readonly [K, Match[]])[] {
	const [[name, direction] = []] = isJsonObject(order) ? Object.entries(order) : []
	if (name === undefined) return groups.toSorted(otherwise)
	const sign = direction === 'asc' ? 1 : -1
	const measured = (bucket: readonly Match[]) => {
		if (name === '_count') return bucket.length
		const [metricName = '', percent] = name.split('.')
		const metric = under(bucket)[metricName]
		if (!isJsonObject(metric)) return 0
		const percentiles = Array.isArray(metric.values) ? metric.values.filter(isJsonObject) : []
		const value =
			percent === undefined ? metric.value : percentiles.find(({ key }) => numberOf(key) === Number(percent))?.value
		return value == null ? Number.NEGATIVE_INFINITY : numberOf(value)
	}
	const valued = groups.map(group => ({ group, value: measured(group[1]) }))
	return valued.toSorted((a, b) => sign * (a.value - b.value) || otherwise(a.group, b.group)).map(({ group }) => group)
}

function numberOf(value: Json | undefined): number {
	return Number(stringifyJson(value ?? null))
}

function addTo<K>(groups: Map<K, Match[]>, key: K, match: Match) {
	const group = groups.get(key)
	if (group === undefined) groups.set(key, [match])
	else group.push(match)
}

function metric(combine: (values: readonly number[]) => JsonObject): Aggregator {
	return (options, { matches, snapshots }) => {
		const { field, valuesOf } = fieldOf(options, snapshots)
		if (field !== undefined && !isNumberType(field.type) && !/^(date|boolean)$/.test(field.type)) {
			const reason = `Field [${field.path}] of type [${field.type}] is not supported for aggregation`
			throw shardFailure(400, { type: 'illegal_argument_exception', reason, index: snapshots[0]?.index.name ?? '' })
		}
		const combined = combine(matches.flatMap(match => valuesOf(match).map(Number)))
		// The formatted value of a date metric is also a date.
		if (field?.type !== 'date' || combined.value == null) return combined
		return { ...combined, value_as_string: new Date(Number(stringifyJson(combined.value))).toISOString() }
	}
}

/** Interpolates between the two nearest values; the engine estimates. */
function percentile(values: readonly number[], percent: number): Json {
	const sorted = values.toSorted((a, b) => a - b)
	const place = ((sorted.length - 1) * percent) / 100
	const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
	return below === undefined || above === undefined ? null : printDouble(below + (above - below) * (place % 1))
}

function average(values: readonly number[]): Json {
	return values.length === 0 ? null : printDouble(sum(values) / values.length)
}

function least(values: readonly number[]): Json {
	return values.length === 0 ? null : printDouble(values.reduce((a, b) => Math.min(a, b)))
}

function most(values: readonly number[]): Json {
	return values.length === 0 ? null : printDouble(values.reduce((a, b) => Math.max(a, b)))
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0)
}

function fieldOf(options: JsonObject, snapshots: readonly Snapshot[]) {
	const name = String(options.field)
	if (name === '_index') return { field: undefined, valuesOf: (match: Match): readonly Comparable[] => [match.index] }
	const fields = new Map(snapshots.map(({ index }) => [index.name, index.mapping.fields.get(name)]))
	const field: SampleField | undefined = [...fields.values()].find(found => found !== undefined)
	if (field?.type === 'text') {
		const reason = `Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [${name}] in order to load field data by uninverting the inverted index. Note that this can use significant memory.`
		throw shardFailure(400, { type: 'illegal_argument_exception', reason, index: snapshots[0]?.index.name ?? '' })
	}
	const valuesOf = (match: Match): readonly Comparable[] => {
		const own = fields.get(match.index)
		if (own === undefined) return []
		const target = { document: match.document, element: match.document.source, scope: '' }
		return comparablesIn(target, own)
	}
	return { field, valuesOf }
}

function keyOf(key: Comparable, field: SampleField | undefined): JsonObject {
	if (typeof key === 'bigint') return { key: exactNumber(String(key)) }
	if (typeof key === 'boolean') return { key: Number(key), key_as_string: String(key) }
	const isDate = field?.type === 'date' && typeof key === 'number'
	return isDate ? { key, key_as_string: new Date(key).toISOString() } : { key: key as Json }
}

const calendarUnits: Readonly<Record<string, string>> = {
	minute: 'm',
	hour: 'h',
	day: 'd',
	week: 'w',
	month: 'M',
	quarter: 'q',
	year: 'y',
}

/** Prints an instant with the offset of a zone. */
function textOf(at: number, zone: Json | undefined): string {
	if (typeof zone !== 'string') return new Date(at).toISOString()
	const offset = offsetAt(at, zone)
	const minutes = Math.abs(offset) / 60_000
	const two = (value: number) => String(value).padStart(2, '0')
	const sign = offset < 0 ? '-' : '+'
	return `${new Date(at + offset).toISOString().slice(0, -1)}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

function stepOf(options: JsonObject): { floor(at: number): number; next(at: number): number } {
	const calendar = options.calendar_interval ?? options.interval
	if (calendar !== undefined) {
		const unit = calendarUnits[String(calendar)] ?? String(calendar).replace(/^1/, '')
		const { time_zone: zone } = options
		if (typeof zone !== 'string') return { floor: at => startOf(at, unit), next: at => shift(at, 1, unit) }
		const reading = (at: number) => at + offsetAt(at, zone)
		// An hour that comes twice is two hours.
		if (unit === 'h' || unit === 'm')
			return { floor: at => at - (reading(at) - startOf(reading(at), unit)), next: at => shift(at, 1, unit) }
		return {
			floor: at => instantOf(startOf(reading(at), unit), zone),
			next: at => instantOf(shift(reading(at), 1, unit), zone),
		}
	}
	const [, count = '1', unit = 'd'] = /^(\d+)(d|h|m|s|ms)$/.exec(String(options.fixed_interval)) ?? []
	const size = Number(count) * (unitMillis[unit] ?? 1)
	return { floor: at => Math.floor(at / size) * size, next: at => at + size }
}
