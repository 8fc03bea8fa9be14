import type { Count, GridQuery } from '@roundhouse/kit'
import { from, type Shape } from '../catalog/shape.ts'
import { Parameters } from '../sql/binding.ts'
import { conditionOf } from '../sql/conditions.ts'
import type { Session } from '../wire/session.ts'

/** Numbers of rows. */

/** Above this estimate, a grid of the user shows the estimate, because an exact count reads the whole table. */
export const countedRows = 100_000

type Counted = Omit<GridQuery, 'sort'>

interface Counting {
	readonly shape: Shape
	readonly query: Counted
}

/** Counts the rows exactly. */
export async function countExactly(session: Session, { shape, query }: Counting, signal: AbortSignal): Promise<Count> {
	const { sql, values } = queryOf(shape, query, 'count(*)')
	const { rows } = await session.read({ sql, values }, signal)
	return { value: Number(rows[0]?.[0]), isExact: true }
}

/** Returns the exact number of rows up to `most`, and the planner's estimate of more. */
export async function countForGrid(
	session: Session,
	{ shape, query, most }: Counting & { readonly most: number },
	signal: AbortSignal,
): Promise<Count> {
	const value = await estimate(session, { shape, query }, signal)
	if (value <= most) return countExactly(session, { shape, query }, signal)
	return { value, isExact: false, bound: 'about' }
}

/** Returns the planner's estimate, which knows the current size of the table. */
async function estimate(session: Session, { shape, query }: Counting, signal: AbortSignal): Promise<number> {
	const { sql, values } = queryOf(shape, query, '1')
	const { rows } = await session.read({ sql: `explain (format json) ${sql}`, values }, signal)
	const [plan] = JSON.parse(rows[0]?.[0] ?? '[]')
	return Number(plan?.Plan?.['Plan Rows'] ?? 0)
}

function queryOf(shape: Shape, query: Counted, what: string) {
	const parameters = new Parameters()
	const condition = conditionOf(shape, query, parameters.bind)
	const where = condition === undefined ? '' : ` where ${condition}`
	return { sql: `select ${what} from ${from(shape)}${where}`, values: parameters.values }
}
