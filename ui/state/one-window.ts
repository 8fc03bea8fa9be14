import type { Records } from './records.ts'

/**
 * Does what one window at a time may do, because all of them have the same staged changes: with what the others did before,
 * and not over before they can know of it. @throws Error where another window is at it
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
