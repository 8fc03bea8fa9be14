import { DriverError } from '@roundhouse/kit'
import { requireOneCondition } from '@roundhouse/sql'
import { judge } from '../judge/judge.ts'
import { readingOf } from '../judge/reading.ts'
import { tokensOf } from '../sql/lexer.ts'
import { parseName, qualified } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'

interface Checked {
	/** A condition that the user or an AI client typed. */
	readonly raw: string | undefined
	readonly table: string
	readonly isForClient: boolean
	/** The database of the connection. */
	readonly main: string | undefined
}

/**
 * Checks that a typed condition is one condition that only reads, and for an AI client also that the table is. @throws
 * DriverError `invalid_argument`, or `denied` with the reason
 */
export async function requireKnown(
	{ raw, table, isForClient, main }: Checked,
	using: <T>(work: (session: Session, signal: AbortSignal) => Promise<T>) => Promise<T>,
): Promise<void> {
	const condition = raw?.trim() ? raw : undefined
	if (condition !== undefined) requireReading(condition)
	if (!isForClient) return
	const { database, ...place } = parseName(table, main)
	const where = condition === undefined ? '' : ` where (${condition}\n)`
	const sql = `select 1 from ${qualified({ database, ...place })}${where}`
	const { reason } = await using((session, signal) => judge(session, sql, { database, signal }))
	if (reason !== undefined) throw new DriverError('denied', `${reason} The user can do it in the window.`)
}

/** @throws DriverError `invalid_argument` */
function requireReading(raw: string): void {
	requireOneCondition(raw, { tokensOf: text => tokensOf(text) })
	// In brackets, no clause can follow it.
	const { reason } = readingOf(`select 1 from t where (${raw}\n)`)
	if (reason !== undefined) throw new DriverError('invalid_argument', `The condition may change data. ${reason}`)
}
