import { DriverError } from '@roundhouse/kit'
import type { Session } from '../wire/session.ts'
import { examinedRows } from './explain.ts'

/** Refuses a read of an AI client that costs too much. @throws DriverError `denied` with the cheaper way */
export async function refuseExpensive(
	session: Session,
	sql: string,
	limitRows: number,
	signal: AbortSignal,
): Promise<void> {
	const read = await examinedRows(session, { sql }, signal)
	if (read <= limitRows) return
	const about = Math.round(read).toLocaleString('en')
	throw new DriverError(
		'denied',
		`This reads about ${about} rows, and AI clients may read ${limitRows.toLocaleString('en')} at once (mcp.costLimitRows in the settings). Filter by a column with an index, or use LIMIT without a sort. The user can run it in the window.`,
	)
}
