import { DriverError, type Effect, isWithinEffect } from '@roundhouse/kit'
import type { Withheld } from '../hidden/hidden-columns.ts'
import { snapshotQuery } from '../judge/unchanged.ts'
import { literal } from '../sql/names.ts'
import { driverPath, type Query, type Session } from '../wire/session.ts'
import { type Counts, countChanges, measure, type Observed } from './measure.ts'

/** How long a rehearsal waits for a lock of another session, and how long its statement runs. */
const limitSettings = ['set local lock_timeout to 200', 'set local statement_timeout to 2000']

interface Rehearsed<T> {
	/** Runs the statement in the session. */
	readonly run: () => Promise<T>
	/** Fails if a definition has changed since the judge looked. */
	readonly guard: Query | undefined
	/** Locks the tables of the statement, before the guard runs. Default: nothing */
	readonly lock?: (() => Promise<void>) | undefined
	/** Whether the statement makes a table, which is another one each time. */
	readonly makesTable: boolean
	/** The statement without hidden columns, if a client must not see all. */
	readonly projection?: Withheld | undefined
}

/** Runs a statement, reads what it did, and rolls all back. @throws DriverError of the statement */
export async function rehearse(
	observed: Observed,
	{ run, guard, lock, makesTable, projection }: Rehearsed<unknown>,
	signal: AbortSignal,
): Promise<Effect> {
	const { session, outside } = observed
	const held = guard && (await snapshotOfGuard(outside, guard, signal))
	const begun = await beginAlone(session, signal)
	try {
		const before = await prepare(
			observed,
			{ begun, guard, lock, held, settings: [...limitSettings, ...(projection?.settings ?? [])] },
			signal,
		)
		await run()
		requireOpen(session)
		return await measure(observed, { before, makesTable, hides: projection?.hides }, signal)
	} finally {
		if (session.transaction !== undefined) await session.command('rollback', AbortSignal.timeout(5_000))
	}
}

/**
 * Runs a statement, and commits it if its effect is within the one that the user agreed to.
 * @returns the result, or the effect that was rolled back because it goes beyond
 */
export async function commitWithin<T>(
	observed: Observed,
	{ run, guard, lock, makesTable, projection, within }: Rehearsed<T> & { readonly within: Effect },
	signal: AbortSignal,
): Promise<{ readonly result: T } | { readonly exceeded: Effect }> {
	const { session, outside } = observed
	const held = guard && (await snapshotOfGuard(outside, guard, signal))
	const begun = await beginAlone(session, signal)
	try {
		const before = await prepare(observed, { begun, guard, lock, held, settings: projection?.settings }, signal)
		const result = await run()
		requireOpen(session)
		const effect = await measure(observed, { before, makesTable, hides: projection?.hides }, signal)
		if (!isWithinEffect(effect, within)) return { exceeded: effect }
		await session.command('commit', signal)
		return { result }
	} finally {
		if (session.transaction !== undefined) await session.command('rollback', AbortSignal.timeout(5_000))
	}
}

interface Begun {
	/** Whether each statement sees what was committed before it. */
	readonly seesCommitted: boolean
	/** Whether the server counts changes of rows. */
	readonly isCounting: boolean
	/** What restores the settings of the session that the guard replaces. A user may have set others than the role's. */
	readonly restored: string
}

/** Begins a transaction. In an open one the server only warns, and its end would be that of the user's. */
async function beginAlone(session: Session, signal: AbortSignal): Promise<Begun> {
	const { notices, rows } = await session.begin(signal, { sql: `select ${settingsSql}` })
	if (notices.length > 0) throw new DriverError('query_failed', 'A transaction is open here: a rollback undoes it.')
	const [path, jit, counting, isolation] = rows[0] ?? []
	const restore = (name: string, value: string | null | undefined) =>
		`pg_catalog.set_config('${name}', ${literal(value ?? '')}, true)`
	return {
		seesCommitted: isolation === 'read committed',
		isCounting: counting === 'on',
		restored: `select ${restore('search_path', path)}, ${restore('jit', jit)}`,
	}
}

const settingsSql =
	"pg_catalog.current_setting('search_path'), pg_catalog.current_setting('jit'), pg_catalog.current_setting('track_counts'), pg_catalog.current_setting('transaction_isolation')"

interface Preparation extends Pick<Rehearsed<unknown>, 'guard' | 'lock'> {
	readonly begun: Begun
	/** The snapshot in which the guard held in another session. */
	readonly held: string | undefined
	/** Limits of a rehearsal, and what a statement beside hidden columns needs. */
	readonly settings?: readonly string[] | undefined
}

/** Locks, runs the guard on the path of the driver, and counts. */
async function prepare(
	{ session, outside }: Observed,
	{ begun: { seesCommitted, isCounting, restored }, guard, lock, held, settings = [] }: Preparation,
	signal: AbortSignal,
): Promise<Counts> {
	if (!isCounting) throw new DriverError('unsupported', 'The server counts no changes: track_counts is off.')
	if (!guard) return countChanges(session, signal, settings)
	if (settings.length > 0) await session.command(settings.join('; '), signal)
	await lock?.()
	if (!seesCommitted) {
		await outside.readAll([], signal, { guard })
		return countChanges(session, signal)
	}
	const { rows } = await session.query(snapshotQuery, signal)
	// A new session takes longer to plan the guard than the pooled one to run it.
	if (held !== undefined && rows[0]?.[0] === held) return countChanges(session, signal)
	// To compile a query of the catalogs takes longer than to run it.
	await session.command(`set local jit to off; set local search_path to ${driverPath}`, signal)
	await session.query(guard, signal)
	return countChanges(session, signal, [restored])
}

/** Returns the snapshot before the guard held in another session, if the server has one. @throws DriverError of the guard */
async function snapshotOfGuard(outside: Session, guard: Query, signal: AbortSignal): Promise<string | undefined> {
	const [before] = await outside.readAll([], signal, { first: snapshotQuery, guard })
	return before?.rows[0]?.[0] ?? undefined
}

function requireOpen(session: Session): void {
	if (session.transaction !== 'open') throw new DriverError('query_failed', 'The statement has ended its transaction.')
}
