import type { Json, Sort } from '@roundhouse/kit'
import { resolve, sortFieldOf } from '../mapping/columns.ts'
import type { Field } from '../mapping/field.ts'
import { isText, sortClassOf } from '../mapping/field-type.ts'
import type { Mapping } from '../mapping/mapping.ts'

/** One key of the order of rows, as the engine takes it. */
export interface SortKey {
	readonly field: string
	readonly order: 'asc' | 'desc'
	readonly nestedIn: readonly string[]
	/** The type it is taken for in indices that do not have it; their shards would fail without. */
	readonly unmappedType?: string
	/** What the values of all indices are compared as, where they are unlike numbers or dates. */
	readonly numericType?: string
	/** The engine counts the rows before a value by a `range`, quickly and without rounding. */
	readonly isCountable?: boolean
	readonly isDate?: boolean
}

export interface SortPlan {
	readonly keys: readonly SortKey[]
	/** Why a column was dropped from the sort, and which rows have no place in it, in words for the person. */
	readonly notices: readonly string[]
}

/** Follows the contract (part B, "Sorting"): what the engine cannot order by is dropped, and said so. */
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
			`Values of ${column} longer than ${limit} characters are not sorted: they stand with rows without one.`,
		)
	}
	return { keys, notices }
}

type Found = Omit<SortKey, 'order'> & Pick<Field, 'ignoreAbove'>

/** The key, or why there is none. */
export function keyOf(column: string, mapping: Mapping): Found | string {
	if (column === '_id') return 'the engine keeps no order of _id'
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
	if (isUnlike || isNestedInSome) return 'the indices behind this name hold it in different ways'
	const numericType = commonType(sorted)
	if (numericType === false) return `the indices behind this name hold it as ${typesOf(sorted).join(' and ')}`
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
	if (!field.hasDocValues) return 'its mapping has doc_values off'
	return `values of type ${field.type} have no order`
}

/** What shards must compare by to agree; `undefined` where they do by themselves, `false` where they cannot. */
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
 * The `sort` of a search body. Reversed, it gives the same rows from the end: rows without a value change sides too, and
 * a row with several values is still placed by the one that placed it before.
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
