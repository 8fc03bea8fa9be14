import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { raced } from '../../base/on-abort.ts'
import { Semaphore } from '../../base/semaphore.ts'

/** Lookups in flight in this process. The system cannot cancel a lookup, so connections share the lookups of a name. */
const inFlight = new Map<string, Promise<readonly LookupAddress[]>>()

const loopback: readonly LookupAddress[] = [
	{ address: '127.0.0.1', family: 4 },
	{ address: '::1', family: 6 },
]

/**
 * The name lookups of one connection: one at a time, the others in a queue. The system runs few lookups at once for the
 * whole process, so a connection whose names never resolve must not occupy all of them.
 */
export class NameLookups {
	readonly #semaphore = new Semaphore(1)

	/**
	 * Returns the addresses of a name. A lookup that is aborted while it waits leaves the queue; one that runs keeps its
	 * place until the system answers. @throws Error with Node's `code`; the signal's reason
	 */
	async find(name: string, signal: AbortSignal): Promise<readonly LookupAddress[]> {
		if (/^(.+\.)?localhost\.?$/i.test(name)) return loopback
		const family = isIP(name)
		if (family !== 0) return [{ address: name, family }]
		const running = inFlight.get(name)
		if (running) return raced(signal, running)
		const release = await this.#semaphore.acquire(signal)
		const lookingUp = (inFlight.get(name) ?? lookup(name, { all: true })).finally(() => {
			inFlight.delete(name)
			release()
		})
		inFlight.set(name, lookingUp)
		return raced(signal, lookingUp)
	}
}
