import type { Clock } from './clock.ts'
import { ProtocolError } from './errors.ts'
import type { RunningCall } from './running-call.ts'

/** Contract, "Limits": every handler except `subscriptions/listen`. */
const handlerDeadlineMs = 330_000

/** Ends the call when it takes too long; the returned function says that it has ended by itself. */
export function startDeadline(call: RunningCall, clock: Clock): () => void {
	return clock.after(handlerDeadlineMs, () => call.end(new ProtocolError('request_timeout')))
}
