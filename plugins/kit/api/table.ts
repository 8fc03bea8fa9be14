import type { Json } from './json.ts'

export interface Table {
	readonly name: string
	readonly rowCount?: number
	readonly sizeBytes?: number
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
}

export interface TableDescription {
	readonly name: string
	readonly columns: readonly Column[]
	/** The engine's own definition, as JSON. */
	readonly definition?: Json
}
