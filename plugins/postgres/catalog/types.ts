import type { ColumnKind, FilterOperator } from '@roundhouse/kit'

/** Maps PostgreSQL types to the column kinds and filter operators of the grid. */

const kinds: Readonly<Record<string, ColumnKind>> = {
	int2: 'number',
	int4: 'number',
	int8: 'number',
	float4: 'number',
	float8: 'number',
	numeric: 'number',
	oid: 'number',
	bool: 'boolean',
	date: 'date',
	timestamp: 'date',
	timestamptz: 'date',
	json: 'json',
	jsonb: 'json',
	bytea: 'binary',
	text: 'text',
	varchar: 'text',
	bpchar: 'text',
	name: 'text',
	citext: 'text',
}

/**
 * @param name `typname` of the base type
 * @param type `typtype` of the base type, for example `e` for an enumeration
 */
export function kindOf(name: string, type = 'b'): ColumnKind {
	return kinds[name] ?? (type === 'e' ? 'text' : 'other')
}

/** Types whose values may be longer than a cell shows. */
const unboundedTypes = new Set([
	'text',
	'varchar',
	'bpchar',
	'citext',
	'json',
	'jsonb',
	'bytea',
	'xml',
	'tsvector',
	'hstore',
])
export const isUnbounded = (name: string, category: string) =>
	unboundedTypes.has(name) || category === 'A' || category === 'C'

const comparisonOperators: readonly FilterOperator[] = [
	...(['equals', 'not_equals', 'less', 'less_or_equal', 'greater', 'greater_or_equal'] as const),
	...(['between', 'in', 'not_in', 'exists', 'missing'] as const),
]
const patternOperators: readonly FilterOperator[] = ['contains', 'starts_with', 'ends_with', 'wildcard']

/** @param isComparable whether the type has an order */
export function operatorsOf(kind: ColumnKind, isComparable: boolean): readonly FilterOperator[] {
	if (kind === 'boolean') return ['equals', 'not_equals', 'exists', 'missing']
	if (kind === 'binary') return ['equals', 'not_equals', 'exists', 'missing']
	if (!isComparable) return [...patternOperators, 'exists', 'missing']
	return kind === 'number' || kind === 'date' ? comparisonOperators : [...comparisonOperators, ...patternOperators]
}
