import { addAbortListener } from 'node:events'
import { Cancelled } from './failure.ts'

/**
 * Opens a resource that the engine holds until it is closed. A cancelled caller does not wait, but the resource is
 * closed as soon as its id arrives, instead of remaining until it expires.
 */
export function openHeld<T>(
	open: (signal: AbortSignal) => Promise<T>,
	close: (held: T) => Promise<unknown>,
	signal: AbortSignal,
): Promise<T> {
	if (signal.aborted) return Promise.reject(new Cancelled(false))
	return new Promise((resolve, reject) => {
		const opening = open(new AbortController().signal)
		const listening = addAbortListener(signal, () => {
			reject(new Cancelled(true))
			// The caller has left. A resource that cannot be closed expires.
			opening.then(close).catch(() => {})
		})
		opening.then(resolve, reject).finally(() => listening[Symbol.dispose]())
	})
}
