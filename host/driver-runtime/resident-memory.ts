import pidusage from 'pidusage'

/** Resident memory of Node itself before a driver does anything, in mebibytes. A driver's limit does not include it. */
const nodeOwnMb = 128
const bytesPerMb = 1024 * 1024
const pollIntervalMs = process.platform === 'linux' ? 250 : 2000

/**
 * Limit at which a process kills itself if a busy host has not killed it before (plugins/kit/runtime/end-with-host.ts).
 */
export const hardCeilingBytes = (memoryMb: number) => (memoryMb + 2 * nodeOwnMb) * bytesPerMb

/**
 * Polls the resident memory of a process, because V8's own limit covers the heap only and not buffers. Calls `exceeded`
 * once.
 * @returns a function that stops the polling
 */
export function watchResidentMemory(pid: number, memoryMb: number, exceeded: () => void): () => void {
	const limitBytes = (memoryMb + nodeOwnMb) * bytesPerMb
	let isMeasuring = false
	const timer = setInterval(async () => {
		if (isMeasuring) return
		isMeasuring = true
		// A process that has ended cannot be measured. Its exit is reported elsewhere.
		const memory = await pidusage(pid).then(
			usage => usage.memory,
			() => 0,
		)
		isMeasuring = false
		if (memory <= limitBytes) return
		clearInterval(timer)
		exceeded()
	}, pollIntervalMs)
	timer.unref()
	return () => clearInterval(timer)
}
