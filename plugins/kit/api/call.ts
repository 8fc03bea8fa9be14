export interface Progress {
	/** Grows from 0; `total` in the same unit when it is known. */
	readonly done: number
	readonly total?: number
	readonly message?: string
}

/** What every call carries. */
export interface Call {
	/** Fires when nobody waits any more: stop the work in the engine, not only here. */
	readonly signal: AbortSignal
	progress(progress: Progress): void
}
