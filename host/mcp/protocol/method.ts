import type { Access, JsonObject } from '@roundhouse/kit'
import type { Era } from '../wire/versions.ts'
import type { Caller } from './caller.ts'
import type { RequestId } from './message.ts'
import type { ClientInfo } from './meta.ts'
import type { Outcome } from './outcome.ts'

/** Details of a call for the activity log. */
export interface CallNote {
	readonly verdict?: Access
	/** Why the driver gave the verdict, if the text does not show it. */
	readonly reason?: string | undefined
	/** The statement that the driver classified. */
	readonly statement?: string
	readonly agreed?: 'client' | 'window' | 'client_and_window' | 'grant'
	/** Id of the change, if what it replaces may be kept. */
	readonly change?: string | undefined
}

export interface ProgressReport {
	readonly progress: number
	readonly total?: number
	readonly message?: string
}

/** A running request, as methods see it. */
export interface McpCall {
	readonly id: RequestId
	readonly method: string
	readonly era: Era
	readonly caller: Caller
	readonly client: ClientInfo | undefined
	readonly clientCapabilities: JsonObject
	/** Aborts when the request is cancelled, times out, or its client disconnects. */
	readonly signal: AbortSignal
	/** Sets the connection of the request for the activity log, which records the id and not the client's name for it. */
	isFor(connectionId: string): void
	/** Adds details for the activity log. A later value replaces an earlier one. */
	note(note: CallNote): void
	/** The details so far. */
	readonly noted: CallNote
	/** Reports progress, if the client requested it and the value has increased. */
	progress(report: ProgressReport): void
	/** Sends a notification on the response stream. */
	notify(method: string, params: JsonObject): void
	/** Called before a write runs. A bridge that loses the host without knowing of it can send the call again. */
	writeBegins(): Promise<void>
}

/** A method of the protocol (contract, "Methods"), independent of HTTP and of the era's result format. */
export interface Method {
	readonly eras: readonly Era[]
	/** Runs until the client ends it: no deadline, no rate limit, always a stream. */
	readonly isSubscription?: boolean
	/**
	 * Runs the method. A synchronous error is sent as plain JSON with its status. A later error on a stream is its last
	 * frame. So methods check names and params before the first `await`.
	 */
	handle(params: JsonObject, call: McpCall): Promise<Outcome> | Outcome
}

export type Methods = ReadonlyMap<string, Method>
