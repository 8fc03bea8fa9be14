/**
 * Throttles values: passes on up to `limit` per interval at once. Of further values, passes on the latest when the
 * interval ends.
 */
export function latestOnly<T>(limit: number, intervalMs: number, pass: (value: T) => void) {
	let passed = 0
	let waiting: { readonly value: T } | undefined
	let timer: NodeJS.Timeout | undefined
	const flush = () => {
		const last = waiting
		waiting = undefined
		if (last) pass(last.value)
	}
	const next = () => {
		timer = waiting && setTimeout(next, intervalMs)
		passed = waiting ? 1 : 0
		flush()
	}
	return {
		take(value: T): void {
			timer ??= setTimeout(next, intervalMs)
			if (++passed <= limit) pass(value)
			else waiting = { value }
		},
		/** Passes on the waiting value, and nothing after it. */
		end(): void {
			clearTimeout(timer)
			flush()
		},
	}
}
