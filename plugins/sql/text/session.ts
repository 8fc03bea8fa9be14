/** A value as the server sends it: a text, or bytes. */
export type RawValue = string | Uint8Array | null

/** A row as the server sends it. */
export type RawRow = readonly RawValue[]

/** A row whose values are all texts. */
export type TextRow = readonly (string | null)[]

/** A statement, with its values apart. */
export interface Query {
	readonly sql: string
	readonly values?: readonly (string | null)[]
}

/** The rows of a statement. */
export interface Rows<Row extends RawRow = TextRow> {
	readonly rows: readonly Row[]
}
