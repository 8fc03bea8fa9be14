import type { Json } from '@roundhouse/kit'

/** Members of a request for {@link EngineRequest.isRepeatable}. */
export const repeatableRead = { isRead: true, isRepeatable: true } as const

export interface EngineRequest {
	readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
	/** Encoded, from `pathOf` or `parsePath`. */
	readonly path: string
	/** Encoded, without `?`. */
	readonly search?: string
	readonly body?: Json
	/** Sent unchanged instead of `body`: NDJSON, or JSON as the user typed it. */
	readonly text?: string
	/** A read may be retried on the next node if one does not answer, a write only if it was never sent. */
	readonly isRead: boolean
	/**
	 * Whether it is repeated if its connection drops: a read that has the same answer again, at a point-in-time or by id.
	 * The next page of a scroll has not.
	 */
	readonly isRepeatable?: boolean
	/** Whether the answer has whole documents, also with vectors that the engine leaves out by default. For reads only. */
	readonly isWhole?: boolean
	/** Identifies the work in the engine's list of tasks, so that it can be cancelled there. */
	readonly opaqueId?: string
	/** A larger answer is aborted. */
	readonly maxAnswerBytes?: number
	/** If a node has not answered a read in this time, the next one is tried. */
	readonly nodeLimitMs?: number
	/** Whether the answer identifies the node, so that the node needs no check before. */
	readonly identifies?: boolean
	/** Whether it opens one of few searches that the driver holds for all pages of clients, and closes itself. */
	readonly isHeld?: boolean
	/** Whether it uses sockets that are reserved for look-ups. Requests of clients can occupy all others. */
	readonly isLookUp?: boolean
}
