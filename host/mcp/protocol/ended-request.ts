import type { JsonObject } from '@roundhouse/kit'
import type { Caller } from './caller.ts'
import type { ProtocolError } from './errors.ts'
import type { ClientInfo } from './meta.ts'
import type { CallNote } from './method.ts'
import type { Outcome } from './outcome.ts'

/** An answered request. */
export interface EndedRequest {
	readonly method: string
	readonly params: JsonObject
	readonly caller: Caller
	readonly client: ClientInfo | undefined
	/** By the monotonic clock (`Clock.elapsed`). */
	readonly startedAt: number
	readonly ending: Outcome | ProtocolError
	/** The connection of the request, if it was resolved. */
	readonly connectionId?: string | undefined
	/** Notes for the activity log; absent if the request never ran. */
	readonly noted?: CallNote | undefined
	/**
	 * Whether it ended without a call of a driver and without a question to the user. It may have waited in the queue.
	 */
	readonly isAtOnce: boolean
}
