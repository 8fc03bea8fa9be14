export const filterOperators = [
	'equals',
	'not_equals',
	'less',
	'less_or_equal',
	'greater',
	'greater_or_equal',
	'between',
	'in',
	'not_in',
	'contains',
	'starts_with',
	'ends_with',
	'wildcard',
	'exists',
	'missing',
] as const
export type FilterOperator = (typeof filterOperators)[number]

export interface Filter {
	/** A column, or one of its `filterFields`. */
	readonly column: string
	readonly operator: FilterOperator
	/** Values as the user types them. The driver converts them to the column's type. `exists` and `missing` have none. */
	readonly values: readonly string[]
}
