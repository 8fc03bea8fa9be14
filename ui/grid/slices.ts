/** How long work in memory may hold the window at once. */
const sliceMs = 8

export type Slices = ReturnType<typeof createSlices>

/** Divides long work into slices, between which the window has its turn. */
export function createSlices(signal: AbortSignal) {
	let until = performance.now() + sliceMs
	async function next(): Promise<void> {
		await new Promise(resolve => setTimeout(resolve))
		signal.throwIfAborted()
		until = performance.now() + sliceMs
	}
	return {
		/** Resolves when the work may go on: at once, unless the slice is used up. @throws the signal's reason */
		pause: (): Promise<void> | undefined => (performance.now() > until ? next() : undefined),
	}
}
