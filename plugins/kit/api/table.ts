import type { FilterOperator } from './filter.ts'
import type { Json } from './json.ts'

export interface Table {
	readonly name: string
	readonly rowCount?: number
	readonly sizeBytes?: number
	/** Set if the table has a problem. */
	readonly condition?: TableCondition
}

/** What prevents or may prevent reading a table: it is closed, or rows or a copy are missing. */
export interface TableCondition {
	readonly state: 'closed' | 'bad' | 'warning'
	/** Text for the user, with a remedy if one is known. */
	readonly text: string
}

export type ColumnKind = 'text' | 'number' | 'boolean' | 'date' | 'json' | 'binary' | 'other'

export interface Column {
	/** Unique in the table. `.` separates the levels of a flattened object. */
	readonly name: string
	/** The engine's name of the type. */
	readonly type: string
	readonly kind: ColumnKind
	readonly isKey: boolean
	readonly isReadOnly: boolean
	readonly isSortable: boolean
	readonly note?: string
	/**
	 * Fields that filters can use beside the column. A field with the column's name says how to filter the column itself.
	 */
	readonly filterFields?: readonly FilterField[]
}

export interface FilterField {
	/** Name for filters. With `takesKey`, the prefix before the key. */
	readonly name: string
	readonly kind: ColumnKind
	/** Supported operators. If absent, the operators of its kind. */
	readonly operators?: readonly FilterOperator[]
	/** The user adds a key that the table does not list: `labels.` and `team`. */
	readonly takesKey?: boolean
}

export interface TableDescription {
	readonly name: string
	readonly columns: readonly Column[]
	/** The engine's definition, as JSON. */
	readonly definition?: Json
}
