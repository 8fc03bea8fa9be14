/** What may stand at a place of a statement, as far as its text says. The catalog is asked afterwards. */

/** A source of rows that is named in a query. */
export interface Source {
	readonly alias: string
	/** A table: its name, with the schema before it if it is written. Absent for a query. */
	readonly path?: readonly string[]
	/** What a query, a function or a list of names returns. Absent for a table. */
	readonly outputs?: readonly Output[]
}

/** A column that a query returns: its name, or `*` of the sources of a scope. */
export type Output = string | { readonly all: Scope; readonly of?: string | undefined }

/** The sources of one query. */
export interface Scope {
	readonly sources: readonly Source[]
	/** The query around it, whose columns are visible too. */
	readonly parent?: Scope | undefined
	/** Queries of WITH that are visible, the nearest first. */
	readonly queries: readonly Source[]
	readonly outputs: readonly Output[]
	readonly windows: readonly string[]
}

export type CompletionContext = ContextKind & {
	/** Where the typed name begins, with its quote. */
	readonly start: number
	/** Number of characters behind the caret that belong to the name, with its closing quote. */
	readonly after: number
	/** The quote that the name or text begins with. */
	readonly quote?: string | undefined
	/** Whether the caret is in a text: only a value can stand there. */
	readonly isText: boolean
}

export type ContextKind =
	/** Nothing fits: a comment, a number, a new name. */
	| { readonly kind: 'none' }
	| { readonly kind: 'keywords'; readonly keywords: readonly string[] }
	/** Behind a joined table, where ON with a condition may follow. */
	| { readonly kind: 'join'; readonly keywords: readonly string[]; readonly scope: Scope }
	| Expression
	/** `joins`: the sources before it, behind the word JOIN. */
	| {
			readonly kind: 'table'
			readonly path: readonly string[]
			readonly queries: readonly Source[]
			readonly joins?: Scope
	  }
	/** A column of tables: a list of INSERT, a SET, an index. `used` are named already. */
	| {
			readonly kind: 'columns'
			readonly targets: readonly Source[]
			readonly used: readonly string[]
			readonly path: readonly string[]
			/** Whether it is the list of an INSERT, which may have all columns. */
			readonly isInsert?: boolean
	  }
	| {
			readonly kind: 'using'
			readonly left: readonly Source[]
			readonly right: Source | undefined
			readonly used: readonly string[]
	  }
	/** Behind the table of an INSERT. */
	| { readonly kind: 'insert'; readonly target: Source | undefined; readonly keywords: readonly string[] }
	| { readonly kind: 'type' | 'routine'; readonly path: readonly string[] }
	| { readonly kind: 'schema' }
	| { readonly kind: 'window'; readonly windows: readonly string[] }

/** A column that a value is stored in. */
export interface Stored {
	readonly target: Source
	readonly column: string
}

export interface Expression {
	readonly kind: 'expression'
	readonly scope: Scope
	/** Names before the dot. */
	readonly path: readonly string[]
	/** Words that may stand here beside operands. */
	readonly keywords: readonly string[]
	/** The column that a value here is compared with, as a path. */
	readonly compared?: readonly string[] | undefined
	readonly stored?: Stored | undefined
	/** At the start of a condition of JOIN: the last source is joined to those before it. */
	readonly isJoinStart?: boolean
	/** Whether names of outputs can stand here, as in ORDER BY and GROUP BY. */
	readonly takesOutputs?: boolean
}
