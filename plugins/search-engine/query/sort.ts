import type { Json, Sort } from '@roundhouse/kit'
import { resolve, sortFieldOf } from '../mapping/columns.ts'
import type { Field, Mapping } from '../mapping/field.ts'
import { isText } from '../mapping/field-type.ts'

/** One key of the order of rows, as the engine takes it. */
export interface SortKey {
	readonly field: string
	readonly order: 'asc' | 'desc'
	readonly nestedIn: readonly string[]
}

export interface SortPlan {
	readonly keys: readonly SortKey[]
	/** Why a column was dropped from the sort, in words for the person. */
	readonly notices: readonly string[]
}

/** Follows the contract (part B, "Sorting"): what the engine cannot order by is dropped, and said so. */
export function planSort(sorts: readonly Sort[], mapping: Mapping): SortPlan {
	const keys: SortKey[] = []
	const notices: string[] = []
	for (const { column, direction } of sorts) {
		const key = keyOf(column, mapping)
		if (typeof key === 'string') notices.push(`Not sorted by ${column}: ${key}.`)
		else keys.push({ ...key, order: direction })
	}
	return { keys, notices }
}

/** The key, or why there is none. */
function keyOf(column: string, mapping: Mapping): Omit<SortKey, 'order'> | string {
	if (column === '_id') return 'the engine keeps no order of _id'
	if (column === '_index' || column === '_score') return { field: column, nestedIn: [] }
	const field = mapping.fields.get(column)
	if (field === undefined) return 'it is not in the mapping'
	const real = resolve(field, mapping)
	const name = sortFieldOf(real)
	return name === undefined ? whyUnsorted(real) : { field: name, nestedIn: real.nestedIn }
}

function whyUnsorted(field: Field): string {
	if (isText(field.type)) return 'it is analysed text without a .keyword subfield'
	if (!field.hasDocValues) return 'its mapping has doc_values off'
	return `values of type ${field.type} have no order`
}

/**
 * The `sort` of a search body. Reversed, it gives the same rows from the end: rows without a value change sides too, and
 * a row with several values is still placed by the one that placed it before.
 */
export function sortBody(keys: readonly SortKey[], isReversed = false): Json[] {
	return keys.map(({ field, order, nestedIn }) => ({
		[field]: {
			order: isReversed ? (order === 'asc' ? 'desc' : 'asc') : order,
			...(isReversed && !field.startsWith('_') && { missing: '_first', mode: order === 'asc' ? 'min' : 'max' }),
			...(nestedIn.length > 0 && { nested: nestedBody(nestedIn) }),
		},
	}))
}

function nestedBody(paths: readonly string[]): Json {
	const [path = '', ...inner] = paths
	return inner.length === 0 ? { path } : { path, nested: nestedBody(inner) }
}
