import type { Json, Sort } from '@roundhouse/kit'
import { resolve, sortFieldOf } from '../mapping/columns.ts'
import type { Field } from '../mapping/field.ts'
import { isText, sortClassOf } from '../mapping/field-type.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { named } from '../transport/engine-words.ts'

/** One key of a sort. */
export interface SortKey {
	readonly field: string
	readonly order: 'asc' | 'desc'
	readonly nestedIn: readonly string[]
	/** The type to assume in indices that lack the field. Otherwise their shards would fail. */
	readonly unmappedType?: string
	/** The common type to compare by, if the indices have different types of numbers or dates. */
	readonly numericType?: string
	/** Whether the engine can count the rows before a value by a `range`, quickly and exactly. */
	readonly isCountable?: boolean
	readonly isDate?: boolean
}

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

type Found = Omit<SortKey, 'order'> & Pick<Field, 'ignoreAbove'>

/** Returns the sort key, or why there is none. */
export function keyOf(column: string, mapping: Mapping): Found | string {
	if (column === '_id') return 'the engine cannot sort by _id'
	if (column === '_index' || column === '_score') return { field: column, nestedIn: [] }
	const field = mapping.fields.get(column)
	if (field === undefined) return 'it is not in the mapping'
	const fields = (field.variants ?? [{ field }]).map(variant => resolve(variant.field, mapping))
	const [first] = fields.map(sortFieldOf)
	const unsorted = fields.find(own => sortFieldOf(own) === undefined)
	if (unsorted !== undefined || first === undefined) return whyUnsorted(unsorted ?? field)
	const sorted = fields.flatMap(own => sortFieldOf(own) ?? [])
	const isUnlike = sorted.some(own => own.path !== first.path || own.nestedIn.join() !== first.nestedIn.join())
	const isNestedInSome = field.variants !== undefined && field.isPartial === true && first.nestedIn.length > 0
	if (isUnlike || isNestedInSome) return 'the indices behind this name define it differently'
	const numericType = commonType(sorted)
	if (numericType === false)
		return `the indices behind this name define it as ${typesOf(sorted).map(named).join(' and ')}`
	const limits = sorted.flatMap(own => own.ignoreAbove ?? [])
	return {
		field: first.path,
		nestedIn: first.nestedIn,
		...(field.isPartial === true && { unmappedType: first.type }),
		...(numericType !== undefined && { numericType }),
		...(isCountable(field, first) && { isCountable: true, isDate: first.type === 'date' }),
		...(limits.length > 0 && { ignoreAbove: Math.min(...limits) }),
	}
}

const countableTypes = new Set(['keyword', 'long', 'integer', 'short', 'byte', 'date', 'double'])

function isCountable({ variants, isPartial, isRuntime }: Field, exact: Field): boolean {
	const isOne = variants === undefined && isPartial !== true && exact.nestedIn.length === 0
	return isOne && !isRuntime && exact.isIndexed && countableTypes.has(exact.type)
}

function whyUnsorted(field: Field): string {
	if (isText(field.type)) return 'it is analysed text without a .keyword subfield'
	if (!field.hasDocValues) return 'its mapping has disabled doc_values'
	return `values of type ${named(field.type)} cannot be sorted`
}

/**
 * Returns the type by which shards must compare to agree, `undefined` if they agree without one, or `false` if they
 * cannot.
 */
function commonType(fields: readonly Field[]): string | undefined | false {
	const classes = new Set(fields.map(({ type }) => sortClassOf(type)))
	const areAll = (...words: readonly string[]) => [...classes].every(word => words.includes(word))
	if (classes.size === 1) return undefined
	if (areAll('long', 'float', 'double')) return 'double'
	return areAll('date', 'date_nanos') ? 'date_nanos' : false
}

function typesOf(fields: readonly Field[]): string[] {
	return [...new Set(fields.map(({ type }) => type))].toSorted()
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
