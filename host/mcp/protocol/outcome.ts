import type { JsonObject } from '@roundhouse/kit'

/** How long a client may keep a result, and whether it may share it between tokens (contract, "Limits": Cache TTL). */
export interface CacheHint {
	readonly ttlMs: number
	readonly cacheScope: 'public' | 'private'
}

export interface Complete {
	readonly kind: 'complete'
	readonly result: JsonObject
	readonly cache?: CacheHint
	/** Headers of the answer: the session id of `initialize`. */
	readonly headers?: Readonly<Record<string, string>>
	/** Whether the same object is returned repeatedly, so that it is encoded once. */
	readonly isShared?: boolean
}

/** The client must provide input and then repeat its call (contract, "`input_required` result"). */
export interface InputRequired {
	readonly kind: 'input_required'
	readonly inputRequests: Readonly<Record<string, { readonly method: string; readonly params: JsonObject }>>
	readonly requestState?: string
}

/** The result of a method before it is encoded for an era. */
export type Outcome = Complete | InputRequired

export function complete(result: JsonObject, cache?: CacheHint): Complete {
	return { kind: 'complete', result, ...(cache && { cache }) }
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
