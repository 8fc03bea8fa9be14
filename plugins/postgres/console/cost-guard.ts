import { DriverError, isDriverError } from '@roundhouse/kit'
import type { Query, Session } from '../wire/session.ts'
import { arrayOf } from './volatile.ts'

/** Keeps AI clients from reads that cost the server much, by the planner's estimate. */

interface Plan {
	readonly 'Node Type': string
	readonly 'Plan Rows': number
	readonly 'Relation Name'?: string
	readonly Schema?: string
	readonly Plans?: readonly Plan[]
}

interface Scan {
	readonly table: string
	readonly isWhole: boolean
	readonly rows: number
}

/** Steps that read all of their input before they return a row. */
const blocking = new Set([
	'Sort',
	'Incremental Sort',
	'Aggregate',
	'Hash',
	'Materialize',
	'WindowAgg',
	'SetOp',
	'ModifyTable',
])

/**
 * Refuses a read of more rows than the limit. Reads of the user have none. @throws DriverError `denied` with the cheaper
 * way
 */
export async function refuseExpensive(
	session: Session,
	{ query, limitRows }: { readonly query: Query; readonly limitRows: number | undefined },
	signal: AbortSignal,
): Promise<void> {
	if (limitRows === undefined || !/^\s*(select|with|values|table)\b/i.test(query.sql)) return
	const { most, ...rest } = query
	const { rows } = await session.read({ ...rest, sql: `explain (verbose, format json) ${query.sql}` }, signal)
	const plan: Plan | undefined = JSON.parse(rows[0]?.[0] ?? '[]')[0]?.Plan
	const scans = plan ? scansOf(plan, false) : []
	const sizes = await sizesOf(session, scans, signal)
	for (const { table, isWhole, rows } of scans) {
		const read = isWhole ? Math.max(rows, sizes.get(table) ?? 0) : rows
		if (read <= limitRows) continue
		const about = Math.round(read).toLocaleString('en')
		throw new DriverError(
			'denied',
			`This reads about ${about} rows of ${table}, and AI clients may read ${limitRows.toLocaleString('en')} at once. Filter by a column with an index, or use LIMIT without a sort. The user can run it in the window.`,
		)
	}
}

/** Returns whether {@link refuseExpensive} refuses a read. */
export async function isExpensive(...parts: Parameters<typeof refuseExpensive>): Promise<boolean> {
	try {
		await refuseExpensive(...parts)
		return false
	} catch (error) {
		if (isDriverError(error) && error.code === 'denied') return true
		throw error
	}
}

/** @param isLimited whether a LIMIT above ends the step early */
function scansOf(plan: Plan, isLimited: boolean): readonly Scan[] {
	const isStopped = plan['Node Type'] === 'Limit' || (isLimited && !blocking.has(plan['Node Type']))
	const { 'Relation Name': name, Schema: schema } = plan
	const isWhole = /^(Parallel )?Seq Scan$/.test(plan['Node Type'])
	const own = name === undefined || isLimited ? [] : [{ table: `${schema}.${name}`, isWhole, rows: plan['Plan Rows'] }]
	return [...own, ...(plan.Plans ?? []).flatMap(part => scansOf(part, isStopped))]
}

/** A filter makes the estimate of a step smaller than what it reads. */
async function sizesOf(
	session: Session,
	scans: readonly Scan[],
	signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
	const tables = scans.filter(({ isWhole }) => isWhole).map(({ table }) => table)
	if (tables.length === 0) return new Map()
	const sql = `select n.nspname || '.' || c.relname, greatest(c.reltuples, 0)::numeric from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname || '.' || c.relname = any ($1)`
	const { rows } = await session.read({ sql, values: [arrayOf(tables)] }, signal)
	return new Map(rows.map(([table, count]) => [table ?? '', Number(count)]))
}
