import { DriverError, type ExactNumber, filterOperators, type GridQuery, isExactNumber } from '@roundhouse/kit'
import { z } from 'zod'
import { tableArgument } from './schema.ts'
import { longestStatement } from './statement.ts'

/** How a client says which rows it means, and which part of them. */

/** Any scalar, as text; a number with the digits that it came with. */
const scalar = z
	.custom<string | number | boolean | ExactNumber>(
		value => ['string', 'number', 'boolean'].includes(typeof value) || isExactNumber(value),
	)
	.transform(value => (isExactNumber(value) ? value.rawJSON : String(value)))
	// As `type: [...]` some clients refuse it; zod makes that of alternatives that say nothing else.
	.meta({ anyOf: [{ type: 'string', minLength: 0 }, { type: 'number' }, { type: 'boolean' }] })
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
const raw = z.string().describe("A query in the engine's own language").optional()

/** Which rows, as every tool takes it. */
export const rowFilter = { filters, match, raw }

export const columns = z.array(z.string()).min(1).max(1000).optional().describe('Only these')
export const sort = z
	.array(z.strictObject({ column: z.string(), direction: z.enum(['asc', 'desc']).default('asc') }))
	.max(10)
	.default([])
	.describe('By these columns, the first one first')

/** Rows that another tool is about: the arguments of `browse_table`, which stand in a model's list only once. */
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

/** Rows, or a statement in their place. */
export const rowsOrStatement = {
	browse: browseArgument.optional(),
	query: z.string().max(longestStatement).optional().describe('Or a statement'),
}

/** Of two arguments the one that is given. @throws DriverError `invalid_argument` where it is none or both */
export function oneOf<Result>(
	{ browse, query }: { readonly browse?: Browsed | undefined; readonly query?: string | undefined },
	take: { browse(browsed: Browsed): Result; query(query: string): Result },
): Result {
	if (browse !== undefined && query === undefined) return take.browse(browse)
	if (query !== undefined && browse === undefined) return take.query(query)
	throw new DriverError('invalid_argument', 'Give either `browse` or `query`.')
}

/** As a driver takes it. */
export function gridQueryOf({ columns: _, max_rows: __, raw, ...rest }: Browsed): GridQuery {
	return { ...rest, ...(raw !== undefined && { raw }) }
}
