import type { Column, FilterField } from '@roundhouse/kit'
import { named } from '../transport/engine-words.ts'
import { resolve } from './exact-field.ts'
import type { Field } from './field.ts'
import { isDate, kindOf } from './field-type.ts'
import type { Mapping } from './mapping.ts'
import { keyOf } from './sort-key.ts'
import { isOfDays } from './time-zone.ts'

/**
 * Metadata columns (contract, part B). `_id` is the key. All three columns are read-only, except that the user can set
 * `_id` of a new document.
 */
const metaColumns: readonly Column[] = [
	{
		name: '_id',
		type: '_id',
		kind: 'text',
		isKey: true,
		isReadOnly: 'after_insert',
		isSortable: false,
		generated: 'default',
	},
	{ name: '_index', type: '_index', kind: 'text', isKey: false, isReadOnly: true, isSortable: true },
	{
		name: '_score',
		type: 'float',
		kind: 'number',
		isKey: false,
		isReadOnly: true,
		isSortable: true,
		// The engine computes it for a query, and cannot filter by it.
		filterFields: [{ name: '_score', kind: 'number', operators: [] }],
	},
]

export function isMetaColumn(name: string): boolean {
	return metaColumns.some(column => column.name === name)
}

/**
 * Returns the columns of a mapping: metadata first, then the fields in the mapping's order.
 * @param isRanked whether the documents have different scores
 * @param timeZone of the connection
 */
export function columnsOf(mapping: Mapping, { isRanked = true, timeZone = 'UTC' } = {}): Column[] {
	const isOneIndex = !mapping.isInferred && Object.keys(mapping.definition).length === 1
	const uniform = new Set([...(isOneIndex ? ['_index'] : []), ...(isRanked ? [] : ['_score'])])
	const meta = metaColumns.map(column => (uniform.has(column.name) ? { ...column, isUniform: true } : column))
	return [...meta, ...[...mapping.fields.values()].map(field => columnOf(field, mapping, timeZone))]
}

function columnOf(field: Field, mapping: Mapping, timeZone: string): Column {
	const real = resolve(field, mapping)
	const note = noteOf(field)
	return {
		name: field.path,
		type: field.type,
		kind: kindOf(real.type),
		isKey: false,
		isReadOnly: field.aliasOf !== undefined || field.isRuntime || field.nestedIn.length > 0,
		isSortable: typeof keyOf(field.path, mapping) !== 'string',
		...(isDate(real.type) && dateZone(real, timeZone)),
		...(note !== undefined && { note }),
		...filterFieldsOf(field, real),
	}
}

/** The engine reads a date without an offset in UTC. */
function dateZone({ format }: Field, timeZone: string): Pick<Column, 'zone'> {
	if (isOfDays(format)) return { zone: 'none' }
	return timeZone === 'UTC' ? {} : { zone: 'UTC' }
}

const equalityOperators = ['equals', 'not_equals', 'in', 'not_in', 'exists', 'missing'] as const
const rangeOperators = ['starts_with', 'less', 'less_or_equal', 'greater', 'greater_or_equal', 'between'] as const

/**
 * Returns whether the grid shows each value of the type as one JSON value. Filters compare the terms that the engine
 * indexes for that value.
 */
function isComparedAsOneValue(type: string): boolean {
	return type === 'flattened' || type === 'join' || type.endsWith('_range')
}

function filterFieldsOf({ path }: Field, { type, subfields }: Field): Pick<Column, 'filterFields'> {
	const fields: FilterField[] = [...subfields].map(([name, subfield]) => {
		return { name: `${path}.${name}`, kind: kindOf(subfield.type) }
	})
	if (isComparedAsOneValue(type)) fields.push({ name: path, kind: 'text', operators: equalityOperators })
	if (type === 'flattened') {
		fields.push({
			name: `${path}.`,
			kind: 'text',
			operators: [...equalityOperators, ...rangeOperators],
			takesKey: true,
		})
	}
	return fields.length > 0 ? { filterFields: fields } : {}
}

/**
 * Returns the column of a key that is in documents but not in the mapping (`dynamic: false`, or an object that is not
 * indexed).
 */
export function unmappedColumn(path: string): Column {
	const note = 'Not in the mapping. It is stored and shown, but cannot be searched or sorted.'
	return { name: path, type: 'unmapped', kind: 'other', isKey: false, isReadOnly: false, isSortable: false, note }
}

/**
 * Returns the path of a column's value in the documents; `undefined` for the engine's metadata and for what it computes.
 */
export function pathInSource({ name, type }: Column, mapping: Mapping): string | undefined {
	const field = mapping.fields.get(name)
	if (field?.isRuntime) return undefined
	if (field === undefined) return type === 'unmapped' ? name : undefined
	return resolve(field, mapping).path
}

function noteOf(field: Field): string | undefined {
	if (field.aliasOf !== undefined) return `Another name for ${named(field.aliasOf)}.`
	if (field.isRuntime) return 'Computed when read, not stored.'
	const parent = field.nestedIn.at(-1)
	if (parent !== undefined)
		return `This column shows one value for each element of an array. To change a value, edit the array in ${named(parent)}.`
	if (field.type === 'flattened') return `Filters can name its keys: ${named(`${field.path}.KEY`)}.`
	if (field.subfields.size > 0)
		return `Subfields: ${[...field.subfields.keys()].map(name => named(`.${name}`)).join(', ')}.`
	if (field.variants !== undefined) return 'The indices behind this name map this field differently.'
	return undefined
}
