import type { JsonObject } from '@roundhouse/kit'
import type { Era } from '../wire/versions.ts'
import type { Caller } from './caller.ts'
import type { RequestId } from './message.ts'
import type { ClientInfo } from './meta.ts'
import type { Outcome } from './outcome.ts'

export interface ProgressReport {
	readonly progress: number
	readonly total?: number
	readonly message?: string
}

/** One request on its way, as a method sees it. */
export interface McpCall {
	readonly id: RequestId
	readonly method: string
	readonly era: Era
	readonly caller: Caller
	readonly client: ClientInfo | undefined
	readonly clientCapabilities: JsonObject
	/** Fires when the request was cancelled, timed out, or lost its client. */
	readonly signal: AbortSignal
	/** Says which connection it is for, however the client named it: the activity log has its id. */
	isFor(connectionId: string): void
	/** Reaches the client only if it asked for progress, and only if the value grew. */
	progress(report: ProgressReport): void
	/** Sends a notification on the response of a method that streams. */
	notify(method: string, params: JsonObject): void
}

/** A method of the protocol (contract, "Methods"). It knows neither HTTP nor the era's form of a result. */
export interface Method {
	readonly eras: readonly Era[]
	/** Lives as long as the client wants: no deadline, no rate, always a stream. */
	readonly isSubscription?: boolean
	/**
	 * What it throws at once is answered as plain JSON with the error's status; what fails later, on a stream, is its
	 * last frame. So names and params are checked before the first `await`.
	 */
	handle(params: JsonObject, call: McpCall): Promise<Outcome> | Outcome
}

export type Methods = ReadonlyMap<string, Method>
