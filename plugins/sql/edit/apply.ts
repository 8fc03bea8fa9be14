import { type Change, type ChangeOutcome, isDriverError } from '@roundhouse/kit'

/** How an engine saves changes in one transaction. */
export interface Saving {
	/** Whether the values are read before the commit, for a server that changes nothing at it. */
	readonly readsBackFirst?: boolean
	begin(signal: AbortSignal): Promise<void>
	/** Applies one change. @throws DriverError if the save cannot go on */
	apply(change: Change, signal: AbortSignal): Promise<ChangeOutcome>
	rollback(signal: AbortSignal): Promise<void>
	/** Commits. It does not throw what the server says: that is in the result. */
	commit(signal: AbortSignal): Promise<Committed>
	/**
	 * Adds the values that the server has stored: it rounds, and triggers and generated columns compute. The version in them
	 * must be that of this save.
	 */
	withValues(outcomes: readonly ChangeOutcome[], signal: AbortSignal): Promise<readonly ChangeOutcome[]>
}

/**
 * The end of a transaction. `unknown`: the connection was lost before an answer. `failed`: the server has refused it, with
 * a message.
 */
export type Committed =
	| { readonly end: 'committed' | 'rolled back' }
	| { readonly end: 'unknown' | 'failed'; readonly message: string }

/** The change was not tried. */
export const notSent: ChangeOutcome = { status: 'not_sent' }

/** A cancelled save that was committed is still read back for this long, less than the host waits for its outcomes. */
const readBackMs = 2_000

/** Applies all changes in one transaction, or none. @throws the reason of the signal, if none was applied */
export async function applyTogether(
	saving: Saving,
	changes: readonly Change[],
	signal: AbortSignal,
): Promise<readonly ChangeOutcome[]> {
	const outcomes: ChangeOutcome[] = []
	const failedAt = (outcome: ChangeOutcome) => [
		...outcomes.map(() => notSent),
		outcome,
		...changes.slice(outcomes.length + 1).map(() => notSent),
	]
	try {
		await saving.begin(signal)
		for (const change of changes) {
			const outcome = await saving.apply(change, signal)
			if (outcome.status !== 'applied') {
				await saving.rollback(signal)
				return failedAt(outcome)
			}
			outcomes.push(outcome)
		}
	} catch (error) {
		// Nothing was committed, so the server rolls back.
		signal.throwIfAborted()
		if (!isDriverError(error)) throw error
		return failedAt({ status: 'failed', message: `${error.message} Nothing was saved.` })
	}
	const first = saving.readsBackFirst ? await saving.withValues(outcomes, signal).catch(() => undefined) : undefined
	const committed = outcomesAt(await saving.commit(signal), first ?? outcomes, signal)
	if (first) return committed
	// The save is done, so a failure to read it back changes no outcome.
	return saving.withValues(committed, later(signal, readBackMs)).catch(() => committed)
}

function outcomesAt(
	committed: Committed,
	outcomes: readonly ChangeOutcome[],
	signal: AbortSignal,
): readonly ChangeOutcome[] {
	const all = (outcome: ChangeOutcome) => outcomes.map(() => outcome)
	switch (committed.end) {
		case 'committed':
			return outcomes
		case 'unknown':
			return all({ status: 'unknown', message: `${committed.message} The server may have saved the changes.` })
		case 'failed':
			return all({ status: 'failed', message: committed.message })
		case 'rolled back':
			if (signal.aborted) return all(notSent)
			return all({ status: 'failed', message: 'The server rolled the transaction back.' })
	}
}

/** Returns a signal that aborts some time after another one. */
function later(signal: AbortSignal, ms: number): AbortSignal {
	const controller = new AbortController()
	const abort = () => void setTimeout(() => controller.abort(), ms).unref()
	if (signal.aborted) abort()
	else signal.addEventListener('abort', abort, { once: true })
	return controller.signal
}
