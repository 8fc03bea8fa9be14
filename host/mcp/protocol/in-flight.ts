import type { Caller } from './caller.ts'
import type { ProtocolError } from './errors.ts'
import { idKey, type RequestId } from './message.ts'
import type { RunningCall } from './running-call.ts'

/**
 * The running requests by caller and id. Two clients may share a token and use the same id, so each key has a set of
 * calls, and a cancellation ends all of them.
 */
export class InFlight {
	readonly #calls = new Map<string, Set<RunningCall>>()

	get size(): number {
		let size = 0
		for (const calls of this.#calls.values()) size += calls.size
		return size
	}

	/** Adds a call. @returns a function that removes it */
	add(call: RunningCall): () => void {
		const key = keyOf(call.caller, call.id)
		const calls = this.#calls.get(key) ?? new Set()
		this.#calls.set(key, calls.add(call))
		return () => {
			calls.delete(call)
			if (calls.size === 0) this.#calls.delete(key)
		}
	}

	/** Cancels a request of the caller itself (contract, "Cancellation"). */
	cancel(caller: Caller, id: RequestId, reason: ProtocolError): void {
		for (const call of this.#calls.get(keyOf(caller, id)) ?? []) call.end(reason)
	}

	/** Ends the calls of callers that `requireServed` refuses. */
	endRefused(requireServed: (caller: Caller) => void): void {
		for (const calls of this.#calls.values()) {
			for (const call of calls) call.endIfRefused(requireServed)
		}
	}

	cancelWhere(test: (call: RunningCall) => boolean, reason: ProtocolError): void {
		for (const calls of this.#calls.values()) {
			for (const call of calls) if (test(call)) call.end(reason)
		}
	}
}

function keyOf(caller: Caller, id: RequestId): string {
	return `${caller.key}\n${idKey(id)}`
}
