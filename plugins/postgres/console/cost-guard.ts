import { DriverError, isDriverError } from '@roundhouse/kit'
import { snapshotQuery } from '../judge/unchanged.ts'
import type { Query, SearchPath, Session } from '../wire/session.ts'
import { arrayOf } from './volatile.ts'

/** Keeps AI clients from reads that cost the server much, by the planner's estimate. */

interface Plan {
	readonly 'Node Type': string
	readonly 'Plan Rows': number
	readonly 'Relation Name'?: string
	readonly 'Function Name'?: string
	readonly 'Parent Relationship'?: string
	/** Of an Aggregate. */
	readonly Strategy?: string
	readonly Schema?: string
	readonly Plans?: readonly Plan[]
}

interface Scan {
	readonly table: string
	readonly isWhole: boolean
	readonly rows: number
	/** The part of it that a LIMIT above needs, from 0 to 1, by the planner's estimate. */
	readonly share: number
	/** How often it runs. */
	readonly times: number
}

/** Steps that read all of their input before they return a row. */
const blocking = new Set(['Sort', 'Incremental Sort', 'Aggregate', 'Hash', 'WindowAgg', 'SetOp', 'ModifyTable'])

interface Costed {
	readonly query: Query
	readonly path: SearchPath
	readonly guard?: Query | undefined
	readonly limitRows: number | undefined
}

const explain = 'explain (verbose, format json) '

/** Moves the place of an error from a text with something before it to the text itself. */
function placedBefore({ code, message, cause, ...details }: DriverError, length: number): DriverError {
	return new DriverError(code, message, { ...details, cause, at: Math.max(0, (details.at ?? 0) - length) })
}

/**
 * Refuses a read of more rows than the limit. Reads of the user have none. @returns the snapshot
 * in which the guard held, if the server has one @throws DriverError `denied` with the cheaper way
 */
export async function refuseExpensive(
	session: Session,
	{ query, path, guard, limitRows }: Costed,
	signal: AbortSignal,
): Promise<string | undefined> {
	if (limitRows === undefined) return undefined
	const { most, ...rest } = query
	const planned = { ...rest, sql: `${explain}${query.sql}`, explained: query.explained ?? query.sql }
	const [before, { rows } = { rows: [] }] = await session
		.readAll([planned], signal, { path, guard, first: snapshotQuery })
		.catch(error => {
			throw isDriverError(error) && error.at !== undefined ? placedBefore(error, explain.length) : error
		})
	const plan: Plan | undefined = JSON.parse(rows[0]?.[0] ?? '[]')[0]?.Plan
	const scans = plan ? scansOf(plan, { share: 1, times: 1 }) : []
	const sizes = await sizesOf(session, scans, signal)
	for (const { table, isWhole, rows, share, times } of scans) {
		const read = (isWhole ? Math.max(rows, (sizes.get(table) ?? 0) * times) : rows) * share
		if (read <= limitRows) continue
		const about = Math.round(read).toLocaleString('en')
		throw new DriverError(
			'denied',
			`This reads about ${about} rows of ${table}, and AI clients may read ${limitRows.toLocaleString('en')} at once (mcp.costLimitRows in the settings). Filter by a column with an index, or use LIMIT without a sort. The user can run it in the window.`,
		)
	}
	return before?.rows[0]?.[0] ?? undefined
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

interface Above {
	/** The part of its rows that the steps above need, from 0 to 1. */
	readonly share: number
	readonly times: number
}

/**
 * Returns how often a part runs for each run of its step, if all rows of the step are needed: a subquery for each row, the
 * inner side of a loop for each outer row. `undefined` for a part that runs once.
 */
function repeats(part: Plan, step: Plan, outer: Plan | undefined): number | undefined {
	if (part['Parent Relationship'] === 'SubPlan') return (outer && outer !== part ? outer : step)['Plan Rows']
	const isInner = part['Parent Relationship'] === 'Inner' && step['Node Type'] === 'Nested Loop'
	return isInner ? outer?.['Plan Rows'] : undefined
}

/** Sorted rows are grouped as they come. */
const isBlocking = ({ 'Node Type': type, Strategy: strategy }: Plan) =>
	blocking.has(type) && !(type === 'Aggregate' && strategy === 'Sorted')

/** Returns which part of the rows of a part its step needs. A LIMIT has the rows that it returns as its own estimate. */
function neededOf(part: Plan, step: Plan, { share }: Above): number {
	if (isBlocking(step)) return 1
	if (step['Node Type'] !== 'Limit') return share
	return share * Math.min(1, step['Plan Rows'] / Math.max(1, part['Plan Rows']))
}

/** @param above a LIMIT above ends the step early: the planner expects that it then reads this part of its rows */
function scansOf(plan: Plan, above: Above): readonly Scan[] {
	const { share, times } = above
	const rowsHere = plan['Plan Rows']
	const { 'Relation Name': relation, Schema: schema, 'Function Name': called } = plan
	const isWhole = /^(Parallel )?Seq Scan$/.test(plan['Node Type'])
	const name = relation === undefined ? called : `${schema}.${relation}`
	// What a function in the list of a SELECT makes, and each round of a recursion, come from no table.
	const makes = name ?? (/^(?:ProjectSet|Recursive Union)$/.test(plan['Node Type']) ? 'what it computes' : undefined)
	const own = makes === undefined ? [] : [{ table: makes, isWhole, rows: rowsHere * times, share, times }]
	const [outer] = plan.Plans ?? []
	const below = (part: Plan): Above => {
		const needed = neededOf(part, plan, above)
		const each = repeats(part, plan, outer)
		if (each === undefined) return { share: needed, times }
		// The last run may end early, and no run before it.
		const runs = Math.max(1, each) * needed
		return { share: Math.min(1, runs), times: times * Math.max(1, runs) }
	}
	return [...own, ...(plan.Plans ?? []).flatMap(part => scansOf(part, below(part)))]
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
