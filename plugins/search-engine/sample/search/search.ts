import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { listOf } from '../query/clause.ts'
import { valuesIn } from '../query/target.ts'
import type { Cluster, Snapshot } from '../store/cluster.ts'
import { type SampleMapping, valuesAt } from '../store/mapping.ts'
import { primaryTerm } from '../store/stored-index.ts'
import { durationMs } from '../values/durations.ts'
import { illegalArgument, parsingFailure, shardFailure } from '../values/failure.ts'
import { comparable, printDouble } from '../values/field-value.ts'
import { aggregate } from './aggregations.ts'
import { knownMatches } from './matches.ts'
import { profileOf } from './profile.ts'
import { Recent } from './recent.ts'
import { type ShardContext, type ShardOptions, searchShards, type Window } from './shards.ts'
import { compareBy, type Match, readSort, type SortOrder, type SortValues } from './sort.ts'

const knownKeys = new Set([
	'query',
	'from',
	'size',
	'sort',
	'search_after',
	'pit',
	'track_total_hits',
	'track_scores',
	'aggs',
	'aggregations',
	'_source',
	'stored_fields',
	'fields',
	'seq_no_primary_term',
	'version',
	'timeout',
	'profile',
	'explain',
	'min_score',
	'highlight',
	'terminate_after',
	'docvalue_fields',
])

/** Returns the parser's name for the start of a value. */
function tokenOf(value: Json): string {
	if (Array.isArray(value)) return 'START_ARRAY'
	if (isJsonObject(value)) return 'START_OBJECT'
	if (typeof value === 'string') return 'VALUE_STRING'
	return typeof value === 'boolean' ? 'VALUE_BOOLEAN' : value === null ? 'VALUE_NULL' : 'VALUE_NUMBER'
}

interface Ranked extends Match {
	readonly sort: SortValues
}

/** `_search`, over an index expression or over the point-in-time in the body. */
export function search(
	cluster: Cluster,
	{ expression, body }: { readonly expression: string | undefined; readonly body: JsonObject },
	options: ShardOptions = {},
): JsonObject {
	const startedAt = performance.now()
	for (const [key, value] of Object.entries(body)) {
		if (!knownKeys.has(key)) throw parsingFailure(`Unknown key for a ${tokenOf(value)} in [${key}].`)
	}
	const { snapshots, id } = viewOf(cluster, expression, body)
	const window = windowOf(body)
	const { searched, shards } = searchShards(cluster, { snapshots, options, window }, context => {
		checkStored(body, context.index)
		const profile = body.profile === true ? profileOf(body.query, context) : undefined
		return { matches: knownMatches(context, body.query), orders: ordersOf(body, context), profile }
	})
	const matches = searched.flatMap(shard => shard.matches)
	const orders = commonOrders(searched.map(shard => shard.orders))
	const order = () =>
		sorted(
			searched.flatMap(shard => rank(shard.matches, shard.orders)),
			orders,
			body,
		)
	// A search for aggregations alone has no order, and must not take the place of one that has.
	const view = snapshots.flatMap(({ index, documents }) => [documents, index.mapping.fields])
	const inOrder = window.size === 0 ? [] : knownOrders.of(view, [body.query ?? null, body.sort ?? null], order)
	const page = afterPosition(inOrder, orders, body).slice(window.from, window.from + window.size)
	const isScored = orders.length === 0 || body.track_scores === true || orders.some(order => order.isScore)
	const aggs = body.aggs ?? body.aggregations
	return {
		...(id !== undefined && { pit_id: id }),
		took: Math.round(performance.now() - startedAt),
		timed_out: false,
		_shards: shards,
		hits: {
			...totalOf(matches.length, body.track_total_hits),
			max_score: isScored && page.length > 0 ? printDouble(bestScore(matches)) : null,
			hits: page.map(match => hitOf(match, { body, cluster, snapshots, orders, isScored })),
		},
		...(isJsonObject(aggs) && { aggregations: aggregate(aggs, matches, snapshots) }),
		...(body.profile === true && { profile: { shards: searched.flatMap(({ profile }) => profile ?? []) } }),
	}
}

