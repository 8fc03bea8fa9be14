import type { Assessment } from '@roundhouse/kit'
import type { Effect } from '../../consent/question.ts'
import type { McpCall } from '../../protocol/method.ts'
import { printable } from '../../protocol/printable.ts'
import type { Services } from '../framework/services.ts'
import { withTimeLimit } from './time-limit.ts'

/** A short limit, because the user waits for the question and not for the estimate. */
const estimateTimeoutSeconds = 5

/**
 * Estimates the effect of a write without running it. If the driver cannot estimate it or takes too long, the effect is
 * undetermined.
 */
export async function estimate(
	assess: (signal: AbortSignal) => Promise<Assessment>,
	{ signal }: McpCall,
	{ clock }: Pick<Services, 'clock'>,
): Promise<Effect> {
	try {
		const { affects, destroys, scope } = await withTimeLimit({ clock, seconds: estimateTimeoutSeconds, signal }, assess)
		return {
			...(affects && { affects }),
			...(destroys !== undefined && { destroys: printable(destroys) }),
			...(scope !== undefined && { scope }),
		}
	} catch {
		signal.throwIfAborted()
		return { isUndetermined: true }
	}
}
