/** Passes values on as they come, up to `most` an interval; of those beyond, the latest when the interval is over. */
export function latestOnly<T>(most: number, intervalMs: number, pass: (value: T) => void) {
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
			if (++passed <= most) pass(value)
			else waiting = { value }
		},
		/** Passes on what waits, and nothing after. */
		end(): void {
			clearTimeout(timer)
			flush()
		},
	}
}
