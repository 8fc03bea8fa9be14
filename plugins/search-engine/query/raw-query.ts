import type { JsonObject } from '@roundhouse/kit'
import { isText } from '../mapping/field-type.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { EngineError } from '../transport/engine-error.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'
import { correctionOf } from './kql.ts'
import { luceneSlips } from './lucene-slips.ts'
import { clauseIn, isClause } from './raw-clause.ts'
import { refuseSyntaxError } from './syntax-error.ts'

/** The raw query for the engine, with notices about fields that it does not search. */
export interface RawQuery {
	readonly query: JsonObject
	readonly notices: readonly string[]
}

/** Default limit of the engine for the fields of `*` and for the clauses of a query. */
const maxFields = 1_024

/**
 * Contract, part B: Lucene syntax, matched across all fields. `lenient` allows words for number fields. A JSON object is
 * a clause of the engine's query language.
 */
export function rawQuery(text: string): RawQuery {
	if (isClause(text)) return { query: clauseIn(text), notices: [] }
	return { query: { query_string: { query: text, default_field: '*', lenient: true } }, notices: [] }
}

/** Returns what a raw query probably does not mean as it is written, and what it probably means. */
export function slipsOf(text: string, mapping: Mapping): readonly string[] {
	if (isClause(text)) return []
	const correction = correctionOf(text, mapping)
	return [...luceneSlips(text, mapping), ...(correction === undefined ? [] : [`Probably meant: ${correction}`])]
}

/**
 * Returns the raw query for a table that may have more fields than the engine searches at once. Tries queries on the
 * engine, from all fields down to the first few text fields.
 *
 * @throws DriverError `invalid_argument` for an error of syntax, which the engine would report without its place
 */
export async function fittingRawQuery(
	{ text, table, mapping }: { readonly text: string; readonly table: string; readonly mapping: Mapping },
	transport: Transport,
	signal: AbortSignal,
): Promise<RawQuery> {
	if (isClause(text)) return rawQuery(text)
	refuseSyntaxError(text, mapping)
	const slips = slipsOf(text, mapping)
	const whole = { ...rawQuery(text), notices: slips }
	if (countOf(mapping) <= maxFields) return whole
	for (const candidate of [whole, ...narrower(text, mapping)]) {
		try {
			const body = { query: candidate.query, size: 0, terminate_after: 1, track_total_hits: false }
			await transport.send({ method: 'POST', path: `${pathOf(table)}/_search`, body, isRead: true }, signal)
			return candidate === whole ? whole : { ...candidate, notices: [...slips, ...candidate.notices] }
		} catch (error) {
			if (!(error instanceof EngineError) || !/too many|maxClauseCount/.test(error.message)) throw error
		}
	}
	return whole
}

/** Counts subfields too, because `*` includes them. */
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
			`The engine searches at most ${maxFields.toLocaleString('en')} fields at once. Words without a field are searched in the first ${count.toLocaleString('en')} of the ${all} text fields. Use field:word to search another field.`,
		],
	})
	const pieces = Array.from({ length: Math.ceil(names.length / maxFields) }, (_, at) =>
		within(text, names.slice(at * maxFields, (at + 1) * maxFields)),
	)
	const inText: RawQuery = {
		query: { bool: { should: pieces, minimum_should_match: 1 } },
		notices: [
			`The engine searches at most ${maxFields.toLocaleString('en')} fields at once. Words without a field are searched in the ${all} text fields.`,
		],
	}
	return [...(pieces.length === 1 || isOnlyWords(text) ? [inText] : []), first(maxFields), first(maxFields / 8)]
}

/**
 * Returns whether the text is only words, any of which may match. Then separate searches in groups of fields return the
 * same rows as one search in all fields.
 */
function isOnlyWords(text: string): boolean {
	return !/\b(?:AND|NOT)\b|&&|[+!-]/.test(text)
}

function within(text: string, fields: readonly string[]): JsonObject {
	return { query_string: { query: text, fields, lenient: true } }
}
