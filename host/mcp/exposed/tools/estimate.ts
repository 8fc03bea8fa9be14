import type { Assessment, Fault, Statement } from '@roundhouse/kit'
import type { ClientSession } from '../../access/client-session.ts'
import { printableEffect } from '../../consent/effect-words.ts'
import type { Assessed } from '../../consent/question.ts'
import type { McpCall } from '../../protocol/method.ts'
import { printable } from '../../protocol/printable.ts'
import type { Services } from '../framework/services.ts'
import { withTimeLimit } from './time-limit.ts'

/** A short limit, because the user waits for the question and not for the estimate. */
const estimateTimeoutSeconds = 5

/** Returns the effect of a statement, by a rehearsal if that is allowed and the driver can. */
export function assessStatement(
	session: ClientSession,
	asked: { readonly statement: Statement; readonly rehearses: boolean },
	call: McpCall,
	services: Pick<Services, 'clock'>,
): Promise<Assessed & { readonly fault?: Fault }> {
	return estimate(signal => session.call('assess', asked, { signal }), call, services)
}

/** Returns what is read for a question, or `undefined` if that fails or takes too long. */
export async function inTime<T>(
	read: (signal: AbortSignal) => Promise<T>,
	{ signal }: McpCall,
	{ clock }: Pick<Services, 'clock'>,
): Promise<T | undefined> {
	try {
		return await withTimeLimit({ clock, seconds: estimateTimeoutSeconds, signal }, read)
	} catch {
		signal.throwIfAborted()
		return undefined
	}
}

/**
 * Returns the effect of a write before it runs. If the driver cannot tell or takes too long, it is undetermined.
 */
export async function estimate(
	assess: (signal: AbortSignal) => Promise<Assessment>,
	{ signal }: McpCall,
	{ clock }: Pick<Services, 'clock'>,
): Promise<Assessed & { readonly fault?: Fault }> {
	try {
		const { affects, destroys, held, scope, effect, unrehearsed, fault } = await withTimeLimit(
			{ clock, seconds: estimateTimeoutSeconds, signal },
			assess,
		)
		if (fault) return { fault }
		return {
			...(effect && { effect: printableEffect(effect) }),
			...(unrehearsed !== undefined && { unrehearsed: printable(unrehearsed) }),
			...(affects && { affects }),
			...(destroys !== undefined && { destroys: printable(destroys) }),
			...(held && { held }),
			...(scope !== undefined && { scope }),
		}
	} catch {
		signal.throwIfAborted()
		return { isUndetermined: true }
	}
}
