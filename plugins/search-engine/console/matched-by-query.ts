import type { Count, Json, JsonObject } from '@roundhouse/kit'
import { parameterMap, searchOf } from '../transport/query-string.ts'
import type { LookUps } from './look-ups.ts'
import { isSteady } from './steady-query.ts'

const words = (text: string) => new Set(text.split(' '))

/** Parameters that determine the matches, with the same meaning for `_count`. */
const matching = words(
	'q df default_operator analyzer analyze_wildcard lenient routing preference ignore_unavailable allow_no_indices expand_wildcards ignore_throttled',
)
/** Parameters that do not affect how many documents match. */
const indifferent = words(
	'conflicts refresh timeout search_timeout wait_for_active_shards wait_for_completion requests_per_second scroll scroll_size slices max_docs pipeline request_cache stats pretty human error_trace filter_path format',
)
const knownMembers = words('query max_docs conflicts script')

/**
 * Returns how many documents an `_update_by_query` or a `_delete_by_query` matches. Returns `undefined` if a count
 * might interpret a part of the request differently, or at another moment.
 */
export async function matchedByQuery(
	lookUps: LookUps,
	{ expression, search, body }: { readonly expression: string; readonly search: string; readonly body: JsonObject },
): Promise<Count | undefined> {
	const parameters = parameterMap(search)
	const isKnown = [...parameters.keys()].every(name => matching.has(name) || indifferent.has(name))
	if (!isKnown || !Object.keys(body).every(name => knownMembers.has(name))) return undefined
	if (!isSteady(body.query) || !isSteady(parameters.get('q'))) return undefined
	const limit = limitOf([parameters.get('max_docs'), body.max_docs])
	if (limit === undefined) return undefined
	const count = await lookUps.count({
		expression,
		// Here `q` replaces the query of the body. `_count` would ignore it beside a body.
		...(!parameters.has('q') && { query: body.query }),
		search: searchOf([...parameters].filter(([name]) => matching.has(name))),
	})
	return count && limit < count.value ? { ...count, value: limit } : count
}

/** Returns the upper limit in a request, or `undefined` if it cannot be read or occurs twice. */
function limitOf(stated: readonly (Json | undefined)[]): number | undefined {
	const [limit, ...others] = stated.filter(value => value !== undefined)
	if (limit === undefined) return Number.POSITIVE_INFINITY
	return others.length === 0 && /^\d{1,15}$/.test(String(limit)) ? Number(limit) : undefined
}
