import type { Field } from './field.ts'
import { isText, sortsByItself } from './field-type.ts'
import type { Mapping } from './mapping.ts'

/** Returns the target of an `alias` field, or the field itself. */
export function resolve(field: Field, mapping: Mapping): Field {
	return (field.aliasOf === undefined ? undefined : mapping.fields.get(field.aliasOf)) ?? field
}

/**
 * Returns the field to sort by. For analysed text, this is the `.keyword` subfield (contract, part B, "Sorting").
 * Returns `undefined` if the engine cannot sort by it.
 */
export function sortFieldOf(field: Field): Field | undefined {
	const exact = exactField(field)
	return exact !== undefined && sortsByItself(exact.type) && exact.hasDocValues ? exact : undefined
}

/**
 * Returns the field that contains unanalysed values. For analysed text, this is the `.keyword` subfield, if it exists.
 * The contract requires this name, because a subfield with another name or type may behave differently.
 */
export function exactField(field: Field): Field | undefined {
	if (!isText(field.type)) return field
	const keyword = field.subfields.get('keyword')
	return keyword?.type === 'keyword' ? keyword : undefined
}
