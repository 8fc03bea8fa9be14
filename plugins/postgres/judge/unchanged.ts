import { isDriverError } from '@roundhouse/kit'
import type { Query } from '../wire/session.ts'

/**
 * Tells by two short queries that a guard would still hold: if the same transactions are committed as when it ran, then no
 * definition has changed. What changes a definition has a transaction id, and its commit changes the snapshot.
 */

/**
 * The snapshot of a primary server. A standby names no transactions in progress, so two of its snapshots with one text can
 * differ: there it is null, and only the guard tells.
 */
export const snapshotQuery: Query = {
	sql: 'select case when not pg_catalog.pg_is_in_recovery() then pg_catalog.pg_current_snapshot()::pg_catalog.text end',
}

const committedMark = 'another transaction has committed since the definitions were compared'

/** Returns a query without use of its rows that fails unless the snapshot is still this one. It takes the place of a guard. */
export const unchangedSince = (snapshot: string): Query => ({
	sql: `select (case when pg_catalog.pg_current_snapshot()::pg_catalog.text operator(pg_catalog.=) $1 then '1' else '${committedMark}' end)::pg_catalog.int4`,
	values: [snapshot],
})

export const isCommittedSince = (error: unknown): boolean =>
	isDriverError(error) && error.engineCode === '22P02' && error.message.includes(committedMark)
