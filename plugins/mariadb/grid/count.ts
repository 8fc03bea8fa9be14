import type { Count, GridQuery } from '@roundhouse/kit'
import type { Shape } from '../catalog/shape.ts'
import { conditionOf } from '../sql/conditions.ts'
import { qualified } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'

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

/** Returns the query of the optimizer's estimate. */
export const estimateSql = (counted: Counted): string =>
	`explain format=json select 1 from ${qualified(counted.shape.place)}${whereOf(counted)}`

/** Returns the estimate in the answer to {@link estimateSql}: the product of rows and filters of its tables. */
export function estimateIn(plan: string): number {
	let rows = 1
	const walk = (value: unknown): void => {
		if (typeof value !== 'object' || value === null) return
		if ('table' in value && typeof value.table === 'object' && value.table !== null) {
			const table = value.table as Readonly<Record<string, unknown>>
			const read = Number(table.rows ?? table.rows_examined_per_scan ?? table.rows_produced_per_join ?? 1)
			rows *= read * (Number(table.filtered ?? 100) / 100)
		}
		for (const part of Object.values(value)) walk(part)
	}
	try {
		walk(JSON.parse(plan))
	} catch {
		return 0
	}
	return Math.max(0, Math.round(rows))
}

/** Returns the exact number of rows up to `most`, and the optimizer's estimate of more. */
export async function countForGrid(
	session: Session,
	{ most, ...counted }: Counted & { readonly most: number },
	signal: AbortSignal,
): Promise<Count> {
	const { rows } = await session.read({ sql: estimateSql(counted) }, signal)
	const value = estimateIn(String(rows[0]?.[0] ?? ''))
	return value <= most ? countExactly(session, counted, signal) : { value, isExact: false, bound: 'about' }
}
