import type { Fact } from './facts.ts'

/** The form of a table: what an engine lets users define, and a definition as the form shows it. */

/** Where the form begins: at a table, or at the levels that contain a new one. */
export type TableFormPlace =
	| { readonly table: string }
	| {
			/** As {@link Table.path}. Empty: where the engine creates a table without a level. */
			readonly path: readonly string[]
	  }

/** What the form of one table offers. */
export interface TableForm {
	/** The table as it is. A new one has no columns, and the path where it will be. */
	readonly definition: TableDefinition
	/** Types that the form suggests, with their parameters: `numeric(12,2)`. Others can be typed. */
	readonly types: readonly string[]
	/** Defaults that the form suggests: `now()`, and the driver's own words for generated values, such as `identity`. */
	readonly defaults: readonly string[]
	/** Kinds of keys that can be added. */
	readonly keys: readonly DefinedKey['kind'][]
	/** Methods of indexes, the usual one first: `btree`. */
	readonly methods: readonly string[]
	/** What a foreign key can do when the row that it refers to is deleted or changes, the default first. */
	readonly rules: readonly string[]
	/** Whether the order of columns can be changed. A new column is otherwise the last one. */
	readonly movesColumns: boolean
	/**
	 * `true`: the statements run in one transaction of a session (`console.transaction` of the manifest), so that all of
	 * them are applied or none. Omit if each of them is committed at once.
	 */
	readonly savesWhole?: boolean
	/** What the user must know before saving: `The server commits each statement at once.` */
	readonly notice?: string
	/** Parts of the table that the form does not show and leaves as they are, one text each. */
	readonly untouched: readonly string[]
	/** Where the statements run, if that is another database than that of the connection. */
	readonly database?: string
}

/** The definition of a table, as far as the form shows it. Ids are unique in it. */
export interface TableDefinition {
	/** The levels that contain it, as {@link Table.path}. They stay the same. */
	readonly path: readonly string[]
	/** Its name below the path. */
	readonly name: string
	readonly comment?: string
	readonly columns: readonly DefinedColumn[]
	readonly keys: readonly DefinedKey[]
	readonly indexes: readonly DefinedIndex[]
}

/** A column in the form. */
export interface DefinedColumn {
	/** Identifies the column in both definitions of a change: a renamed column keeps its id. */
	readonly id: string
	readonly name: string
	/** With parameters, as the engine writes it: `varchar(200)`. */
	readonly type: string
	readonly isNotNull: boolean
	/** An expression of the engine, or one of the driver's own words in {@link TableForm.defaults}. */
	readonly default?: string
	readonly comment?: string
	/** What else the engine stores about the column, such as a collation. The form shows it and changes nothing of it. */
	readonly attributes?: string
}

/** A primary, unique or foreign key, or a check. */
export interface DefinedKey {
	readonly id: string
	/** Empty if the engine names it. */
	readonly name: string
	readonly kind: 'primary' | 'unique' | 'foreign' | 'check'
	/** Ids of columns, in order. Empty for a check. */
	readonly columns: readonly string[]
	/** Only of a foreign key. */
	readonly references?: DefinedReference
	/** Only of a check: an expression of the engine. */
	readonly expression?: string
}

/** What a foreign key refers to. */
export interface DefinedReference {
	/** By its name in the list of tables. */
	readonly table: string
	/** Names of columns. */
	readonly columns: readonly string[]
	/** One of {@link TableForm.rules}. */
	readonly onDelete: string
	readonly onUpdate: string
}

/** An index on columns. */
export interface DefinedIndex {
	readonly id: string
	/** Empty if the engine names it. */
	readonly name: string
	/** One of {@link TableForm.methods}. */
	readonly method: string
	readonly isUnique: boolean
	readonly columns: readonly {
		/** Id of the column. */
		readonly column: string
		readonly isDescending: boolean
	}[]
}

/** What the user has made of a table in the form. */
export interface TableChange {
	/** As it was read. Absent: the table is new. */
	readonly before?: TableDefinition
	readonly after: TableDefinition
}

/** What a change of a table does, as far as the engine tells without keeping it. */
export interface TriedChange {
	/** Why the change was not tried. */
	readonly untried?: string
	/** How long the statements ran before they were rolled back. Absent: they were not tried. */
	readonly tookMs?: number
	/** What it costs and loses: rewritten rows, values of dropped columns. */
	readonly facts: readonly Fact[]
	/** Why a statement fails. */
	readonly fault?: string
}
