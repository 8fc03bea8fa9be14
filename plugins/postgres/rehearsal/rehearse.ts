import { DriverError, type Effect, isWithinEffect } from '@roundhouse/kit'
import { literal } from '../sql/names.ts'
import { ownPath, type Query, type Session } from '../wire/session.ts'
import { type Counts, countChanges, measure, type Observed } from './measure.ts'

/** How long a rehearsal waits for a lock of another session, and how long its statement runs. */
const limits = { lockMs: 200, statementMs: 2_000 }

interface Rehearsed<T> {
	/** Runs the statement in the session. */
	readonly run: () => Promise<T>
	/** Fails if a definition has changed since the judge looked. */
	readonly guard: Query | undefined
}

/** Runs a statement, reads what it did, and rolls all back. @throws DriverError of the statement */
export async function rehearse(
	observed: Observed,
	{ run, guard }: Rehearsed<unknown>,
	signal: AbortSignal,
): Promise<Effect> {
	const { session } = observed
	await beginAlone(session, signal)
	try {
		const before = await prepare(session, guard, signal, [
			`set local lock_timeout to ${limits.lockMs}`,
			`set local statement_timeout to ${limits.statementMs}`,
		])
		await run()
		await checkConstraints(session, signal)
		return await measure(observed, before, signal)
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
	{ run, guard, within }: Rehearsed<T> & { readonly within: Effect },
	signal: AbortSignal,
): Promise<{ readonly result: T } | { readonly exceeded: Effect }> {
	const { session } = observed
	await beginAlone(session, signal)
	try {
		const before = await prepare(session, guard, signal)
		const result = await run()
		await checkConstraints(session, signal)
		const effect = await measure(observed, before, signal)
		if (!isWithinEffect(effect, within)) return { exceeded: effect }
		await session.command('commit', signal)
		return { result }
	} finally {
		if (session.transaction !== undefined) await session.command('rollback', AbortSignal.timeout(5_000))
	}
}

/** Begins a transaction. In an open one the server only warns, and its end would be that of the user's. */
async function beginAlone(session: Session, signal: AbortSignal): Promise<void> {
	const { notices } = await session.command('begin', signal)
	if (notices.length > 0) throw new DriverError('query_failed', 'A transaction is open here: a rollback undoes it.')
}

/** Runs the guard on the path of the driver, and counts. */
async function prepare(
	session: Session,
	guard: Query | undefined,
	signal: AbortSignal,
	settings: readonly string[] = [],
): Promise<Counts> {
	const { rows } = await session.query({ sql: "select pg_catalog.current_setting('search_path')" }, signal)
	await session.command([...settings, `set local search_path to ${ownPath}`].join('; '), signal)
	if (guard) await session.query(guard, signal)
	const before = await countChanges(session, signal)
	// A console's session may have a path of the user that is not its role's.
	const path = literal(rows[0]?.[0] ?? '')
	await session.command(`select pg_catalog.set_config('search_path', ${path}, true)`, signal)
	return before
}

/** What is checked at the end of a transaction is checked now, and its triggers run. */
async function checkConstraints(session: Session, signal: AbortSignal): Promise<void> {
	if (session.transaction !== 'open') throw new DriverError('query_failed', 'The statement has ended its transaction.')
	await session.command('set constraints all immediate', signal)
}
