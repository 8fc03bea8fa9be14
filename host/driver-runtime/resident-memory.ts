import pidusage from 'pidusage'

/** What Node itself takes before a driver has done anything, in mebibytes; resident memory counts it, a driver's ceiling does not. */
const nodeOwnMb = 128
const lookIntervalMs = process.platform === 'linux' ? 250 : 2000

/**
 * Watches a process from outside, because V8's own ceiling covers its heap alone: buffers lie beside it.
 * Calls `exceeded` once. Returns the way to stop.
 */
export function watchResidentMemory(pid: number, memoryMb: number, exceeded: () => void): () => void {
	const mostBytes = (memoryMb + nodeOwnMb) * 1024 * 1024
	let isLooking = false
	const timer = setInterval(async () => {
		if (isLooking) return
		isLooking = true
		// A process that is gone cannot be measured; its end is told elsewhere.
		const memory = await pidusage(pid).then(
			usage => usage.memory,
			() => 0,
		)
		isLooking = false
		if (memory <= mostBytes) return
		clearInterval(timer)
		exceeded()
	}, lookIntervalMs)
	timer.unref()
	return () => clearInterval(timer)
}
