import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { listOf } from '../query/clause.ts'
import { findMatches } from './matches.ts'
import type { ShardContext } from './shards.ts'

/** The engine's names of queries. The sample shows others by their name in the request. */
const types: ReadonlyMap<string, string> = new Map([
	['match_all', 'MatchAllDocsQuery'],
	['match_none', 'MatchNoDocsQuery'],
	['bool', 'BooleanQuery'],
	['constant_score', 'ConstantScoreQuery'],
	['term', 'TermQuery'],
])

/**
 * Returns the profile of a query on a shard, in the structure of the engine's. Each clause is measured by running it
 * alone, because the sample has no inverted index whose steps could be measured.
 */
export function profileOf(query: Json | undefined, context: ShardContext): JsonObject {
	const searches = [{ query: [nodeOf(query ?? { match_all: {} }, context)], rewrite_time: 0, collector: [] }]
	return { id: `[node][${context.index}][0]`, searches, aggregations: [] }
}

function nodeOf(query: Json, context: ShardContext): JsonObject {
	const startedAt = performance.now()
	findMatches(context, query)
	const nanos = Math.max(1, Math.round((performance.now() - startedAt) * 1e6))
	const [name = '', body = {}] = isJsonObject(query) ? (Object.entries(query)[0] ?? []) : []
	const children = clausesOf(name, body).map(clause => nodeOf(clause, context))
	return {
		type: types.get(name) ?? name,
		description: name === 'match_all' ? '*:*' : JSON.stringify(body),
		time_in_nanos: nanos,
		breakdown: { match: nanos },
		...(children.length > 0 && { children }),
	}
}

/** The clauses of a nested query are not listed, because they cannot run alone. */
function clausesOf(name: string, body: Json): readonly Json[] {
	if (!isJsonObject(body)) return []
	if (name === 'bool') return ['must', 'filter', 'should', 'must_not'].flatMap(occur => listOf(body[occur]))
	if (name === 'constant_score') return listOf(body.filter)
	return name === 'function_score' ? listOf(body.query) : []
}
