import type { Change } from './change.ts'
import type { FactState } from './facts.ts'
import type { FilterOperator } from './filter.ts'
import type { Json } from './json.ts'
import type { Settings, SettingValue } from './settings.ts'

/** A table in the list of tables. */
export interface Table {
	/** Unique in the connection. Every call names the table by it. */
	readonly name: string
	/** The engine's word in lower case, for example `view`, if it is not a plain table. */
	readonly kind?: string
	/** The table whose partition it is. The window lists it below that one. */
	readonly partitionOf?: string
	/** The levels that contain it, outermost first, for example database and schema. The window groups tables by them. */
	readonly path?: readonly string[]
	/** Its name below the path, if `name` repeats the path. Default: `name`. */
	readonly title?: string
	/** The database that it is in, if that is another one than that of the connection ({@link Connection.consoleOf}). */
	readonly database?: string
	/** Changes that the table never takes, with the reason for the user. {@link Connection.previewChanges} refuses them. */
	readonly cannot?: Cannot
	readonly rowCount?: number
	/** `true` if `rowCount` is an estimate of the engine. */
	readonly isRowCountEstimated?: boolean
	/** Size in bytes. */
	readonly sizeBytes?: number
	/** Set if the table has a problem. */
	readonly condition?: TableCondition
	/** The order in which a window first opens it, for example the newest rows first. */
	readonly sort?: readonly Sort[]
	/** What else the engine lists about it, in the order of its columns: when it was created, how it is stored. */
	readonly details?: readonly TableDetail[]
}

/** A property of a table in the list of tables. */
export interface TableDetail {
	/** Title of the column: `Created`. */
	readonly name: string
	/** Numbers sort by value, texts by their characters. */
	readonly value: string | number
	/** Set if the value is the health of the table. The window marks it. */
	readonly state?: FactState
}

/** Something to do with tables, as text of the console. */
export interface TableAction {
	/** Verb and object: `Refresh`, `Delete 3 indices`. */
	readonly label: string
	/** One or more statements. Empty if the action has a form. */
	readonly text: string
	/** `true`: the user completes the text in the console. Otherwise the window shows it, and sends it after a question. */
	readonly isDraft?: boolean
	/** It removes the tables. The window has a key and an entry of menus for it. */
	readonly removes?: true
	/** What the user fills in first. {@link Connection.fillAction} then returns the text, which opens in the console. */
	readonly form?: ActionForm
}

/** The form of an action on tables. */
export interface ActionForm {
	/** Identifies the action for {@link Connection.fillAction}. */
	readonly id: string
	readonly fields: readonly ActionField[]
	/** Whether its text can run at once, after the user has reviewed it. Else it is a draft for the console. */
	readonly canRun?: boolean
}

/** A field of a form of an action. Its value becomes text of the console, so it is never a secret. */
export interface ActionField {
	/** Letters and digits, the first one a small letter. */
	readonly key: string
	readonly label: string
	readonly type: 'text' | 'number' | 'select' | 'switch'
	readonly default?: SettingValue
	readonly placeholder?: string
	readonly help?: string
	readonly required?: boolean
	/** The choices of `select`. */
	readonly options?: readonly { readonly value: string; readonly label: string }[]
	/** The field is shown only while another field has one of these values. */
	readonly visibleWhen?: { readonly field: string; readonly is: readonly SettingValue[] }
}

/** A form that the user has filled. */
export interface FilledAction {
	readonly tables: readonly string[]
	/** `id` of the form. */
	readonly form: string
	/** The values of the visible fields that have one. */
	readonly values: Settings
}

/** Sorts rows by one column. */
export interface Sort {
	readonly column: string
	readonly direction: 'asc' | 'desc'
}

/** A name that can be opened as a table but is not in the list of tables: an alias, a pattern of names. */
export interface FoundTable {
	readonly name: string
	/** The engine's word in lower case, for example `alias`. */
	readonly kind: string
	/** What it stands for: `12 indices`. */
	readonly detail?: string
	/** The order in which a window first opens it, for example the newest rows first. */
	readonly sort?: readonly Sort[]
}

/** What a user reads beside tables, and what has no rows: a function, a trigger, a type. */
export interface DatabaseObject {
	/** Unique among the objects of the connection. {@link Connection.readObject} names the object by it. */
	readonly name: string
	/** The engine's word in lower case, for example `function`. */
	readonly kind: string
	/** The levels that contain it, as those of tables: database, schema, `Functions`. */
	readonly path: readonly string[]
	/** Its name below the path. */
	readonly title: string
}

