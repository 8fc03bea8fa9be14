/** Calls a function once when the signal aborts, at once if it has. Dispose the returned value to stop listening. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): Disposable {
	if (signal?.aborted) listener()
	else signal?.addEventListener('abort', listener, { once: true })
	return { [Symbol.dispose]: () => signal?.removeEventListener('abort', listener) }
}

/**
 * Returns the outcome of the work, or rejects with the signal's reason if it aborts first. The work itself continues.
 */
export async function raced<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
	const { promise, reject } = Promise.withResolvers<never>()
	using _ = onAbort(signal, () => reject(signal.reason))
	return await Promise.race([promise, work])
}
