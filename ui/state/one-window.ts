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
