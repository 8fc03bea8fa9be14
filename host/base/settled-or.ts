/** The work's outcome, or the signal's reason where that comes first; the work itself goes on. */
export function settledOr<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	const { promise, reject } = Promise.withResolvers<never>()
	const abort = () => reject(signal.reason)
	signal.addEventListener('abort', abort, { once: true })
	if (signal.aborted) abort()
	return Promise.race([promise, work]).finally(() => signal.removeEventListener('abort', abort))
}
