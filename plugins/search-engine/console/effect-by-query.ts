import { createHash } from 'node:crypto'
import { cutText, type Effect, type Json, type JsonObject, type TableEffect } from '@roundhouse/kit'
import { parameterMap, searchOf } from '../transport/query-string.ts'
import type { LookUps, Matched } from './look-ups.ts'
import { isSteady, mayRead } from './steady-query.ts'

const words = (text: string) => new Set(text.split(' '))

/** Parameters that determine the matches, with the same meaning for `_search`. */
const matching = words(
	'q df default_operator analyzer analyze_wildcard lenient routing preference ignore_unavailable allow_no_indices expand_wildcards ignore_throttled',
)
/** Of these, those that say which indices are meant. */
const ofIndices = words('ignore_unavailable allow_no_indices expand_wildcards')
/** Parameters that do not affect how many documents match. */
const indifferent = words(
	'conflicts refresh timeout search_timeout wait_for_active_shards wait_for_completion requests_per_second scroll scroll_size slices max_docs pipeline request_cache stats pretty human error_trace filter_path format',
)
const knownMembers = words('query max_docs conflicts script')

/** The documents of a search, and how a request changes them. */
interface ByQuery {
	readonly matched: Matched
	/** Upper limit of changed documents. */
	readonly limit: number
	readonly kind: 'updated' | 'deleted'
	/** What the names stand for. */
	readonly place: string
}

/**
 * Returns the documents that an `_update_by_query` or a `_delete_by_query` changes. Returns `undefined` if a search might
 * interpret a part of the request differently, or at another moment.
 */
export async function effectByQuery(
	lookUps: LookUps,
	{ expression, search, body }: { readonly expression: string; readonly search: string; readonly body: JsonObject },
	kind: ByQuery['kind'],
): Promise<Effect | undefined> {
	const parameters = parameterMap(search)
	const isKnown = [...parameters.keys()].every(name => matching.has(name) || indifferent.has(name))
	if (!isKnown || !Object.keys(body).every(name => knownMembers.has(name))) return undefined
	if (!isSteady(body.query) || !isSteady(parameters.get('q'))) return undefined
	const limit = limitOf([parameters.get('max_docs'), body.max_docs])
	if (limit === undefined) return undefined
	const resolving = searchOf([...parameters].filter(([name]) => ofIndices.has(name)))
	const [matched, place] = await Promise.all([
		lookUps.matched({
			expression,
			// Here `q` replaces the query of the body.
			...(!parameters.has('q') && { query: body.query }),
			search: searchOf([...parameters].filter(([name]) => matching.has(name))),
		}),
		targetDigest(lookUps, { expression, query: body.query, q: parameters.get('q') }, resolving),
	])
	return matched && place !== undefined ? changedDocuments({ matched, limit, kind, place }) : undefined
}

/** Returns the upper limit in a request, or `undefined` if it cannot be read or occurs twice. */
function limitOf(stated: readonly (Json | undefined)[]): number | undefined {
	const [limit, ...others] = stated.filter(value => value !== undefined)
	if (limit === undefined) return Number.POSITIVE_INFINITY
	return others.length === 0 && /^\d{1,15}$/.test(String(limit)) ? Number(limit) : undefined
}

/** Returns the effect by index. An upper limit below the matches leaves open which of them are changed. */
function changedDocuments({ matched: { total, indices, ids }, limit, kind, place }: ByQuery): Effect | undefined {
	const isCut = limit < total
	if (isCut && indices.size > 1) return undefined
	const tables = [...indices].map(([index, count]): TableEffect => {
		const own = ids.filter(found => found.index === index).map(({ id }) => id)
		const changed = { table: index, ...none, [kind]: Math.min(count, limit) }
		if (isCut) return changed
		const changes = own.map(id => ({ before: [shortened(id)], ...(kind === 'updated' && { after: [shortened(id)] }) }))
		return {
			...changed,
			rows: { columns: ['_id'], changes },
			...(own.length === count && { keys: digestOf(own.toSorted()) }),
		}
	})
	return { tables, place }
}

/** Returns the effect of a request that adds all documents of a search to one index. */
export function addedDocuments({ total, ids }: Matched, into: string, place: string): Effect {
	if (total === 0) return { tables: [], place }
	const changes = ids.map(({ id }) => ({ after: [shortened(id)] }))
	return { tables: [{ table: into, ...none, inserted: total, rows: { columns: ['_id'], changes } }], place }
}

const none = { inserted: 0, updated: 0, deleted: 0 }

/** Where a query is run. */
interface Asked {
	readonly expression: string
	readonly query: Json | undefined
	/** A query string in its place. */
	readonly q?: string | undefined
}

/**
 * Returns a text that changes when an expression stands for other indices. `undefined` if it is unknown, or if a script of
 * the mapping or the filter of an alias may let the query match other documents a moment later.
 */
export async function targetDigest(
	lookUps: LookUps,
	{ expression, query, q }: Asked,
	search = '',
): Promise<string | undefined> {
	const [identities, computed] = await Promise.all([
		lookUps.identities(expression, search),
		lookUps.computed(expression, search),
	])
	if (!identities || !computed || mayRead(computed.fields, query, q)) return undefined
	return computed.filters.every(isSteady) ? digestOf(identities) : undefined
}

const digestOf = (texts: readonly string[]) => createHash('sha256').update(JSON.stringify(texts)).digest('base64url')

const longestId = 200
const shortened = (id: string) => cutText(id, longestId - 1)
