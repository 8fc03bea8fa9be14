import type { JsonObject } from '@roundhouse/kit'
import type { Caller } from './caller.ts'
import type { ProtocolError } from './errors.ts'
import type { ClientInfo } from './meta.ts'
import type { Outcome } from './outcome.ts'

/** A request that has its answer. */
export interface EndedRequest {
	readonly method: string
	readonly params: JsonObject
	readonly caller: Caller
	readonly client: ClientInfo | undefined
	/** By the monotonic clock (`Clock.elapsed`). */
	readonly startedAt: number
	readonly ending: Outcome | ProtocolError
	/** The connection it was for, where that was found out. */
	readonly connectionId?: string | undefined
	/** It ended before anything was waited for, but for its turn: no driver was asked, and no person. */
	readonly isAtOnce: boolean
}
