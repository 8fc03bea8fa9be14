import type { FilterOperator } from './filter.ts'
import type { Json } from './json.ts'

export interface Table {
	readonly name: string
	readonly rowCount?: number
	readonly sizeBytes?: number
	/** Where it is not as it should be. */
	readonly condition?: TableCondition
}

/** What keeps a table from being read, or may: it is closed, rows are missing, or a copy is. */
export interface TableCondition {
	readonly state: 'closed' | 'bad' | 'warning'
	/** In words for a person, with what to do about it where that is known. */
	readonly text: string
}

export type ColumnKind = 'text' | 'number' | 'boolean' | 'date' | 'json' | 'binary' | 'other'

export interface Column {
	/** Unique in the table; `.` separates the levels of a flattened object. */
	readonly name: string
	/** The engine's own word for the type. */
	readonly type: string
	readonly kind: ColumnKind
	readonly isKey: boolean
	readonly isReadOnly: boolean
	readonly isSortable: boolean
	readonly note?: string
	/** What filters can be about beside the column; one of the column's own name says how to filter that. */
	readonly filterFields?: readonly FilterField[]
}

export interface FilterField {
	/** As a filter names it; with `takesKey`, what stands before the key. */
	readonly name: string
	readonly kind: ColumnKind
	/** What can be asked of it. Left out: what can be asked of its kind. */
	readonly operators?: readonly FilterOperator[]
	/** The person adds a key that no table lists: `labels.` and `team`. */
	readonly takesKey?: boolean
}

export interface TableDescription {
	readonly name: string
	readonly columns: readonly Column[]
	/** The engine's own definition, as JSON. */
	readonly definition?: Json
}
