import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { HostWatch } from '../wire/messages.ts'

const watch = `
	const { hostPid, mostBytes } = require('node:worker_threads').workerData
	// Measuring needs a free descriptor, and the driver may have taken all. An error would end only this thread.
	const isBeyond = () => { try { return process.memoryUsage.rss() > mostBytes } catch { return true } }
	setInterval(() => {
		if (process.ppid !== hostPid || isBeyond()) process.kill(process.pid, 'SIGKILL')
	}, 250)`

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
	const worker = new Worker(watch, {
		eval: true,
		env: {},
		workerData: watched,
		resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
	})
	// After this event, no message of the thread reaches code that the driver could replace.
	await once(worker, 'online')
	worker.unref()
	permission.drop('worker')
}
