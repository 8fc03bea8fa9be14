import { Cancelled } from './failure.ts'

/**
 * Opens what the engine keeps until it is told otherwise. A caller that is stopped meanwhile does not wait; but what was
 * opened for it is closed as soon as its name comes, instead of lying there until it expires.
 */
export function openHeld<T>(
	open: (signal: AbortSignal) => Promise<T>,
	close: (held: T) => Promise<unknown>,
	signal: AbortSignal,
): Promise<T> {
	if (signal.aborted) return Promise.reject(new Cancelled(false))
	return new Promise((resolve, reject) => {
		const opening = open(new AbortController().signal)
		signal.addEventListener('abort', onAbort, { once: true })
		opening.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))

		function onAbort() {
			reject(new Cancelled(true))
			// Nobody waits any more, and what cannot be closed expires.
			opening.then(close).catch(() => {})
		}
	})
}
