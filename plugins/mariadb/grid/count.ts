import type { Count, GridQuery } from '@roundhouse/kit'
import type { Shape } from '../catalog/shape.ts'
import { plannedIn, planSql } from '../console/planned-rows.ts'
import { conditionOf } from '../sql/conditions.ts'
import { qualified } from '../sql/names.ts'
import type { Query, Session } from '../wire/session.ts'

/** Numbers of rows. */

interface Counted {
	readonly shape: Shape
	readonly query: Omit<GridQuery, 'sort'>
}

const whereOf = ({ shape, query }: Counted) => {
	const condition = conditionOf(shape, query)
	return condition === undefined ? '' : ` where ${condition}`
}

/** Counts the rows exactly. */
export async function countExactly(session: Session, counted: Counted, signal: AbortSignal): Promise<Count> {
	const sql = `select count(*) from ${qualified(counted.shape.place)}${whereOf(counted)}`
	const { rows } = await session.read({ sql }, signal)
	return { value: Number(rows[0]?.[0]), isExact: true }
}

/** Returns the query of the optimizer's estimate, for {@link plannedIn}. */
export const estimateOf = (session: Session, counted: Counted): Query => ({
	sql: planSql(session, `select 1 from ${qualified(counted.shape.place)}${whereOf(counted)}`),
	// The statement as the optimizer has written it again.
	isWithoutNotices: true,
})

/** Returns the estimate in the answer to {@link estimateOf}. */
export const estimateIn = (answer: Parameters<typeof plannedIn>[0]): number => Math.round(plannedIn(answer).produced)

/** Returns the exact number of rows up to `most`, and the optimizer's estimate of more. */
export async function countForGrid(
	session: Session,
	{ most, ...counted }: Counted & { readonly most: number },
	signal: AbortSignal,
): Promise<Count> {
	const value = estimateIn(await session.read(estimateOf(session, counted), signal))
	return value <= most ? countExactly(session, counted, signal) : { value, isExact: false, bound: 'about' }
}
