/** How a thing does, as far as one can say. */
export type FactState = 'good' | 'warning' | 'bad'

/** A name and what stands for it, both in words for a person. */
export interface Fact {
	readonly name: string
	readonly value: string
	readonly state?: FactState
}

/** A table of words. Long ones are cut by who makes them, who then says so in the section's notice. */
export interface FactList {
	readonly columns: readonly string[]
	readonly rows: readonly FactRow[]
}

export interface FactRow {
	/** One for each column. */
	readonly cells: readonly string[]
	readonly state?: FactState
	/** What can be done about it: a statement of the console, which runs when the person says so. */
	readonly action?: { readonly label: string; readonly statement: string }
}

/** What can be told of one side of a place: its health, its settings, what runs there. */
export interface FactSection {
	readonly title: string
	readonly facts?: readonly Fact[]
	readonly list?: FactList
	/** What the person should know about it: why it is empty, or what was left out. */
	readonly notice?: string
	/** The statement behind it, as the console takes it. */
	readonly statement?: string
}
