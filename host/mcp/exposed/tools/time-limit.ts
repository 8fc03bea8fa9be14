import { DriverError, isDriverError } from '@roundhouse/kit'
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
	/** Waits for how a stopped write ends: it may have been applied. The error then has the engine's code, if any. */
	readonly awaitsEnd?: boolean
}

/** Runs a function with a signal that also aborts at the time limit. @throws DriverError `timeout` */
export async function withTimeLimit<T>(
	{ clock, seconds, signal, advice, awaitsEnd = false }: TimeLimit,
	run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const timeUp = new AbortController()
	const time = seconds === 1 ? '1 second' : `${seconds} seconds`
	const words = [`The statement ran longer than ${time} and was stopped.`, advice].filter(Boolean).join(' ')
	const { promise: expired, reject } = Promise.withResolvers<never>()
	const stop = clock.after(seconds * 1000, () => {
		if (!awaitsEnd) reject(new DriverError('timeout', words))
		timeUp.abort()
	})
	try {
		return await Promise.race([run(AbortSignal.any([signal, timeUp.signal])), expired])
	} catch (error) {
		const isStopped = awaitsEnd && timeUp.signal.aborted && isDriverError(error) && error.code === 'user_cancelled'
		throw isStopped ? new DriverError('timeout', words, error) : error
	} finally {
		stop()
	}
}