export function count(cluster: Cluster, expression: string, body: JsonObject): JsonObject {
	const none = { from: 0, size: 0 }
	const { searched, shards } = searchShards(
		cluster,
		{ snapshots: cluster.snapshot(expression), options: {}, window: none },
		context => knownMatches(context, body.query),
	)
	return { count: searched.reduce((sum, found) => sum + found.length, 0), _shards: shards }
}

interface View {
	readonly snapshots: readonly Snapshot[]
	/** Id of the point-in-time, if there is one. */
	readonly id?: string
}

function viewOf(cluster: Cluster, expression: string | undefined, body: JsonObject): View {
	if (!isJsonObject(body.pit)) return { snapshots: cluster.snapshot(expression ?? '_all') }
	if (expression !== undefined) {
		throw illegalArgument('[indices] cannot be used with point in time. Do not specify any index with point in time.')
	}
	const keepAlive = body.pit.keep_alive
	return cluster.usePoint(String(body.pit.id), keepAlive === undefined ? undefined : durationMs(String(keepAlive)))
}

function windowOf(body: JsonObject): Window {
	const from = Number(body.from ?? 0)
	const size = Number(body.size ?? 10)
	if (from < 0 || size < 0) throw illegalArgument(`[${from < 0 ? 'from' : 'size'}] parameter cannot be negative`)
	if (body.search_after !== undefined && from > 0) {
		throw illegalArgument('`from` parameter must be set to 0 when `search_after` is used')
	}
	return { from, size }
}

/** Rejects a search without stored fields that needs them. */
function checkStored(body: JsonObject, index: string) {
	if (!hasNoStored(body)) return
	const isSource = body._source !== undefined && body._source !== false && body._source !== 'false'
	const why = isSource ? 'if [_source] is requested' : body.fields !== undefined && 'when using the [fields] option'
	if (why)
		throw shardFailure(500, { type: 'search_exception', reason: `[stored_fields] cannot be disabled ${why}`, index })
}

function hasNoStored({ stored_fields: stored }: JsonObject): boolean {
	const names = listOf(stored)
	if (names.length > 1 && names.includes('_none_')) throw illegalArgument('cannot combine _none_ with other fields')
	return names[0] === '_none_'
}

function bestScore(matches: readonly Match[]): number {
	return matches.reduce((best, match) => Math.max(best, match.score), 0)
}

type NamedOrder = SortOrder & { readonly isScore: boolean }

function ordersOf(body: JsonObject, context: ShardContext): NamedOrder[] {
	const sorts = [...listOf(body.sort)]
	// The engine adds the tie-breaker of a point-in-time itself.
	const isNamed = sorts.some(sort => sort === '_shard_doc' || (isJsonObject(sort) && '_shard_doc' in sort))
	if (isJsonObject(body.pit) && sorts.length > 0 && !isNamed) sorts.push({ _shard_doc: 'asc' })
	return sorts.flatMap(sort => {
		const isScore = sort === '_score' || (isJsonObject(sort) && '_score' in sort)
		return readSort(sort, context).map(order => ({ ...order, isScore }))
	})
}

/** Mappings differ by index. The first index with the field determines how its values are compared and printed. */
function commonOrders(shards: readonly (readonly NamedOrder[])[]): readonly NamedOrder[] {
	const [first = []] = shards
	return first.map((order, at) => shards.find(orders => !orders[at]?.isUnmapped)?.[at] ?? order)
}

const knownOrders = new Recent<readonly Ranked[]>()

function rank(matches: readonly Match[], orders: readonly SortOrder[]): Ranked[] {
	return matches.map(match => ({ ...match, sort: orders.map(order => order.valueOf(match)) }))
}

