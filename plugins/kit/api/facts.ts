/** The health of a thing, if known. */
export type FactState = 'good' | 'warning' | 'bad'

/** A name and its value, readable for the user. */
export interface Fact {
	readonly name: string
	readonly value: string
	readonly state?: FactState
}

/** A table of texts. The driver truncates a long table and reports this in the section's notice. */
export interface FactList {
	readonly columns: readonly string[]
	readonly rows: readonly FactRow[]
}

/** One row of a list of facts. */
export interface FactRow {
	/** One cell per column. */
	readonly cells: readonly string[]
	readonly state?: FactState
	/** Remedies, at most four: console statements, each of which runs when the user confirms it. */
	readonly actions?: readonly { readonly label: string; readonly statement: string }[]
}

/** Facts about one aspect of a table or connection: its health, its settings, what runs there. */
export interface FactSection {
	readonly title: string
	readonly facts?: readonly Fact[]
	readonly list?: FactList
	/** A text of several lines in the language of the console, for example the definition of a table. */
	readonly code?: string
	/** Note for the user: why it is empty, or what was left out. */
	readonly notice?: string
	/** The console statement that reads these facts. */
	readonly statement?: string
}
