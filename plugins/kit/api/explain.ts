import type { Statement } from './console.ts'
import type { GridQuery } from './rows.ts'

/** What the engine does for a question, and where its time goes. */

/** A statement that only reads, or the rows that a grid would show first. */
export type Explainable = { readonly statement: Statement } | { readonly query: GridQuery }

export interface ExplainedStep {
	/** The engine's own word for it. */
	readonly name: string
	/** What it works on, cut where it is long. */
	readonly detail?: string
	/** 0 for the outermost; a step stands before those that it is made of. */
	readonly depth: number
	/** How much of the whole time it took with all that it is made of, from 0 to 1. Left out: nothing was measured. */
	readonly share?: number
}

export interface Explained {
	/** It was run to find this out; else it is a plan. */
	readonly wasRun: boolean
	readonly tookMs?: number
	readonly steps: readonly ExplainedStep[]
	/** What the reader should know: steps that are left out, shards that are not shown. */
	readonly notices: readonly string[]
}
