import type { Json } from '@roundhouse/kit'
import { compileQuery } from '../query/query.ts'
import { Recent } from './recent.ts'
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

const recent = new Recent<readonly Match[]>()

/** As {@link findMatches}, without looking again for what the last queries have found. */
export function knownMatches(context: ShardContext, query: Json | undefined): readonly Match[] {
	const { documents, mapping, index, isOld, firstPosition } = context
	return recent.of([documents, mapping.fields], [query ?? null, index, isOld, firstPosition], () =>
		findMatches(context, query),
	)
}
