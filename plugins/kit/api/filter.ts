/**
 * Operators of a filter. Each compares a column with the values of the filter. docs/drivers.md, Filters, says what they
 * do with case, missing values and numbers.
 */
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
/** One of the operators of {@link filterOperators}. */
export type FilterOperator = (typeof filterOperators)[number]

/** One condition for rows. */
export interface Filter {
	/** A column, or one of its `filterFields`. */
	readonly column: string
	readonly operator: FilterOperator
	/** Values as the user types them. The driver converts them to the column's type. `exists` and `missing` have none. */
	readonly values: readonly string[]
}
