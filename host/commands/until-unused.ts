import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Host } from '../host.ts'

/**
 * Settles when a host that a program started for itself is of no use to anybody: its starter is gone, however it ended,
 * and for `idleMs` nobody has had a window open, waited for an answer or called.
 * @param starter what the starter holds the other end of
 */
export async function untilUnused(host: Host, starter: Readable, idleMs: number): Promise<void> {
	await new Promise<void>(resolve => {
		starter
			.once('end', resolve)
			.once('error', () => resolve())
			.once('close', resolve)
		starter.resume()
		// Neither this nor the clock below keeps a host running that was stopped in another way.
		if (starter instanceof Socket) starter.unref()
	})
	// Counted, not timed: a machine that sleeps lets nobody call.
	const steps = 10
	for (let unused = 0; unused < steps; unused++) {
		const since = Date.now()
		await sleep(idleMs / steps, undefined, { ref: false })
		if (host.isUsedSince(since)) unused = -1
	}
}
