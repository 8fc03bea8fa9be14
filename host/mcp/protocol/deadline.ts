import type { Caller } from './caller.ts'
import type { Clock } from './clock.ts'
import { ProtocolError } from './errors.ts'
import type { RunningCall } from './running-call.ts'

/** Contract, "Limits": every handler except `subscriptions/listen`. */
const handlerDeadlineMs = 330_000

/** How often it is looked whether a token has ended: the machine's clock may be set, and timers are not long enough. */
const lookMs = 60_000

/** Ends the call with its token; the returned function says that it has ended by itself. */
export function startTokenWatch(call: RunningCall, clock: Clock, requireServed: (caller: Caller) => void): () => void {
	const { expiresAt } = call.caller
	if (expiresAt === undefined) return () => {}
	const wait = () => clock.after(Math.min(expiresAt - clock.now(), lookMs), look)
	const look = () => {
		if (expiresAt > clock.now()) stop = wait()
		else call.endIfRefused(requireServed)
	}
	let stop = wait()
	return () => stop()
}

/** Ends the call when it takes too long; the returned function says that it has ended by itself. */
export function startDeadline(call: RunningCall, clock: Clock): () => void {
	return clock.after(handlerDeadlineMs, () => call.end(new ProtocolError('request_timeout')))
}
