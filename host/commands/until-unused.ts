import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Host } from '../host.ts'

/**
 * Settles when a host that a program started is no longer used: its starter has ended, and for `idleMs` no window was
 * open, no request waited and no client called.
 * @param starter the pipe whose other end the starter holds
 */
export async function untilUnused(host: Host, starter: Readable, idleMs: number): Promise<void> {
	await new Promise<void>(resolve => {
		starter
			.once('end', resolve)
			.once('error', () => resolve())
			.once('close', resolve)
		starter.resume()
		// Neither this timer nor the one below keeps a stopped host running.
		if (starter instanceof Socket) starter.unref()
	})
	// Counted, not timed: no client can call while a machine sleeps.
	const steps = 10
	for (let unused = 0; unused < steps; unused++) {
		const since = Date.now()
		await sleep(idleMs / steps, undefined, { ref: false })
		if (host.isUsedSince(since)) unused = -1
	}
}
