import type { GridQuery, JsonObject } from '@roundhouse/kit'
import type { Mapping } from '../mapping/mapping.ts'
import { isAtLeast, type Version } from '../transport/product.ts'
import { type Clause, clauseOf, nest } from './clause.ts'
import { type RawQuery, rawQuery } from './raw-query.ts'

export interface QueryPlan {
	readonly query: JsonObject
	/** Whether `_score` is meaningful: only the raw query ranks. */
	readonly isRanked: boolean
	/** Whether a sort of the engine can have a format (7.13 and later). */
	readonly sortsByFormat: boolean
	readonly notices: readonly string[]
}

interface PlanContext {
	readonly mapping: Mapping
	readonly version: Version
	/** The zone of the connection. Default: UTC */
	readonly timeZone?: string
	/** The raw query, if it is not simply the typed one. */
	readonly raw?: RawQuery | undefined
}

/**
 * Builds the `query` of a grid: all filters (or any of them), and the raw query.
 *
 * Filters do not rank, so they are in `filter` and leave `_score` to the raw query. With "match all", the filters on
 * fields of one `nested` object must apply to the same element, because users expect that of "stars >= 4 and user =
 * ann".
 */
export function planQuery(
	grid: Omit<GridQuery, 'sort' | 'table'>,
	{ mapping, version, timeZone = 'UTC', raw = grid.raw?.trim() ? rawQuery(grid.raw) : undefined }: PlanContext,
): QueryPlan {
	const clauses = grid.filters.map(filter => clauseOf(filter, mapping, { version, timeZone }))
	const notices = [
		...new Set([
			...(raw?.notices ?? []),
			...clauses.flatMap(clause => clause.notices),
			...(grid.match === 'all' ? elementNotices(clauses) : []),
		]),
	]
	const filters = grid.match === 'any' ? anyOf(clauses, mapping) : allOf(clauses, mapping)
	const isRanked = raw !== undefined
	const bool = { ...(isRanked && { must: [raw.query] }), ...filters }
	const query = clauses.length > 0 ? { bool } : (raw?.query ?? { match_all: {} })
	return { query, isRanked, sortsByFormat: isAtLeast(version, 7, 13), notices }
}

/** Says which conditions are about one element, because each of them may hold in another one. */
function elementNotices(clauses: readonly Clause[]): readonly string[] {
	const shared = elementsOf(clauses.filter(({ isNegated }) => !isNegated)).filter(group => group.length > 1)
	return shared.flatMap(([first]) => {
		const path = first?.nestedIn.at(-1)
		return path === undefined ? [] : [`The filters on ${path} hold for one and the same element of it.`]
	})
}

function allOf(clauses: readonly Clause[], mapping: Mapping): JsonObject {
	const positive = clauses.filter(clause => !clause.isNegated)
	const negative = clauses.filter(clause => clause.isNegated)
	const filter = elementsOf(positive).flatMap(group => sameElement(group, mapping))
	return {
		...(filter.length > 0 && { filter }),
		...(negative.length > 0 && { must_not: negative.map(clause => nest(clause.query, clause.nestedIn, mapping)) }),
	}
}

/**
 * Groups clauses by the element that they are about. An element has one value of a column, so that several values are those
 * of several elements.
 */
function elementsOf(positive: readonly Clause[]): readonly (readonly Clause[])[] {
	const isFurther = ({ nestedIn, equalIn }: Clause, at: number) =>
		nestedIn.length > 0 && equalIn !== undefined && positive.slice(0, at).some(other => other.equalIn === equalIn)
	const groups = Map.groupBy(positive, (clause, at) => (isFurther(clause, at) ? at : clause.nestedIn.join('\n')))
	return [...groups.values()]
}

/** Clauses of one nested object share its wrapper. Outside of nested objects, each clause is separate. */
function sameElement(clauses: readonly Clause[], mapping: Mapping): JsonObject[] {
	const queries = clauses.map(clause => clause.query)
	const nestedIn = clauses[0]?.nestedIn ?? []
	const [first = {}] = queries
	if (nestedIn.length === 0) return queries
	return [nest(queries.length === 1 ? first : { bool: { filter: queries } }, nestedIn, mapping)]
}

function anyOf(clauses: readonly Clause[], mapping: Mapping): JsonObject {
	if (clauses.length === 0) return {}
	const should = clauses.map(clause => {
		const query = nest(clause.query, clause.nestedIn, mapping)
		return clause.isNegated ? { bool: { must_not: [query] } } : query
	})
	return { filter: [{ bool: { should, minimum_should_match: 1 } }] }
}
