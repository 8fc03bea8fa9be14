import type { HiddenChanges } from '@roundhouse/kit'

/** What has rows or numbers in a database, with what clients must not see of it. */
export interface Relation {
	readonly oid: number
	readonly schema: string
	readonly name: string
	readonly kind: string
	readonly isSystem: boolean
	/** Of tables: names by number. Of others it is empty. */
	readonly columns: ReadonlyMap<number, string>
	/** Numbers of hidden columns. */
	readonly hidden: Set<number>
	/** The hidden columns that a statement gets as tokens: their numbers, and whether their values are decimals. */
	readonly counted: Map<number, boolean>
	/** Whether it is a view that reads a relation with hidden columns, without these. */
	readsBeside?: boolean
	/** Why no client may read it. */
	refused?: string
	/** Why no client may change its rows. */
	takesNoChanges?: string
	/** What a client may change, if it has hidden columns. */
	changes?: HiddenChanges
	/** Whether a policy filters its rows by hidden columns. It need not apply to this role. */
	isFiltered?: boolean
	/** Whether the role may read hidden columns of it, and not the whole row: its rows are sorted by them. */
	isSorted?: boolean
}
