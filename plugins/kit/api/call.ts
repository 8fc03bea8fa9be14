/** How far a call is, for the user who waits. */
export interface Progress {
	/** Starts at 0 and increases. `total`, if known, has the same unit. */
	readonly done: number
	readonly total?: number
	readonly message?: string
}

/** Context of a call. */
export interface Call {
	/** Aborts when no caller needs the result any more. Then also stop the work in the engine. */
	readonly signal: AbortSignal
	progress(progress: Progress): void
}
