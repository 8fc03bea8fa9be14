import type { Caller } from './caller.ts'
import type { Clock } from './clock.ts'
import { ProtocolError } from './errors.ts'
import type { RunningCall } from './running-call.ts'

/** Contract, "Limits": every handler except `subscriptions/listen`. */
const handlerDeadlineMs = 330_000

/** Interval of the expiry check: the machine's clock may be set, and timers have a maximum delay. */
const pollMs = 60_000

/** Ends the call when its token expires. @returns a function that stops the watch */
export function startTokenWatch(call: RunningCall, clock: Clock, requireServed: (caller: Caller) => void): () => void {
	const { expiresAt } = call.caller
	if (expiresAt === undefined) return () => {}
	const wait = () => clock.after(Math.min(expiresAt - clock.now(), pollMs), look)
	const look = () => {
		if (expiresAt > clock.now()) stop = wait()
		else call.endIfRefused(requireServed)
	}
	let stop = wait()
	return () => stop()
}

/** Ends the call after its deadline. @returns a function that stops the timer */
export function startDeadline(call: RunningCall, clock: Clock): () => void {
	return clock.after(handlerDeadlineMs, () => call.end(new ProtocolError('request_timeout')))
}