/** A column that was found by its name. */
export interface FoundColumn {
	readonly table: string
	readonly name: string
	/** The engine's name of the type. */
	readonly type: string
}

/** Why changes of a kind are impossible: `{ insert: 'A view takes no new rows.' }`. */
export type Cannot = Readonly<Partial<Record<Change['kind'], string>>>

/** What prevents or may prevent reading a table: it is closed, or rows or a copy are missing. */
export interface TableCondition {
	readonly state: 'closed' | 'bad' | 'warning'
	/** Text for the user, with a remedy if one is known. */
	readonly text: string
}

/** What the values of a column are. It decides filters, editors and alignment. */
export type ColumnKind = 'text' | 'number' | 'boolean' | 'date' | 'json' | 'binary' | 'other'

/** A column of a table or result. */
export interface Column {
	/** Unique in the table. `.` separates the levels of a flattened object. */
	readonly name: string
	/** The engine's name of the type. */
	readonly type: string
	readonly kind: ColumnKind
	/** Whether the column is part of the key of a row. */
	readonly isKey: boolean
	/** Position in a key of several columns, from 1. */
	readonly keyPosition?: number
	/**
	 * Whether no change may set it. `after_insert`: a new row may set it, and a saved row keeps it, for example an id. The
	 * host refuses an update of such a column, and {@link Connection.applyChanges} must refuse it too.
	 */
	readonly isReadOnly: boolean | 'after_insert'
	readonly isSortable: boolean
	/** A new row must have a value here, because the engine has no default for it. */
	readonly isRequired?: boolean
	/** The column takes no null. */
	readonly isNotNull?: boolean
	/** A column of numbers also takes `NaN`, `Infinity` and `-Infinity`. They are text in cells. */
	readonly takesNonFinite?: boolean
	/** What the engine stores if a new row has no value here, as the engine writes it: `now()`. */
	readonly default?: string
	/** Who makes the value: the engine `always`, or the engine unless a value is given (`default`). */
	readonly generated?: 'always' | 'default'
	/** All values that the column takes, for example of an enumeration, in the engine's order. */
	readonly choices?: readonly string[]
	/**
	 * Its values change without a change of the row: a time to live, a counter, a last access. Leave them out of the
	 * version of a row. No comparison of two reads counts them.
	 */
	readonly isVolatile?: boolean
	/** Every row of the table has the same value, as the engine knows without reading rows. The window may hide it. */
	readonly isUniform?: boolean
	/**
	 * How dates without an offset are read. `none`: the dates have no zone, and a day is the same day everywhere. `UTC`: they
	 * are instants in UTC, although filters read a date in {@link ServerInfo.timeZone}. Omit for all others.
	 */
	readonly zone?: 'none' | 'UTC'
	/** Note for the user. */
	readonly note?: string
	/**
	 * Fields that filters can use beside the column. A field with the column's name says how to filter the column itself.
	 */
	readonly filterFields?: readonly FilterField[]
}

/** A field that filters can use. */
export interface FilterField {
	/** Name for filters. With `takesKey`, the prefix before the key. */
	readonly name: string
	readonly kind: ColumnKind
	/** Supported operators. If absent, the operators of its kind. An empty list: it cannot be filtered. */
	readonly operators?: readonly FilterOperator[]
	/** The user adds a key that the table does not list: `labels.` and `team`. */
	readonly takesKey?: boolean
}

/** The columns of a table. */
export interface TableDescription {
	readonly name: string
	readonly columns: readonly Column[]
	/** Columns whose values identify rows of another table. */
	readonly references?: readonly Reference[]
	/** What people say about the table, for example its comment. */
	readonly note?: string
	/** Its indexes beside the key, one text each: `unique btree (email)`. */
	readonly indexes?: readonly string[]
	/** The other way round: rows of other tables that refer to a row of this one by its `columns`. */
	readonly referrers?: readonly Reference[]
	/** The engine's definition, as JSON. */
	readonly definition?: Json
}

/** A foreign key: `columns` of this table and the columns `to` of `table` have the same values, in the same order. */
export interface Reference {
	readonly columns: readonly string[]
	readonly table: string
	readonly to: readonly string[]
	/** Only of a referrer: what the engine does with its rows if a row here is deleted, in its words: `cascade`, `restrict`. */
	readonly onDelete?: string
}
