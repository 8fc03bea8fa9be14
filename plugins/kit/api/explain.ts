/** What the engine does for a query, and where it spends the time. */

/** One step of the execution of a query. */
export interface ExplainedStep {
	/** The engine's term. */
	readonly name: string
	/** What the step works on, truncated if it is long. */
	readonly detail?: string
	/** 0 for the outermost. A step comes before its parts. */
	readonly depth: number
	/** Number of rows that the step returned, if the query was run, and that the engine expected. */
	readonly rows?: number
	readonly estimatedRows?: number
	/** The cost that the planner expects, with that of its parts, in the engine's own unit. */
	readonly estimatedCost?: number
	/** Time of the step with its parts, in milliseconds, if it was measured. */
	readonly tookMs?: number
	/** How often the step was run, if it was run. */
	readonly loops?: number
	/** Share of the total time, including its parts, from 0 to 1. Absent if nothing was measured. */
	readonly share?: number
}

/** The steps of a query, outermost first. */
export interface Explained {
	/** Whether the query was run. Otherwise this is a plan. */
	readonly wasRun: boolean
	readonly tookMs?: number
	readonly steps: readonly ExplainedStep[]
	/** Notes for the user, for example omitted steps or shards. */
	readonly notices: readonly string[]
}
