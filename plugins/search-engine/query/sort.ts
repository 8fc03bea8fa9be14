import type { Json, Sort } from '@roundhouse/kit'
import type { Mapping } from '../mapping/mapping.ts'
import { keyOf, type SortKey } from '../mapping/sort-key.ts'

export interface SortPlan {
	readonly keys: readonly SortKey[]
	/** Notices about columns that were dropped from the sort, and rows that it does not place. */
	readonly notices: readonly string[]
}

/** Returns whether the order needs the scores of a query: without a sort, the engine sorts by them. */
export const isByScore = (keys: readonly SortKey[]): boolean =>
	keys.length === 0 || keys.some(({ field }) => field === '_score')

/** Follows the contract (part B, "Sorting"): drops what the engine cannot sort by, and reports it. */
export function planSort(sorts: readonly Sort[], mapping: Mapping): SortPlan {
	const keys: SortKey[] = []
	const notices: string[] = []
	for (const { column, direction } of sorts) {
		const key = keyOf(column, mapping)
		if (typeof key === 'string') {
			notices.push(`Not sorted by ${column}: ${key}.`)
			continue
		}
		const { ignoreAbove, ...found } = key
		keys.push({ ...found, order: direction })
		if (ignoreAbove === undefined) continue
		const limit = ignoreAbove.toLocaleString('en')
		notices.push(
			`Values of ${column} longer than ${limit} characters are not sorted. They are placed with the rows without a value.`,
		)
	}
	return { keys, notices }
}

/**
 * Returns the `sort` of a search body. Reversed, it returns the same rows from the end: rows without a value move to
 * the other end, and a row with several values is still placed by the same one.
 */
export function sortBody(keys: readonly SortKey[], isReversed = false): Json[] {
	return keys.map(({ field, order, nestedIn, unmappedType, numericType }) => ({
		[field]: {
			order: isReversed ? (order === 'asc' ? 'desc' : 'asc') : order,
			...(isReversed && !field.startsWith('_') && { missing: '_first', mode: order === 'asc' ? 'min' : 'max' }),
			...(nestedIn.length > 0 && { nested: nestedBody(nestedIn) }),
			...(unmappedType !== undefined && { unmapped_type: unmappedType }),
			...(numericType !== undefined && { numeric_type: numericType }),
		},
	}))
}

function nestedBody(paths: readonly string[]): Json {
	const [path = '', ...inner] = paths
	return inner.length === 0 ? { path } : { path, nested: nestedBody(inner) }
}
