import { DriverError } from '@roundhouse/kit'
import type { Query as PlainQuery } from '@roundhouse/sql'
import type { Session } from '../wire/session.ts'

/** The tables of a plan, with the rows that the optimizer expects to read of each. */
function scansOf(plan: unknown, times = 1): readonly { readonly table: string; readonly rows: number }[] {
	if (Array.isArray(plan)) {
		// The tables of a nested loop: each is read once for each row of those before it.
		let outer = times
		return plan.flatMap(part => {
			const found = scansOf(part, outer)
			const [only] = found
			if (found.length === 1 && only) outer = Math.max(outer, only.rows)
			return found
		})
	}
	if (typeof plan !== 'object' || plan === null) return []
	const { table, ...others } = plan as Readonly<Record<string, unknown>>
	const own = typeof table === 'object' && table !== null ? tableOf(table, times) : []
	return [...own, ...Object.values(others).flatMap(part => scansOf(part, times))]
}

function tableOf(found: object, times: number) {
	const {
		table_name: name,
		rows,
		rows_examined_per_scan: perScan,
		...rest
	} = found as Readonly<Record<string, unknown>>
	const inside = Object.values(rest).flatMap(part => scansOf(part, times))
	const read = Number(perScan ?? rows ?? 0) * times
	return [...(typeof name === 'string' ? [{ table: name, rows: read }] : []), ...inside]
}

/** Refuses a read of an AI client that costs too much. @throws DriverError `denied` with the cheaper way */
export async function refuseExpensive(
	session: Session,
	{ sql }: PlainQuery,
	limitRows: number,
	signal: AbortSignal,
): Promise<void> {
	const { rows } = await session.read({ sql: `explain format=json ${sql}` }, signal)
	const limit = Number(/\blimit (\d+)(?: offset \d+)?$/.exec(sql)?.[1] ?? Number.POSITIVE_INFINITY)
	const isSorted = String(rows[0]?.[0]).includes('filesort')
	for (const { table, rows: read } of scansOf(JSON.parse(String(rows[0]?.[0] ?? '{}')))) {
		// A limit ends the read early, unless all rows are sorted first.
		const needed = isSorted ? read : Math.min(read, limit)
		if (needed <= limitRows) continue
		const about = Math.round(needed).toLocaleString('en')
		throw new DriverError(
			'denied',
			`This reads about ${about} rows of ${table}, and AI clients may read ${limitRows.toLocaleString('en')} at once. Filter by a column with an index, or use LIMIT without a sort. The user can run it in the window.`,
		)
	}
}
