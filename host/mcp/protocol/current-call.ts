import { AsyncLocalStorage } from 'node:async_hooks'

/** The part of a call that texts for its client depend on. The connection is known only after the call has chosen it. */
interface CurrentCall {
	readonly connectionId: string | undefined
}

const calls = new AsyncLocalStorage<CurrentCall>()

/** Runs the handler of a call. */
export function duringCall<T>(call: CurrentCall, handle: () => T): T {
	return calls.run(call, handle)
}

/** Returns the connection of the call that is being handled, if it has one. */
export function currentConnection(): string | undefined {
	return calls.getStore()?.connectionId
}
