import { setImmediate } from 'node:timers/promises'
import type { Sessions } from '../connection.ts'
import type { TextRow } from '../text/session.ts'
import type { DialectSession, TakeRow } from './dialect.ts'

/** What an engine needs that runs in the driver's own process: it has one session, and answers at once. */

/** Returns the sessions of a connection that has one. @param end called when the connection is closed */
export const oneSession = <Session extends DialectSession>(
	session: Session,
	end: () => Promise<void>,
): Sessions<Session> => ({
	using: async ({ signal }, work) => {
		signal.throwIfAborted()
		return work(session, signal)
	},
	open: async () => session,
	close: end,
})

/** Hands rows over. Other calls, and a cancel, have their turn between rows. */
export async function eachRow(rows: Iterable<TextRow>, take: TakeRow, signal: AbortSignal): Promise<void> {
	let sinceTurn = performance.now()
	for (const row of rows) {
		const wait = take(row)
		if (wait) await wait
		if (performance.now() - sinceTurn < longestTurnMs) continue
		await setImmediate()
		signal.throwIfAborted()
		sinceTurn = performance.now()
	}
}

const longestTurnMs = 20