function sorted(ranked: Ranked[], orders: readonly SortOrder[], body: JsonObject): Ranked[] {
	if (orders.length > 0) return ranked.sort((a, b) => compareBy(orders, a.sort, b.sort) || a.position - b.position)
	const isFlat = body.query === undefined || ranked.every(match => match.score === ranked[0]?.score)
	return isFlat ? ranked : ranked.sort((a, b) => b.score - a.score || a.position - b.position)
}

function afterPosition(ranked: readonly Ranked[], orders: readonly SortOrder[], body: JsonObject): readonly Ranked[] {
	if (body.search_after === undefined) return ranked
	const given = listOf(body.search_after)
	if (orders.length === 0) throw illegalArgument('Sort must contain at least one field.')
	if (given.length !== orders.length) {
		const reason = `search_after has ${given.length} value(s) but sort has ${orders.length}.`
		throw illegalArgument(reason)
	}
	const position = orders.map((order, index) => order.read(given[index] ?? null))
	// Binary search for the first row after the position.
	let [low, high] = [0, ranked.length]
	while (low < high) {
		const middle = (low + high) >> 1
		if (compareBy(orders, (ranked[middle] as Ranked).sort, position) <= 0) low = middle + 1
		else high = middle
	}
	return ranked.slice(low)
}

function totalOf(value: number, tracked: Json | undefined): JsonObject {
	if (tracked === false) return {}
	const limit = tracked === true ? Number.POSITIVE_INFINITY : Number(tracked ?? 10_000)
	return { total: value > limit ? { value: limit, relation: 'gte' } : { value, relation: 'eq' } }
}

interface HitContext {
	readonly body: JsonObject
	readonly cluster: Cluster
	readonly snapshots: readonly Snapshot[]
	readonly orders: readonly SortOrder[]
	readonly isScored: boolean
}

function hitOf(match: Ranked, { body, cluster, snapshots, orders, isScored }: HitContext): JsonObject {
	const { document } = match
	const mapping = snapshots.find(({ index }) => index.name === match.index)?.index.mapping
	const isSourceAsked = body._source !== undefined || body.stored_fields === undefined
	const hasSource = isSourceAsked && mapping?.keepsSource !== false
	const whole = mapping
		? withoutVectors(document.source, body._source, cluster.vectorsLeftOut(mapping))
		: document.source
	const source = hasSource ? filterSource(whole, body._source) : undefined
	return {
		_index: match.index,
		...(cluster.major < 8 && { _type: '_doc' }),
		...(!hasNoStored(body) && { _id: document.id }),
		...(body.version === true && { _version: document.version }),
		...(body.seq_no_primary_term === true && { _seq_no: document.seqNo, _primary_term: primaryTerm }),
		_score: isScored ? printDouble(match.score) : null,
		...(document.routing !== undefined && { _routing: document.routing }),
		...(source !== undefined && { _source: source }),
		...fieldsOf(match, body, snapshots),
		...(orders.length > 0 && { sort: orders.map((order, index) => order.print(match.sort[index])) }),
	}
}

/** `fields` of a hit: values by the mapping, or from doc values, always in arrays. */
function fieldsOf(match: Match, body: JsonObject, snapshots: readonly Snapshot[]): JsonObject {
	const mapping = snapshots.find(({ index }) => index.name === match.index)?.index.mapping
	const plain = listOf(body.fields).map(entry => String(isJsonObject(entry) ? entry.field : entry))
	const found = [
		...plain.map(name => [name, valuesAt(match.document.source, mapping?.fields.get(name)?.source ?? name)] as const),
		...listOf(body.docvalue_fields).map(entry => docValuesOf(match, entry, mapping)),
	].filter(([, values]) => values.length > 0)
	return found.length > 0 ? { fields: Object.fromEntries<Json>(found) } : {}
}

