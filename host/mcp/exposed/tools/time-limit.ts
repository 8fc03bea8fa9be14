import { DriverError } from '@roundhouse/kit'
import type { Clock } from '../../protocol/clock.ts'

/** docs/mcp.md, "Results": this limit causes a tool error, unlike the deadline of the handler. */
export const defaultTimeoutSeconds = 30
export const maxTimeoutSeconds = 300

interface TimeLimit {
	readonly clock: Clock
	readonly seconds: number
	readonly signal: AbortSignal
	/** What to do, added to the message. */
	readonly advice?: string | undefined
}

/** Runs a function with a signal that also aborts at the time limit. @throws DriverError `timeout` */
export async function withTimeLimit<T>(
	{ clock, seconds, signal, advice }: TimeLimit,
	run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const timeUp = new AbortController()
	const { promise: expired, reject } = Promise.withResolvers<never>()
	const stop = clock.after(seconds * 1000, () => {
		const time = seconds === 1 ? '1 second' : `${seconds} seconds`
		const sentences = [`The statement ran longer than ${time} and was stopped.`, advice]
		reject(new DriverError('timeout', sentences.filter(Boolean).join(' ')))
		timeUp.abort()
	})
	try {
		return await Promise.race([run(AbortSignal.any([signal, timeUp.signal])), expired])
	} finally {
		stop()
	}
}
