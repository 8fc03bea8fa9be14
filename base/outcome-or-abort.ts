/**
 * Returns the outcome of the work, or rejects with the signal's reason if it aborts first. The work itself continues.
 */
export function outcomeOrAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	const { promise, reject } = Promise.withResolvers<never>()
	const abort = () => reject(signal.reason)
	signal.addEventListener('abort', abort, { once: true })
	if (signal.aborted) abort()
	return Promise.race([promise, work]).finally(() => signal.removeEventListener('abort', abort))
}
