import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { numberOf, objectOf, objectsOf } from '../transport/answer.ts'

/** A part of a search that makes the engine visit far more than it returns, found in the body alone. */

export interface Expense {
	/** Continues "Over … documents this costs the cluster too much:". */
	readonly why: string
	/** The cheaper alternative. */
	readonly instead: string
}

const narrow = 'First narrow the search with a filter on a keyword or a range of dates.'

const leadingWildcard: Expense = {
	why: 'a pattern that begins with * or ? is compared with every term',
	instead: `Search for whole words or for the beginning of the value (starts_with, match). ${narrow}`,
}
const regularExpression: Expense = {
	why: 'a regular expression is compared with every term',
	instead: `Search for words, values or their beginnings. ${narrow}`,
}
const script: Expense = {
	why: 'a script runs for each document',
	instead: `Use a query, an aggregation or a sort on fields that are indexed. ${narrow}`,
}
const hugeTerms: Expense = {
	why: 'an aggregation keeps more than 10,000 groups on each shard',
	instead: 'Request fewer groups, or page through them with a composite aggregation.',
}
const deepGroups: Expense = {
	why: 'groups are nested more than three levels deep, so their numbers multiply',
	instead: `Group by fewer columns at once. ${narrow}`,
}

const maxGroups = 10_000
const deepestGroups = 3

/** Detectors by key. Each checks whether the value is really that kind of query. */
const byKey: Readonly<Record<string, (value: Json) => Expense | undefined>> = {
	wildcard: value => (patternsOf(value).some(pattern => /^[*?]/.test(pattern)) ? leadingWildcard : undefined),
	regexp: value => (isJsonObject(value) ? regularExpression : undefined),
	query_string: value => expenseOfLucene(objectOf(value).query),
	script: value => (typeof value === 'string' || isJsonObject(value) ? script : undefined),
	script_score: () => script,
	script_fields: () => script,
	runtime_mappings: () => script,
	minimum_should_match_script: () => script,
	scripted_metric: () => script,
	terms: value => (sizeOf(value) > maxGroups ? hugeTerms : undefined),
	multi_terms: value => (sizeOf(value) > maxGroups ? hugeTerms : undefined),
}

/** Like the engine, accepts texts and `2e4` as numbers. */
function sizeOf(value: Json): number {
	return numberOf(objectOf(value).size)
}

/**
 * Returns each expense once, in order of occurrence. Iterative, because the sender determines the depth of the body.
 */
export function expensesOf(body: Json): readonly Expense[] {
	const found = new Set<Expense>()
	const waiting: { readonly value: Json; readonly groups: number }[] = [{ value: body, groups: 0 }]
	for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
		const { value, groups } = next
		if (groups > deepestGroups) found.add(deepGroups)
		if (Array.isArray(value)) for (const inner of value) waiting.push({ value: inner, groups })
		if (!isJsonObject(value)) continue
		for (const [key, inner] of Object.entries(value)) {
			const expense = Object.hasOwn(byKey, key) ? byKey[key]?.(inner) : undefined
			if (expense) found.add(expense)
			const isGroups = (key === 'aggs' || key === 'aggregations') && holdsGroups(inner)
			waiting.push({ value: inner, groups: groups + (isGroups ? 1 : 0) })
		}
	}
	return [...found]
}

/** Aggregations that create groups in each parent group. A mean or a sum creates none. */
const groupings = [
	'terms',
	'multi_terms',
	'significant_terms',
	'significant_text',
	'rare_terms',
	'categorize_text',
	'composite',
	'histogram',
	'date_histogram',
	'auto_date_histogram',
	'variable_width_histogram',
	'range',
	'date_range',
	'ip_range',
	'ip_prefix',
	'geo_distance',
	'geohash_grid',
	'geotile_grid',
	'geohex_grid',
	'filters',
	'adjacency_matrix',
	'time_series',
]

function holdsGroups(aggregations: Json): boolean {
	return Object.values(objectOf(aggregations)).some(one => groupings.some(name => name in objectOf(one)))
}

/** `{field: "*x"}`, or the same with `value` or `wildcard` inside. */
function patternsOf(value: Json): readonly string[] {
	return Object.values(objectOf(value))
		.flatMap(inner => (isJsonObject(inner) ? [inner.value, inner.wildcard] : [inner]))
		.filter(pattern => typeof pattern === 'string')
}

/**
 * Checks Lucene syntax. `*` alone means that there is a value, or the end of a range, and `*:*` means everything. A
 * term ends before a quote, a bracket, a boost and a slash, also without a space: in `var/log/x` the engine sees an
 * expression.
 */
export function expenseOfLucene(text: Json | undefined): Expense | undefined {
	if (typeof text !== 'string') return undefined
	const bare = text.replace(/\\./gs, '').replace(/"[^"]*"|[~^][\d.]*/g, ' ')
	if (/\/[^/]+\//.test(bare)) return regularExpression
	return /(?:^|[\s(:+!)\]}-])[*?](?![:\s)\]}]|$)/.test(bare) ? leadingWildcard : undefined
}

/** Parts of a search that visit documents beyond its query, or change the meaning of fields. */
const beyondQuery: ReadonlySet<string> = new Set([
	'runtime_mappings',
	'global',
	'background_filter',
	'knn',
	'suggest',
	'has_child',
	'has_parent',
])

/** Returns the part that narrows the whole search before anything expensive runs. */
export function narrowingOf(body: JsonObject): JsonObject {
	return holds(body, beyondQuery) ? everything : cheapPartOf(body.query)
}

function holds(body: Json, keys: ReadonlySet<string>): boolean {
	const waiting: Json[] = [body]
	for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
		if (isJsonObject(value) && Object.keys(value).some(key => keys.has(key))) return true
		if (Array.isArray(value) || isJsonObject(value)) for (const inner of Object.values<Json>(value)) waiting.push(inner)
	}
	return false
}

const everything: JsonObject = { match_all: {} }
/** Limits the depth, because each level is searched completely. Narrowing parts are near the top. */
const deepestNarrowing = 8

/**
 * Returns the part of a query that narrows before anything expensive runs, or a match of everything if there is none.
 */
export function cheapPartOf(query: Json | undefined, depth = 0): JsonObject {
	if (!isJsonObject(query) || depth > deepestNarrowing) return everything
	if (expensesOf(query).length === 0) return query
	const inner = objectOf(query.function_score ?? query.script_score).query ?? objectOf(query.constant_score).filter
	if (inner !== undefined) return cheapPartOf(inner, depth + 1)
	const { must, filter } = objectOf(query.bool)
	const clauses = [must, filter].flatMap(part => (isJsonObject(part) ? [part] : objectsOf(part)))
	const cheap = clauses.map(clause => cheapPartOf(clause, depth + 1)).filter(clause => clause.match_all === undefined)
	return cheap.length > 0 ? { bool: { filter: cheap } } : everything
}
