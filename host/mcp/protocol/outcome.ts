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
	/** Belongs to the answer but not to its body: the session that `initialize` opened. */
	readonly headers?: Readonly<Record<string, string>>
	/** The same object is handed out again and again: it is encoded once. */
	readonly isShared?: boolean
}

/** The client is asked for something first, and then repeats its call (contract, "`input_required` result"). */
export interface InputRequired {
	readonly kind: 'input_required'
	readonly inputRequests: Readonly<Record<string, { readonly method: string; readonly params: JsonObject }>>
	readonly requestState?: string
}

/** What a method answers, before an era gives it its form. */
export type Outcome = Complete | InputRequired

export function complete(result: JsonObject, cache?: CacheHint): Complete {
	return { kind: 'complete', result, ...(cache && { cache }) }
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
