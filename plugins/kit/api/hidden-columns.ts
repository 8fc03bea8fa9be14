/** Columns whose values no AI client may see. */

/** Columns of a table that the user, or the administrator of the machine, hides from AI clients. */
export interface HiddenColumns {
	/** By its name in the list of tables. */
	readonly table: string
	readonly columns: readonly string[]
	/**
	 * Those of the columns that statements of clients may count and join: the driver puts a token in the place of each value.
	 * Equal values have equal tokens in one statement, and a token says nothing else. A column that another mark hides
	 * without this has none. A driver may leave it out.
	 */
	readonly mayCount?: readonly string[]
	/** Whether the connection may lack the table. Otherwise its absence refuses all rows, because it may have been renamed. */
	readonly isOptional?: boolean
}

/** What clients must not see of one table. */
export interface HiddenPart {
	/** Its hidden columns, also those that the driver added. */
	readonly columns: readonly string[]
	/** Those of them that a statement gets as tokens. */
	readonly counted?: readonly string[]
	/** Why clients must read no row of it, as a sentence. */
	readonly refused?: string
	/** Why clients must change no row of it, as a sentence. */
	readonly takesNoChanges?: string
	/** What clients may change of a table with hidden columns. Absent: nothing. */
	readonly changes?: HiddenChanges
}

/**
 * Changes of a table with hidden columns that no hidden value can make fail or succeed. The driver promises that the id of
 * a row of the table is its key, and that its version is not made of values.
 */
export interface HiddenChanges {
	/** Whether rows may be inserted, without values for the hidden columns. */
	readonly inserts: boolean
	readonly deletes: boolean
	/** The columns that an update may set. */
	readonly updates: readonly string[]
	/** The columns that an insert may set. Absent: all that are not hidden. */
	readonly insertSets?: readonly string[]
	/** Why clients may change no more, as a sentence. Absent: a hidden value could decide whether that succeeds. */
	readonly reason?: string
}
