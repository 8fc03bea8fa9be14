import type { Records } from './records.ts'

/**
 * Runs work that only one window at a time may do, because all windows share staged changes: after taking the changes
 * of the others, and until they can know of this window's.
 * @throws Error if another window is doing it
 */
export function oneWindow<T>(name: string, records: Pick<Records, 'settle'>, work: () => Promise<T>): Promise<T> {
	return navigator.locks.request(name, { ifAvailable: true }, async lock => {
		if (!lock) throw new Error('Another window is saving these changes.')
		await records.settle()
		try {
			return await work()
		} finally {
			await records.settle()
		}
	})
}

const nameOf = (window: string) => `window ${window}`
const held = new Set<string>()

/** Tells the other windows that a window is open, until it is left. */
export function holdWindow(window: string): void {
	if (held.has(window)) return
	held.add(window)
	const left = new Promise<unknown>(resolve => addEventListener('pagehide', resolve, { once: true }))
	void navigator.locks.request(nameOf(window), () => left)
}

/** Runs work for a window that is closed, which no other window does at the same time. */
export function ifClosed(window: string, work: () => Promise<void>): Promise<void> {
	return navigator.locks.request(nameOf(window), { ifAvailable: true }, async lock => {
		if (lock) await work()
	})
}