function docValuesOf(
	match: Match,
	entry: Json,
	mapping: SampleMapping | undefined,
): readonly [string, readonly Json[]] {
	const { field: name, format } = isJsonObject(entry) ? entry : { field: entry, format: undefined }
	const field = mapping?.field(String(name))
	if (field === undefined) return [String(name), []]
	const values = valuesIn({ document: match.document, element: match.document.source, scope: '' }, field)
	const asMillis = (value: Json) => String(comparable(value, field))
	return [String(name), field.type === 'date' && format === 'epoch_millis' ? values.map(asMillis) : values]
}

/** `_source`: `false`, a list of paths, or `{includes, excludes}`. */
export function filterSource(source: JsonObject, filter: Json | undefined): JsonObject | undefined {
	if (filter === false || filter === 'false') return undefined
	if (filter === undefined || filter === true || filter === 'true') return source
	const { includes, excludes } = isJsonObject(filter) ? filter : { includes: filter, excludes: undefined }
	const patterns = (value: Json | undefined) =>
		(typeof value === 'string' ? value.split(',') : listOf(value).map(String)).map(
			path => new RegExp(`^${path.split('*').map(RegExp.escape).join('.*')}(\\.|$)`),
		)
	const [included, excluded] = [patterns(includes), patterns(excludes)]
	if (included.length === 0 && excluded.length === 0) return source
	return filteredObject(source, '', {
		isIncluded: path => included.length === 0 || included.some(pattern => pattern.test(path)),
		isExcluded: path => excluded.some(pattern => pattern.test(path)),
	})
}

/** Returns the document without what is at the paths, unless `_source` asks for vectors or names paths itself. */
export function withoutVectors(
	source: JsonObject,
	filter: Json | undefined,
	paths: readonly (readonly string[])[],
): JsonObject {
	const namesPaths = isJsonObject(filter) ? filter.includes !== undefined : Array.isArray(filter)
	if (namesPaths || (isJsonObject(filter) && String(filter.exclude_vectors) === 'false')) return source
	return paths.reduce<JsonObject>((kept, path) => objectWithout(kept, path), source)
}

function objectWithout(object: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
	const { [name]: inner, ...others } = object
	if (inner === undefined) return object
	if (rest.length === 0) return others
	const pruned = (value: Json): Json => {
		if (Array.isArray(value)) return value.map(pruned)
		return isJsonObject(value) ? objectWithout(value, rest) : value
	}
	return { ...object, [name]: pruned(inner) }
}

interface PathFilter {
	/** Also of the paths below an included one. */
	isIncluded(path: string): boolean
	isExcluded(path: string): boolean
}

function filteredObject(object: JsonObject, prefix: string, filter: PathFilter): JsonObject {
	const kept = Object.entries(object).flatMap(([key, value]): [string, Json][] => {
		const path = `${prefix}${key}`
		const inner = filter.isExcluded(path) ? undefined : filteredValue(value, path, filter)
		return inner === undefined ? [] : [[key, inner]]
	})
	return Object.fromEntries(kept)
}

/** The engine drops the elements of a list of which nothing is left. */
function isEmptied(value: Json | undefined): value is undefined {
	return value === undefined || (isJsonObject(value) && Object.keys(value).length === 0)
}

/** Returns what a filter leaves of a value; `undefined` if it leaves nothing. An included object may be empty. */
function filteredValue(value: Json, path: string, filter: PathFilter): Json | undefined {
	const isIncluded = filter.isIncluded(path)
	if (Array.isArray(value)) {
		const elements = value.map(element => filteredValue(element, path, filter)).filter(element => !isEmptied(element))
		return isIncluded || elements.length > 0 ? elements : undefined
	}
	if (!isJsonObject(value)) return isIncluded ? value : undefined
	const members = filteredObject(value, `${path}.`, filter)
	return isIncluded || Object.keys(members).length > 0 ? members : undefined
}
