/** A row as the server sends it: each value as text. */
export type TextRow = readonly (string | null)[]

/** A statement, with its values apart. */
export interface Query {
	readonly sql: string
	readonly values?: readonly (string | null)[]
}

/** The rows of a statement. */
export interface Rows {
	readonly rows: readonly TextRow[]
}
