import { DriverError, type Filter, type JsonObject } from '@roundhouse/kit'
import type { Variant } from '../mapping/field.ts'
import { type Mapping, nestedPaths } from '../mapping/mapping.ts'
import { caveatsOf } from './caveats.ts'
import { comparison } from './comparison.ts'
import { type Comparing, fieldsBehind, targetOf } from './target.ts'

/** A filter as a query, before `nested` and `bool` are added around it. */
export interface Clause {
	readonly query: JsonObject
	/** Whether `not_equals`, `not_in` or `missing` require that nothing matches the query. */
	readonly isNegated: boolean
	readonly nestedIn: readonly string[]
	/** The column, if the query is for one value of it. */
	readonly equalIn?: string | undefined
	readonly notices: readonly string[]
}

/** @throws DriverError `invalid_argument` if the column or a value does not match the operator */
export function clauseOf(filter: Filter, mapping: Mapping, comparing: Comparing): Clause {
	const isNegated = filter.operator === 'not_equals' || filter.operator === 'not_in' || filter.operator === 'missing'
	const variants = fieldsBehind(filter.column, mapping)
	const isAlone = variants.length === 1
	const readings = variants.map(variant =>
		readingOf(isAlone ? filter : fitting(filter, variant, comparing), variant, comparing),
	)
	const alternatives = readings.filter(reading => 'query' in reading)
	const refusals = readings.filter(reading => 'refusal' in reading)
	const [first] = alternatives
	if (first === undefined) throw refusals[0]?.refusal
	const notices = [
		...alternatives.flatMap(({ notices }) => notices),
		...refusals.map(refused => leftOut(refused, isNegated)),
	]
	const isOne = refusals.length === 0 && alternatives.every(other => isSame(other, first))
	const isEverywhere = isOne && (first.indices.length === 0 || first.nestedIn.length === 0)
	const equalIn = filter.operator === 'equals' ? filter.column : undefined
	if (isEverywhere) return { query: first.query, isNegated, nestedIn: first.nestedIn, equalIn, notices }
	const nestedIn = alternatives.every(other => isSameList(other.nestedIn, first.nestedIn)) ? first.nestedIn : []
	const should = alternatives.map(({ indices, ...own }) =>
		onlyIn(indices, nest(own.query, own.nestedIn.slice(nestedIn.length), mapping)),
	)
	return { query: { bool: { should, minimum_should_match: 1 } }, isNegated, nestedIn, equalIn, notices }
}

/** Wraps a query in the nested objects, outermost first. */
export function nest(query: JsonObject, paths: readonly string[], mapping: Mapping): JsonObject {
	return paths.reduceRight<JsonObject>((inner, path) => {
		// Indices without this nested object have no match. Without this option, their shards would fail.
		const ignoresUnmapped = mapping.fields.get(path)?.isPartial === true && { ignore_unmapped: true }
		return { nested: { path, query: inner, ...ignoresUnmapped } }
	}, query)
}

/** The filter as interpreted by the indices that define the field in one way. */
interface Reading {
	readonly indices: readonly string[]
	readonly query: JsonObject
	readonly nestedIn: readonly string[]
	readonly notices: readonly string[]
}

interface Refused {
	readonly indices: readonly string[]
	readonly refusal: DriverError
}

function readingOf(filter: Filter, { indices, field }: Variant, comparing: Comparing): Reading | Refused {
	const target = targetOf(filter.column, field, comparing)
	try {
		return {
			indices,
			query: comparison(filter, target),
			nestedIn: nestedPaths(field),
			notices: caveatsOf(filter, target),
		}
	} catch (refusal) {
		if (refusal instanceof DriverError) return { indices, refusal }
		throw refusal
	}
}

/** The engine skips the clause in other indices without evaluating it. */
function onlyIn(indices: readonly string[], query: JsonObject): JsonObject {
	return { bool: { filter: [{ terms: { _index: indices } }, query] } }
}

/**
 * Returns a filter on a list without the values that an index cannot have: none of its rows is equal to them. If it can
 * have none of them, all stay, and are refused.
 */
function fitting(filter: Filter, { field }: Variant, comparing: Comparing): Filter {
	if (filter.operator !== 'in' && filter.operator !== 'not_in') return filter
	const target = targetOf(filter.column, field, comparing)
	const values = filter.values.filter(value => {
		try {
			return comparison({ ...filter, operator: 'in', values: [value] }, target)
		} catch (error) {
			if (error instanceof DriverError) return false
			throw error
		}
	})
	return values.length === 0 ? filter : { ...filter, values }
}

/** What a condition that no row can fulfil means for the rows of these indices. */
function leftOut({ indices, refusal }: Refused, isNegated: boolean): string {
	const named =
		indices.length > 3 ? `${indices.slice(0, 3).join(', ')} and ${indices.length - 3} more` : indices.join(', ')
	return `${refusal.message} ${isNegated ? 'Every' : 'No'} document of ${named} matches this filter.`
}

function isSame(a: Reading, b: Reading): boolean {
	return isSameList(a.nestedIn, b.nestedIn) && JSON.stringify(a.query) === JSON.stringify(b.query)
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
	return a.length === b.length && a.every((path, index) => path === b[index])
}
