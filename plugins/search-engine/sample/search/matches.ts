import type { Json } from '@roundhouse/kit'
import { compileQuery } from '../query/query.ts'
import type { ShardContext } from './shards.ts'
import type { Match } from './sort.ts'

/** Returns the documents of a shard that a query matches. */
export function findMatches(context: ShardContext, query: Json | undefined): Match[] {
	const { documents, firstPosition } = context
	const matcher = compileQuery(query, context)
	const matches: Match[] = []
	for (const [at, document] of documents.entries()) {
		const score = matcher({ document, element: document.source, scope: '' })
		if (score !== undefined) matches.push({ document, index: context.index, score, position: firstPosition + at })
	}
	return matches
}
