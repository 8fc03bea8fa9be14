import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { HostWatch } from '../wire/messages.ts'

const intervalMs = 250
const watch = `
	const { hostPid, mostBytes, graceMs = 0 } = require('node:worker_threads').workerData
	// Measuring needs a free descriptor, and the driver may have taken all. An error would end only this thread.
	const isBeyond = () => { try { return process.memoryUsage.rss() > mostBytes } catch { return true } }
	let aloneMs = 0
	setInterval(() => {
		aloneMs = process.ppid === hostPid ? 0 : aloneMs + ${intervalMs}
		if (aloneMs > graceMs || isBeyond()) process.kill(process.pid, 'SIGKILL')
	}, ${intervalMs})`

/**
 * Starts a thread that kills this process when its host is gone or its memory is far above its limit. The driver's
 * module has no handle of the thread, and the thread also runs while the driver blocks the event loop. The host permits
 * threads only if the operating system does not end drivers itself (host/driver-runtime/wall). The permission is
 * dropped here, before the driver's module loads.
 */
export async function endWithHost(watched: HostWatch): Promise<void> {
	// Always defined, because the host starts drivers with the permission model.
	const permission = process.permission
	if (!permission.has('worker')) return
	await watchHost(watched)
	permission.drop('worker')
}

/** Starts that thread in a process that needs no permission for it. */
export async function watchHost(watched: HostWatch): Promise<void> {
	const worker = new Worker(watch, {
		eval: true,
		env: {},
		workerData: watched,
		resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
	})
	// After this event, no message of the thread reaches code that the driver could replace.
	await once(worker, 'online')
	worker.unref()
}
