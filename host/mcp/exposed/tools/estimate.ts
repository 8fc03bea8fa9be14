import type { Statement } from '@roundhouse/kit'
import type { ClientSession } from '../../access/client-session.ts'
import type { Estimate } from '../../consent/question.ts'
import type { McpCall } from '../../protocol/method.ts'
import { printable } from '../../protocol/printable.ts'
import type { Services } from '../framework/services.ts'
import { withTimeLimit } from './time-limit.ts'

/** A person waits for the question, and nobody for the estimate. */
const patienceSeconds = 5

/**
 * What a statement would touch and destroy, as far as the engine can tell without doing it. A driver that cannot tell, or
 * takes too long, leaves the question without it; it is never a reason not to ask.
 */
export async function estimate(
	session: ClientSession,
	statement: Statement,
	{ signal }: McpCall,
	{ clock }: Pick<Services, 'clock'>,
): Promise<Estimate> {
	try {
		const { affects, destroys } = await withTimeLimit(clock, patienceSeconds, signal, limited =>
			session.call('assess', { statement }, { signal: limited }),
		)
		return { ...(affects && { affects }), ...(destroys !== undefined && { destroys: printable(destroys) }) }
	} catch {
		signal.throwIfAborted()
		return {}
	}
}
