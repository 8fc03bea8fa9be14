import type { Output, Scope, Source } from './context.ts'

/** A query while it is read. */
export interface OpenScope extends Scope {
	readonly sources: Source[]
	readonly outputs: Output[]
	readonly windows: string[]
}

export const openScope = (queries: readonly Source[], parent: Scope | undefined): OpenScope => ({
	sources: [],
	outputs: [],
	windows: [],
	queries,
	parent,
})

export const emptyScope = (queries: readonly Source[]): Scope => openScope(queries, undefined)

export const outputsOf = (scope: Scope | undefined): readonly Output[] => scope?.outputs ?? []

/** The joins of one item of FROM: `a join b join c on … on …`. */
export class OpenJoins {
	readonly #scope: OpenScope
	readonly #first: number
	/** Where the left side of each join begins that has no condition yet. */
	readonly #lefts: number[] = []
	#left: number

	constructor(scope: OpenScope) {
		this.#scope = scope
		this.#first = scope.sources.length
		this.#left = this.#first
	}

	get isOpen(): boolean {
		return this.#lefts.length > 0
	}

	/** All sources of the item. */
	get sources(): readonly Source[] {
		return this.#scope.sources.slice(this.#first)
	}

	/** A join without a condition so far. @param right where its right side begins */
	open(right: number): void {
		this.#lefts.push(this.#left)
		this.#left = right
	}

	/** What the condition of the last join sees. */
	get joined(): readonly Source[] {
		return this.#scope.sources.slice(this.#left)
	}

	/** Returns what the condition of the last open join sees. */
	closed(): readonly Source[] {
		this.#left = this.#lefts.pop() ?? this.#first
		return this.#scope.sources.slice(this.#left)
	}
}
