import { exactNumber, isExactNumber, type Json, type Sort } from '@roundhouse/kit'
import type { Mapping } from '../mapping/mapping.ts'
import { keyOf, type SortKey } from '../mapping/sort-key.ts'
import type { QueryPlan } from './query.ts'

export interface SortPlan {
	readonly keys: readonly SortKey[]
	/** Notices about columns that were dropped from the sort, and rows that it does not place. */
	readonly notices: readonly string[]
}

/** Returns whether the order needs the scores of a query: without a sort, the engine sorts by them. */
export const isByScore = (keys: readonly SortKey[]): boolean =>
	keys.length === 0 || keys.some(({ field }) => field === '_score')

/**
 * Rows in the order of their last write. Without a sort they come in the order of the engine's files, which it merges by
 * their size, and so by the values of all fields.
 */
export const byLastWrite: SortKey = { field: '_seq_no', order: 'asc', nestedIn: [] }

/** Follows the contract (part B, "Sorting"): drops what the engine cannot sort by, and reports it. */
export function planSort(
	sorts: readonly Sort[],
	mapping: Mapping,
	{ sortsByFormat }: Pick<QueryPlan, 'sortsByFormat'>,
): SortPlan {
	const keys: SortKey[] = []
	const notices: string[] = []
	for (const { column, direction } of sorts) {
		const key = keyOf(column, mapping)
		if (typeof key === 'string') {
			notices.push(`Not sorted by ${column}: ${key}.`)
			continue
		}
		const { ignoreAbove, dates, ...found } = key
		keys.push({ ...found, order: direction, ...(dates && sortsByFormat && { dates }) })
		if (ignoreAbove === undefined) continue
		const limit = ignoreAbove.toLocaleString('en')
		notices.push(
			`Values of ${column} longer than ${limit} characters are not sorted. They are placed with the documents without a value.`,
		)
	}
	return { keys, notices }
}

/**
 * Returns the `sort` of a search body. Reversed, it returns the same rows from the end: rows without a value move to
 * the other end, and a row with several values is still placed by the same one.
 */
export function sortBody(keys: readonly SortKey[], isReversed = false): Json[] {
	return keys.map(({ field, order, nestedIn, unmappedType, numericType, dates }) => ({
		[field]: {
			order: isReversed ? (order === 'asc' ? 'desc' : 'asc') : order,
			...(isReversed && !field.startsWith('_') && { missing: '_first', mode: order === 'asc' ? 'min' : 'max' }),
			// With `_last`, the engine leaves out a shard whose dates are all behind the last row that it needs, although a row
			// without a date may be equal to that row. The number is the one that `_last` stands for.
			...(!isReversed && dates && { missing: farthest[dates][order] }),
			...(nestedIn.length > 0 && { nested: nestedBody(nestedIn) }),
			...(unmappedType !== undefined && { unmapped_type: unmappedType }),
			...(numericType !== undefined && { numeric_type: numericType }),
			// While it searches, the engine tells each shard the last value that it needs, in the field's format. A missing
			// value has a year that most formats cut, so that shards leave out rows.
			...(dates && { format: 'strict_date_optional_time_nanos' }),
		},
	}))
}

/** The numbers that stand for a missing date, behind all others. */
const longest = exactNumber('9223372036854775807')
const farthest = {
	date: { asc: longest, desc: exactNumber('-9223372036854775808') },
	// Of nanoseconds, there is none before 1970.
	date_nanos: { asc: longest, desc: 0 },
}

/** How the engine prints the instants that stand for a missing value, and as it takes them. */
const missingInstants: ReadonlyMap<Json, Json> = new Map<Json, Json>([
	['+292278994-08-17T07:12:55.807Z', farthest.date.asc],
	['-292275055-05-16T16:47:04.192Z', farthest.date.desc],
])

/** Returns the sort values of a row as `search_after` takes them. */
export function searchAfter(sort: readonly Json[], keys: readonly SortKey[]): readonly Json[] {
	return sort.map((value, index) => (keys[index]?.dates ? (missingInstants.get(value) ?? value) : value))
}

/** Whole numbers beyond it are not exact as doubles. */
const mostExact = 2 ** 53

/**
 * Returns notices about rows in an order of rounded numbers: where indices define a column as whole and as decimal, the
 * engine compares doubles. @param sorts reads the sort values of each row
 */
export function roundingNotices(keys: readonly SortKey[], sorts: () => readonly (Json | undefined)[]): string[] {
	return keys.flatMap(({ field, numericType }, index) => {
		if (numericType !== 'double') return []
		const isLarge = sorts().some(sort => {
			const value = Array.isArray(sort) ? sort[index] : undefined
			const number = isExactNumber(value) ? Number(value.rawJSON) : value
			return typeof number === 'number' && Math.abs(number) >= mostExact
		})
		if (!isLarge) return []
		return [
			`${field} is whole in one index and decimal in another, so whole numbers beyond ${mostExact.toLocaleString('en')} are sorted as their nearest decimal.`,
		]
	})
}

function nestedBody(paths: readonly string[]): Json {
	const [path = '', ...inner] = paths
	return inner.length === 0 ? { path } : { path, nested: nestedBody(inner) }
}
