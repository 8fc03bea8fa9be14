import type { ColumnKind } from '@roundhouse/kit'

/** The meaning of the engine's types for a column. Unlisted types are `other` and not sortable. */

const textTypes = new Set(['text', 'match_only_text', 'search_as_you_type', 'annotated_text', 'semantic_text'])
const integerTypes = new Set(['long', 'integer', 'short', 'byte', 'unsigned_long', 'token_count'])
const decimalTypes = new Set(['double', 'float', 'half_float', 'scaled_float', 'rank_feature'])
/** The smallest and the largest value of a type. */
export interface Bounds {
	readonly least: bigint
	readonly most: bigint
}

const signed = (bits: bigint): Bounds => ({ least: -(2n ** (bits - 1n)), most: 2n ** (bits - 1n) - 1n })

export const integerBounds: Readonly<Record<string, Bounds>> = {
	byte: signed(8n),
	short: signed(16n),
	integer: signed(32n),
	long: signed(64n),
	unsigned_long: { least: 0n, most: 2n ** 64n - 1n },
}

const dateTypes = new Set(['date', 'date_nanos'])
const structuredTypes = new Set([
	'object',
	'nested',
	'flattened',
	'join',
	'geo_point',
	'geo_shape',
	'point',
	'shape',
	'histogram',
	'aggregate_metric_double',
	'rank_features',
	'sparse_vector',
	'dense_vector',
	'completion',
	'percolator',
	'integer_range',
	'long_range',
	'float_range',
	'double_range',
	'date_range',
	'ip_range',
])
const otherSortable = new Set([
	'keyword',
	'constant_keyword',
	'wildcard',
	'boolean',
	'ip',
	'version',
	'_index',
	'murmur3',
])

/** Returns whether a type is analysed text. It is sorted and compared by its `.keyword` subfield, if it has one. */
export function isText(type: string): boolean {
	return textTypes.has(type)
}

export function isNumeric(type: string): boolean {
	return integerTypes.has(type) || decimalTypes.has(type)
}

export function isDate(type: string): boolean {
	return dateTypes.has(type)
}

/** Returns whether a value of the type is an object or array. */
export function isStructured(type: string): boolean {
	return structuredTypes.has(type)
}

export function sortsByItself(type: string): boolean {
	return otherSortable.has(type) || dateTypes.has(type) || (isNumeric(type) && type !== 'rank_feature')
}

const sortClasses: Readonly<Record<string, string>> = {
	integer: 'long',
	short: 'long',
	byte: 'long',
	token_count: 'long',
	half_float: 'float',
	scaled_float: 'double',
	constant_keyword: 'keyword',
	wildcard: 'keyword',
}

/** Returns the sort class of a type. Shards agree on an order if their types of a field have the same class. */
export function sortClassOf(type: string): string {
	return sortClasses[type] ?? type
}

/** Returns the kind of a type, or the one of all types of a field that several indices define in different ways. */
export function kindOf(type: string): ColumnKind {
	const [first, ...others] = new Set(type.split(' | ').map(kindOfOne))
	return first !== undefined && others.length === 0 ? first : kindOfOne(type)
}

function kindOfOne(type: string): ColumnKind {
	if (isText(type) || type.endsWith('keyword') || type === 'wildcard') return 'text'
	if (isNumeric(type)) return 'number'
	if (isDate(type)) return 'date'
	if (isStructured(type)) return 'json'
	return type === 'boolean' || type === 'binary' ? type : 'other'
}
