import { DriverError, type ExactNumber, filterOperators, type GridQuery, isExactNumber } from '@roundhouse/kit'
import { z } from 'zod'
import { tableArgument } from './schema.ts'
import { maxStatementLength } from './statement.ts'

/** Arguments that select rows and columns. */

/** Any scalar as text. A number keeps its digits. */
const scalar = z
	.custom<string | number | boolean | ExactNumber>(
		value => ['string', 'number', 'boolean'].includes(typeof value) || isExactNumber(value),
	)
	.transform(value => (isExactNumber(value) ? value.rawJSON : String(value)))
	// A text of every value is accepted, and many clients convert no alternatives within a list.
	.meta({ type: 'string', minLength: 0 })
const filters = z
	.array(
		z.strictObject({
			column: z.string(),
			operator: z.enum(filterOperators).default('equals'),
			values: z.array(scalar).max(1000).default([]),
		}),
	)
	.max(50)
	.default([])
	.describe('Conditions on columns')
const match = z.enum(['all', 'any']).default('all').describe('How many of the filters must hold')
const raw = z.string().min(1).max(maxStatementLength).describe("A query in the engine's own language").optional()

/** Arguments of every tool that filters rows. */
export const rowFilter = { filters, match, raw }

export const columns = z.array(z.string()).min(1).max(1000).optional().describe('Only these')
export const sort = z
	.array(z.strictObject({ column: z.string(), direction: z.enum(['asc', 'desc']).default('asc') }))
	.max(10)
	.default([])
	.describe('By these columns, the first one first')

/** The arguments of `browse_table` as an argument of other tools. The schema is in the list of tools only once. */
const browsed = z.strictObject({
	table: tableArgument,
	columns,
	...rowFilter,
	sort,
	max_rows: z.int().min(1).optional(),
})
export type Browsed = z.output<typeof browsed>
export const browseArgument = z
	.custom<z.input<typeof browsed>>(() => true)
	.meta({ type: 'object', description: 'Arguments of browse_table' })
	.pipe(browsed)

/** Either rows or a statement. */
export const rowsOrStatement = {
	browse: browseArgument.optional(),
	query: z.string().min(1).max(maxStatementLength).optional().describe('Or a statement'),
}

/** Handles the argument that is set. @throws DriverError `invalid_argument` if none or both are set */
export function oneOf<Result>(
	{ browse, query }: { readonly browse?: Browsed | undefined; readonly query?: string | undefined },
	take: { browse(browsed: Browsed): Result; query(query: string): Result },
): Result {
	if (browse !== undefined && query === undefined) return take.browse(browse)
	if (query !== undefined && browse === undefined) return take.query(query)
	throw new DriverError('invalid_argument', 'Give either `browse` or `query`.')
}

/** Returns the query for the driver. */
export function gridQueryOf({ columns: _, max_rows: __, raw, ...rest }: Browsed): GridQuery {
	return { ...rest, ...(raw !== undefined && { raw }) }
}
