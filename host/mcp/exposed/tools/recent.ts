import type { ConnectionCall } from '../framework/define-tool.ts'
import type { RecentQuery } from '../framework/recent-queries.ts'

/** Runs a statement or changes, and adds them to the recent queries of the client, with how they ended. */
export async function noted<T>(
	what: Pick<RecentQuery, 'statement' | 'access'>,
	{ call, connection, services: { clock, gate, recentQueries } }: ConnectionCall,
	run: () => Promise<T>,
): Promise<T> {
	const startedAt = clock.now()
	const hidden = gate.hiddenMarks(connection.id)
	const note = (outcome: RecentQuery['outcome']) =>
		recentQueries.add({
			...what,
			connectionId: connection.id,
			grantee: call.caller.grantee,
			ranAt: new Date(startedAt).toISOString(),
			tookMs: clock.now() - startedAt,
			outcome,
			hidden,
		})
	try {
		const result = await run()
		note('done')
		return result
	} catch (error) {
		note('failed')
		throw error
	}
}
