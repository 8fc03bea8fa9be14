import { isJsonObject, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'
import { numberOf } from '../transport/answer.ts'
import { named } from '../transport/engine-words.ts'

/** A row of a table under construction: values by column. */
export type NamedValues = ReadonlyMap<string, Json | undefined>

export interface AggregationRows {
	readonly rows: readonly NamedValues[]
	/** Values over all buckets. Not part of the rows, where each would look like a value of one bucket. */
	readonly totals: NamedValues
	/** What the rows do not show. */
	readonly notices: readonly string[]
	/** The key columns, if the buckets can be charted. */
	readonly axis?: ChartAxis
}

/** Key columns of a chart. */
export interface ChartAxis {
	readonly name: string
	/** The key of the second level: its buckets are the parts of a bar. */
	readonly stack?: string
	readonly isTime: boolean
}

/**
 * Converts aggregations to rows: a key column for each level of buckets, `doc_count` of the innermost, and a column for
 * each number. A single bucket, of `filter` or `nested`, is a part of its level: its count and what it contains have its
 * name before theirs. A number of an inner level with buckets gets a separate row, so that it does not look like a value of
 * one bucket. Returns `undefined` for two lists of buckets side by side, which do not fit one table.
 */
export function aggregationRows(answer: JsonObject): AggregationRows | undefined {
	const results = resultsOf(answer)
	const aggregations = Object.fromEntries(results)
	const lists = results.filter(([, result]) => result.buckets !== undefined)
	const totals = lists.length === 0 ? [] : results.flatMap(([name, result]) => numbersOf(name, result))
	const apart = new Set(totals.length === 0 ? [] : results.filter(isOfNumbers).map(([name]) => name))
	const rest = Object.fromEntries(Object.entries(aggregations).filter(([name]) => !apart.has(name)))
	const rows = rowsOf(rest, new Map())
	if (rows === undefined) return undefined
	const [list] = lists
	const axis = list && axisOf(list)
	return {
		rows,
		totals: new Map(totals),
		notices: [...totalsIn(rest), ...moreBuckets(aggregations)],
		...(axis && { axis }),
	}
}

function isOfNumbers([name, result]: readonly [string, JsonObject]): boolean {
	return numbersOf(name, result).length > 0
}

/** Returns the axis of one or two levels of buckets. */
function axisOf([name, result]: readonly [string, JsonObject]): ChartAxis | undefined {
	const buckets = bucketsOf(result)
	if (buckets.length < 2 || !hasSimpleKeys(buckets)) return undefined
	const isTime = buckets.every(({ key, key_as_string: text }) => isInstant(key, text))
	const inner = buckets.map(bucket => resultsOf(bucket).filter(([, { buckets }]) => buckets !== undefined))
	if (inner.every(level => level.length === 0)) return { name, isTime }
	const stack = inner[0]?.[0]?.[0]
	const isStacked = inner.every(([list, ...others]) => {
		const parts = bucketsOf(list?.[1] ?? {})
		return (
			others.length === 0 && list?.[0] === stack && list?.[1].buckets && hasSimpleKeys(parts) && parts.every(isFlat)
		)
	})
	return stack !== undefined && isStacked ? { name, stack, isTime } : undefined
}

const isFlat = (bucket: JsonObject) => resultsOf(bucket).every(([, { buckets }]) => buckets === undefined)
const hasSimpleKeys = (buckets: readonly JsonObject[]) => !buckets.some(({ key }) => isJsonObject(key))

/** Returns whether a key is from a date histogram: milliseconds with a formatted date. */
function isInstant(key: Json | undefined, text: Json | undefined): boolean {
	return typeof key === 'number' && typeof text === 'string' && !Number.isNaN(Date.parse(text))
}

function rowsOf(level: JsonObject, outer: NamedValues): NamedValues[] | undefined {
	const results = resultsOf(level)
	const [list, ...others] = results.filter(([, result]) => result.buckets !== undefined)
	if (others.length > 0) return undefined
	const numbers = results.flatMap(([name, result]) => numbersOf(name, result))
	if (list === undefined) return [new Map([...outer, ...numbers])]
	const [name, result] = list
	const buckets = bucketsOf(result)
	const inner: NamedValues[] = []
	for (const bucket of buckets) {
		const { key: _, ...rest } = bucket
		const rows = rowsOf(rest, new Map([...keysOf(outer), ...keyColumns(name, bucket), ['doc_count', bucket.doc_count]]))
		if (rows === undefined) return undefined
		for (const row of rows) inner.push(row)
	}
	if (numbers.length === 0 && (inner.length > 0 || outer.size === 0)) return inner
	// The key columns come first, also if the first row has none.
	const keys = keyColumns(name, buckets[0] ?? {}).map(([column]) => column)
	const blank = keys.filter(column => !outer.has(column)).map((column): [string, undefined] => [column, undefined])
	const own = new Map([...keysOf(outer), ...blank, ['doc_count', outer.get('doc_count')] as const, ...numbers])
	return [own, ...inner]
}

/** Without the count, which follows the keys of all levels. */
const keysOf = (outer: NamedValues) => [...outer].filter(([column]) => column !== 'doc_count')

/** Returns the results of a level, those of its single buckets included. */
function resultsOf(level: JsonObject): [string, JsonObject][] {
	return Object.entries(level).flatMap(([name, result]): [string, JsonObject][] => {
		if (!isJsonObject(result)) return []
		const { doc_count: count, meta: _, ...inner } = result
		// Others with a count, like `matrix_stats`, are results themselves.
		const isBucket = typeof count === 'number' && Object.values(inner).every(isJsonObject)
		if (!isBucket) return [[name, result]]
		const named = resultsOf(inner).map(([own, found]): [string, JsonObject] => [`${name}.${own}`, found])
		return [[`${name}.doc_count`, { value: count }], ...named]
	})
}

/** Returns one number for `{value}`, and several for `stats` and similar aggregations. */
function numbersOf(name: string, result: JsonObject): [string, Json | undefined][] {
	if (result.buckets !== undefined) return []
	if ('value' in result) return [[name, result.value_as_string ?? result.value]]
	return Object.entries(result).map(([key, value]) => [`${name}.${key}`, value])
}

function bucketsOf({ buckets }: JsonObject): JsonObject[] {
	if (Array.isArray(buckets)) return buckets.filter(isJsonObject)
	if (!isJsonObject(buckets)) return []
	return Object.entries(buckets).map(([key, bucket]) => ({ key, ...(isJsonObject(bucket) ? bucket : {}) }))
}

/** A `composite` key has several parts. */
function keyColumns(name: string, { key, key_as_string }: JsonObject): [string, Json | undefined][] {
	if (isJsonObject(key)) return Object.entries(key).map(([part, value]) => [`${name}.${part}`, value])
	return [[name, key_as_string ?? key]]
}

function totalsIn(aggregations: JsonObject): string[] {
	return hasTotals(aggregations) ? ['A row without an inner key has the values over all of its buckets.'] : []
}

function hasTotals(level: JsonObject): boolean {
	const results = resultsOf(level)
	const list = results.find(([, result]) => result.buckets !== undefined)?.[1]
	if (list === undefined) return false
	return results.some(([name, result]) => numbersOf(name, result).length > 0) || bucketsOf(list).some(withoutKey)
}

function withoutKey({ key: _, ...bucket }: JsonObject): boolean {
	return hasTotals(bucket)
}

/** Notices about buckets that a list omits, also one inside of other buckets. */
function moreBuckets(aggregations: JsonObject): string[] {
	const omitted = new Map<string, number>()
	countOmitted(aggregations, [], omitted)
	return [
		...[...omitted].map(([list, others]) => `${list}: ${others} documents are in buckets that are not shown.`),
		...resultsOf(aggregations).flatMap(([name, { after_key }]) =>
			isJsonObject(after_key)
				? [`${named(name)}: there are more buckets; request them with "after": ${stringifyJson(after_key)}.`]
				: [],
		),
	]
}

/** Adds up the documents that each list omits, over all buckets around it. */
function countOmitted(level: JsonObject, outer: readonly string[], omitted: Map<string, number>): void {
	for (const [name, result] of resultsOf(level)) {
		if (result.buckets === undefined) continue
		const path = [...outer, name]
		const list = path.map(named).join(' > ')
		const others = numberOf(result.sum_other_doc_count)
		if (others > 0) omitted.set(list, (omitted.get(list) ?? 0) + others)
		for (const { key: _, ...bucket } of bucketsOf(result)) countOmitted(bucket, path, omitted)
	}
}
