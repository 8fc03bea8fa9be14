import type { JsonObject } from '@roundhouse/kit'
import { isText } from '../mapping/field-type.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { EngineError } from '../transport/engine-error.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'

/** The raw query as the engine takes it, and where it does not look. */
export interface RawQuery {
	readonly query: JsonObject
	readonly notices: readonly string[]
}

/** What `*` may stand for, and how many clauses a query may have, unless a cluster is set up otherwise. */
const mostFields = 1_024

/** Contract, part B: Lucene syntax, matched across all fields. `lenient` lets a word meet a number field. */
export function rawQuery(text: string): RawQuery {
	return { query: { query_string: { query: text, default_field: '*', lenient: true } }, notices: [] }
}

/**
 * The raw query for a table that may have more fields than the engine looks in at once: then the engine is asked what it
 * takes, from all fields down to the first few that hold text.
 */
export async function fittingRawQuery(
	text: string,
	table: string,
	mapping: Mapping,
	transport: Transport,
	signal: AbortSignal,
): Promise<RawQuery> {
	if (countOf(mapping) <= mostFields) return rawQuery(text)
	for (const candidate of [rawQuery(text), ...narrower(text, mapping)]) {
		try {
			const body = { query: candidate.query, size: 0, terminate_after: 1, track_total_hits: false }
			await transport.send({ method: 'POST', path: `${pathOf(table)}/_search`, body, isRead: true }, signal)
			return candidate
		} catch (error) {
			if (!(error instanceof EngineError) || !/too many|maxClauseCount/.test(error.message)) throw error
		}
	}
	return rawQuery(text)
}

/** `*` stands for subfields too. */
function countOf({ fields }: Mapping): number {
	return [...fields.values()].reduce((sum, field) => sum + 1 + field.subfields.size, 0)
}

function narrower(text: string, mapping: Mapping): RawQuery[] {
	const names = [...mapping.fields.values()]
		.filter(
			({ type, nestedIn }) => nestedIn.length === 0 && (isText(type) || type === 'keyword' || type === 'wildcard'),
		)
		.map(({ path }) => path)
	const all = names.length.toLocaleString('en')
	const first = (count: number): RawQuery => ({
		query: within(text, names.slice(0, count)),
		notices: [
			`The engine looks in at most ${mostFields.toLocaleString('en')} fields at once: words without a field before them are looked for in the first ${count.toLocaleString('en')} of the ${all} fields that hold text. Write field:word for another.`,
		],
	})
	const pieces = Array.from({ length: Math.ceil(names.length / mostFields) }, (_, at) =>
		within(text, names.slice(at * mostFields, (at + 1) * mostFields)),
	)
	const inText: RawQuery = {
		query: { bool: { should: pieces, minimum_should_match: 1 } },
		notices: [
			`The engine looks in at most ${mostFields.toLocaleString('en')} fields at once: words without a field before them are looked for in the ${all} fields that hold text.`,
		],
	}
	return [...(pieces.length === 1 || isOnlyWords(text) ? [inText] : []), first(mostFields), first(mostFields / 8)]
}

/** Of words alone, any of which may match, it is the same whether they are looked for in all fields or in parts of them. */
function isOnlyWords(text: string): boolean {
	return !/\b(?:AND|NOT)\b|&&|[+!-]/.test(text)
}

function within(text: string, fields: readonly string[]): JsonObject {
	return { query_string: { query: text, fields, lenient: true } }
}
