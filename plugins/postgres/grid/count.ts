import type { Count, GridQuery } from '@roundhouse/kit'
import { Parameters } from '@roundhouse/sql'
import { from, type Shape } from '../catalog/shape.ts'
import { placeholder } from '../sql/binding.ts'
import { conditionOf, pathFor } from '../sql/conditions.ts'
import type { Query, Rows, Session } from '../wire/session.ts'

/** Numbers of rows. */

type Counted = Omit<GridQuery, 'sort'>

export interface Counting {
	readonly shape: Shape
	readonly query: Counted
	readonly guard?: Query | undefined
}

/** Counts the rows exactly. */
export async function countExactly(
	session: Session,
	{ shape, query, guard }: Counting,
	signal: AbortSignal,
): Promise<Count> {
	const { sql, values } = queryOf(shape, query, 'count(*)')
	const { rows } = await session.read({ sql, values }, signal, { path: pathFor(query), guard })
	return { value: Number(rows[0]?.[0]), isExact: true }
}

/** Returns the exact number of rows up to `most`, and the planner's estimate of more. */
export async function countForGrid(
	session: Session,
	{ shape, query, guard, most }: Counting & { readonly most: number },
	signal: AbortSignal,
): Promise<Count> {
	const value = estimateIn(await session.read(estimateQuery({ shape, query }), signal, { path: pathFor(query), guard }))
	if (value <= most) return countExactly(session, { shape, query, guard }, signal)
	return { value, isExact: false, bound: 'about' }
}

/** Returns the query of the planner's estimate, which knows the current size of the table. */
export function estimateQuery({ shape, query }: Counting): Query {
	const { sql, values } = queryOf(shape, query, '1')
	return { sql: `explain (format json) ${sql}`, explained: sql, values }
}

/** Returns the estimate in the answer to {@link estimateQuery}. */
export function estimateIn(answer: Rows | undefined): number {
	const [plan] = JSON.parse(answer?.rows[0]?.[0] ?? '[]')
	return Number(plan?.Plan?.['Plan Rows'] ?? 0)
}

function queryOf(shape: Shape, query: Counted, what: string) {
	const parameters = new Parameters(placeholder)
	const condition = conditionOf(shape, query, parameters.bind)
	const where = condition === undefined ? '' : ` where ${condition}`
	return { sql: `select ${what} from ${from(shape)}${where}`, values: parameters.values }
}
