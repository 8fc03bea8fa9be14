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
	/** As a person types them; the driver types them by the column. `exists` and `missing` have none. */
	readonly values: readonly string[]
}
