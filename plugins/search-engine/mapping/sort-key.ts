import { listed, named } from '../transport/engine-words.ts'
import { resolve, sortFieldOf } from './exact-field.ts'
import type { Field } from './field.ts'
import { isDate, isText, sortClassOf } from './field-type.ts'
import type { Mapping } from './mapping.ts'

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
	/** Whether equal values of two indices differ in form: whole and decimal numbers, times with and without nanoseconds. */
	readonly isOfTwoForms?: boolean
	/** How dates are compared. In the format of the mapping, also the default one, the engine compares shards wrongly. */
	readonly dates?: 'date' | 'date_nanos'
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
	if (numericType === false) return `the indices behind this name define it as ${listed(typesOf(sorted).map(named))}`
	const limits = sorted.flatMap(own => own.ignoreAbove ?? [])
	return {
		field: first.path,
		nestedIn: first.nestedIn,
		...(field.isPartial === true && { unmappedType: first.type }),
		...(numericType !== undefined && { numericType }),
		...(new Set(sorted.map(({ type }) => formOf(type))).size > 1 && { isOfTwoForms: true }),
		...(isDate(first.type) && { dates: sorted.some(({ type }) => type === 'date_nanos') ? 'date_nanos' : 'date' }),
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
	// The value that stands for none is that of the type: behind it, a shard of another type begins again.
	if (areAll('long')) return new Set(fields.map(({ type }) => type)).size === 1 ? undefined : 'long'
	if (classes.size === 1) return undefined
	if (areAll('long', 'float', 'double')) return 'double'
	return areAll('date', 'date_nanos') ? 'date_nanos' : false
}

/** Returns how the engine holds a value in doc values. */
function formOf(type: string): string {
	const sortClass = sortClassOf(type)
	return sortClass === 'float' ? 'double' : sortClass
}

function typesOf(fields: readonly Field[]): string[] {
	return [...new Set(fields.map(({ type }) => type))].toSorted()
}
