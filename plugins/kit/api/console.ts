import type { Call } from './call.ts'
import type { Cell } from './cell.ts'
import type { Encoded, WithRaw } from './encoded.ts'
import type { Fault } from './errors.ts'
import type { Explained } from './explain.ts'
import type { RowExport, StatementExportOptions } from './export.ts'
import type { FactSection } from './facts.ts'
import type { ParameterValue } from './parameters.ts'
import type { Count, GridQuery } from './rows.ts'
import type { Column, Sort } from './table.ts'

/** What a statement, request or tool does at most, from harmless to dangerous. */
export type Access = 'read' | 'write' | 'destructive'

/** A place of a statement that stands for a value. */
export interface AskedPlace {
	/** Offsets from the start of the statement. */
	readonly start: number
	readonly end: number
	readonly name: string
	/**
	 * Of a place inside of a text in quotes: the characters that such a text doubles. The window asks for its value only if
	 * the user chooses to, and writes the value into the text, which is then judged as if the user had typed it.
	 */
	readonly doubled?: string
}

/** A driver's assessment of one statement in a console text: its place, and what it may do. */
export interface Verdict {
	/** Offsets into the console text, in UTF-16 units. */
	readonly start: number
	readonly end: number
	/** What the statement may do. If in doubt, the most dangerous. */
	readonly access: Access
	/** Summary of the statement, on one line. */
	readonly summary: string
	/**
	 * Why `access` is what it is, as a sentence, if the text does not show it: `The block can do anything.` The question for
	 * consent has it, as do the refusal that an AI client gets, quoted, and the activity log.
	 */
	readonly reason?: string
	/**
	 * It runs code whose effect its text does not show, as `CALL` and `DO` do, so `access` is `destructive` in doubt alone. A
	 * connection that writes without asking does not ask a person for it, except in production. Clients are always asked.
	 */
	readonly isOpaque?: true
	/**
	 * It is `destructive` because it deletes or replaces the rows that its condition or their keys select. Never true if all rows of a table are deleted because the text says no condition. A connection that writes without
	 * asking does not ask a person for it, except in production. Clients are always asked.
	 */
	readonly isSelective?: true
	/**
	 * The parts of the text that are secrets, for example the password of a new user, as offsets from `start`. The host
	 * leaves them out of everything that it stores or shows to AI clients later: the activity log, recent queries.
	 */
	readonly secrets?: readonly { readonly start: number; readonly end: number }[]
	/**
	 * `true`: the driver could not read the statement, so it may contain secrets that `secrets` lacks. The host then stores
	 * none of its text.
	 */
	readonly isUnread?: boolean
	/**
	 * What the statement is for a transaction of its session: it `begins` one, `commits` it or `rolls_back`, or a rollback
	 * leaves nothing of it (`undone`). Without a value, the window says of a destructive statement that it cannot be undone.
	 * In an open transaction, a connection that writes without asking does not ask a person for one that is `undone`, except in
	 * production.
	 */
	readonly transaction?: 'begins' | 'commits' | 'rolls_back' | 'undone'
	/**
	 * The scope of a temporary consent, readable for the user: one kind of statement on one table, for example `POST
	 * /books/_update`. `rows` is the largest number of rows that this statement touches. It must follow from the text
	 * alone. Without a grant, the host asks again for each such statement.
	 */
	readonly grant?: { readonly target: string; readonly rows: number }
	/**
	 * The places that stand for values, for example `:id` and `$1`, as offsets from `start`. The window asks for a value of
	 * each name, and sends `{{name}}` in its place ({@link Statement.parameters}), so a name is one of `parameterPlaces`.
	 */
	readonly asks?: readonly AskedPlace[]
	/**
	 * Why it cannot be run, as in a DriverError. Its offset is from `start`. Other statements of the text can still be
	 * run.
	 */
	readonly fault?: Fault
}

/**
 * A statement with its verdict. The host cuts the text out of the console text, so the statement shown and run is
 * always the requested one.
 */
export interface Statement extends Verdict {
	readonly text: string
	/**
	 * The values of the places `{{name}}` in the text, if the manifest says `takesParameters`: one for each place. Send
	 * them to the engine apart from the text ({@link withPlaceholders}), so that no value becomes a part of the statement.
	 * What a user types is a string.
	 */
	readonly parameters?: Readonly<Record<string, Cell>>
}

/** The console of a connection: the language in which users and AI clients write statements. */
export interface Console {
	/**
	 * Finds and classifies the statements of a console text. No other function classifies. It may ask the engine, for
	 * example how volatile a function is, but must not write, and must be quick: it runs before each statement.
	 */
	analyse(text: string, call: Call): readonly Verdict[] | Promise<readonly Verdict[]>
	/**
	 * Tells the effect of a statement before the user consents, best by a rehearsal: the statement runs, its effect is
	 * read, and all is rolled back ({@link Assessment.effect}). Nothing else may be written. Omits what the engine cannot
	 * determine.
	 */
	assess?(statement: Statement, call: Call, options: AssessOptions): Promise<Assessment>
	/** Completes the console text at an offset. It must not fetch more than the table that is being typed. */
	complete?(text: string, offset: number, call: Call): Promise<Completions>
	/** Formats a text. Changes only white space, so that each statement stays the same. Omit if `canFormat` is false. */
	format?(text: string): string | Promise<string>
	/**
	 * Converts a statement for use elsewhere, with placeholders for credentials (the manifest's `copiesAs`). @throws
	 * DriverError
	 */
	copyAs?(statement: Statement): string
	/**
	 * Converts a text that was copied elsewhere into this console's language. Returns `undefined` if its format is
	 * unknown (`pastes`).
	 */
	readPasted?(text: string): Pasted | undefined
	/**
	 * Binds values to the places of a text with one statement (`parameterPlaces`). Each remains a single value, whatever
	 * it contains, and the structure of the statement does not depend on it. Omit if the language cannot bind values;
	 * then no statement with places is offered to AI clients. @throws DriverError `invalid_argument` if a place takes no
	 * value, or not this one
	 *
	 * It is not called if the manifest says `takesParameters`.
	 */
	bindParameters?(text: string, values: Readonly<Record<string, ParameterValue>>): string
	/**
	 * Runs one statement. The caller has allowed it based on its verdict. @throws DriverError `query_failed` if the engine
	 * rejects it
	 */
	run(statement: Statement, options: RunOptions, call: Call): Promise<Encoded<ConsoleResult>>
	/**
	 * Runs a statement that reads again and exports all rows of its first result, without cuts and with all digits. The
	 * engine must refuse every write of it. Omit if `canExport` is false. @throws DriverError `denied` if it writes
	 */
	openExport?(statement: Statement, options: StatementExportOptions, call: Call): Promise<RowExport>
}

/** A statement to explain. */
export interface ExplainableStatement extends Namespace {
	readonly statement: Statement
	/**
	 * If `true`, the statement must not run: the answer is its plan. Set only if the manifest says `canPlan`, and always for
	 * a statement that writes.
	 */
	readonly isPlanOnly?: boolean
}

/** What the engine explains: a statement, or the first rows of a grid. */
export type Explainable = ExplainableStatement | { readonly query: GridQuery }

/** Where the names of a console are looked up, if that is not where the connection looks. */
export interface Namespace {
	/** Another database of the server. Given only if the manifest says `console.hasDatabases`. */
	readonly database?: string | undefined
	/** A schema that is searched first. Given only if the manifest says `console.hasSchemas`. */
	readonly schema?: string | undefined
}

/** A session of the engine for one console of a user. One statement runs at a time. */
export interface ConsoleSession {
	/**
	 * Runs a statement as {@link Console.run} does. If it throws `not_connected`, the session is closed, and the next
	 * statement opens another.
	 */
	run(statement: Statement, options: RunOptions, call: Call): Promise<Omit<ConsoleResult, 'transaction'>>
	/**
	 * Tells the effect of a statement, as {@link Console.assess} does, by a rehearsal in this session. An open transaction
	 * is a reason in `unrehearsed`. Omit if `canRehearse` is false.
	 */
	assess?(statement: Statement, call: Call, options: AssessOptions): Promise<Assessment>
	/** Explains a statement, as {@link Connection.explain} does. Absent: the connection explains it. */
	explain?(what: ExplainableStatement, call: Call): Promise<Explained>
	/**
	 * Exports a statement, as {@link Console.openExport} does, and leaves settings and an open transaction as they are. It
	 * may keep later statements of the session waiting. Omit if `canExport` is false.
	 */
	openExport?(statement: Statement, options: StatementExportOptions, call: Call): Promise<RowExport>
	/**
	 * Whether the engine still has the session. If it does not, a statement is not sent, and the next one opens another
	 * session. Absent: only a statement that fails tells.
	 */
	isOpen?(): boolean
	/** Returns the state after the last statement: in a transaction, in one that can only be rolled back, or in none. */
	transaction(): ConsoleResult['transaction'] | undefined
	/** Rolls back an open transaction and closes the session. */
	close(): Promise<void>
}

/** A pasted text in this console's language. */
export interface Pasted {
	readonly text: string
	/** What was left out of the pasted text. */
	readonly notice?: string
}

/** How a statement is run. */
export interface RunOptions {
	/** Upper limit of rows in the result. */
	readonly maxRows: number
	/**
	 * If `true`, a rejection by the engine may be a result with a fault, so that the whole answer is visible. Otherwise,
	 * and if there is no more to see than the message, it is an error.
	 */
	readonly showsRefusals?: boolean
	/**
	 * The effect that the user agreed to. The statement is committed only if its own is within it
	 * ({@link isWithinEffect}); else it is rolled back, and the result has {@link ConsoleResult.exceeded}. Given only if
	 * {@link Console.assess} returned it.
	 */
	readonly within?: Effect
	/**
	 * Another order of the rows, and which of them, of a statement that only reads. Given only if the manifest says `canSort`.
	 * The window takes the rows alone: columns and origins are those of the first run. @throws DriverError `unsupported` for a
	 * statement whose rows the engine cannot sort
	 */
	readonly sort?: ResultOrder | undefined
	/**
	 * What the user agreed to lose. The statement is committed only if it destroys the same, and no more rows, looked at
	 * under a lock of its transaction; else the result has {@link ConsoleResult.exceeded}. Given only if
	 * {@link Console.assess} returned it.
	 */
	readonly held?: Held
}

/** An order of the rows of a result, and which of them are asked for. */
export interface ResultOrder {
	/** The number of columns of the result, which may have equal names. */
	readonly columns: number
	/** Columns by their indices, the first one counts most. */
	readonly by: readonly { readonly at: number; readonly direction: Sort['direction'] }[]
	/** All of them must hold. */
	readonly where?: readonly ResultCondition[] | undefined
}

/** Rows of a result whose column has a value that was shown, or another one. */
export interface ResultCondition {
	/** The column by its index. */
	readonly at: number
	readonly is: 'same' | 'other'
	/** The value as the driver gave it; `null` is a column without a value. */
	readonly text: string | null
	readonly kind: 'text' | 'number' | 'boolean' | 'date'
}

/** What a statement destroys that is not rehearsed, by identity: its names can stand for something else when it runs. */
export interface Held {
	/** A text that changes with what the names stand for, and with what is lost beside it. */
	readonly identity: string
	/** Number of lost rows. Absent if they were not counted. */
	readonly rows?: number
}

/** How a statement is assessed. */
export interface AssessOptions {
	/** Whether the statement may be rehearsed. */
	readonly rehearses: boolean
}

/** What a statement did to rows, in a transaction that was rolled back. What triggers and cascades did counts too. */
export interface Effect {
	/** Changed tables, in the order of their names. */
	readonly tables: readonly TableEffect[]
	/** Where it ran: a text that differs if another database, role or search path would give the names another meaning. */
	readonly place: string
}

/** Changed rows of one table. */
export interface TableEffect {
	/** As the user reads it, for example `shop.orders`. */
	readonly table: string
	readonly inserted: number
	readonly updated: number
	readonly deleted: number
	/** Some of the rows before and after, at most ten. Absent if they could not be read in time. */
	readonly rows?: ChangedRows
	/** A digest of the keys of all updated and deleted rows. Present only if all of them are known. */
	readonly keys?: string
}

/** Rows as text, with `null` for a missing value. */
export interface ChangedRows {
	readonly columns: readonly string[]
	/** Each with the row before, the row after, or both. */
	readonly changes: readonly {
		readonly before?: readonly (string | null)[]
		readonly after?: readonly (string | null)[]
	}[]
}

/** The effect of a statement or of changes, before they run. */
export interface Assessment {
	/** What a rehearsal did. */
	readonly effect?: Effect
	/** Why the statement was not rehearsed, as a sentence. The host then takes it for one that destroys data. */
	readonly unrehearsed?: string
	/** Why the statement fails. It is refused, and no user is asked. */
	readonly fault?: Fault
	/** Number of rows that the statement touches. */
	readonly affects?: Count
	/**
	 * What the statement destroys, described so that the user can decide, for example `the index books with 3,003
	 * documents`.
	 */
	readonly destroys?: string
	/** Identity of what `destroys` describes. The run gets it back as {@link RunOptions.held}. */
	readonly held?: Held
	/**
	 * What a temporary consent may cover, set only after a look-up: a string that changes when the same text would write
	 * elsewhere, for example the id of the one table that it writes. Without it the host asks for each statement.
	 */
	readonly scope?: string
}

/** Completions for the text between `from` and the requested offset. */
export interface Completions {
	readonly from: number
	readonly options: readonly {
		readonly label: string
		readonly kind: 'method' | 'endpoint' | 'parameter' | 'keyword' | 'function' | 'schema' | 'table' | 'column'
		/** Short text beside the label. */
		readonly detail?: string
		/** A sentence that describes the option. */
		readonly info?: string
		/** An `https:` page with documentation. */
		readonly url?: string
		/** Whether the engine has deprecated it. Such options come last. */
		readonly isDeprecated?: boolean
		/** The inserted text, if it differs from the label. */
		readonly insert?: string
		/** Where the cursor goes in the inserted text, as an offset. Default: to its end. */
		readonly cursor?: number
		/** Number of characters after the requested offset that the text replaces, for example a closing quote. */
		readonly replacesAfter?: number
		/**
		 * Whether Enter accepts it before anything is typed, if it is the first option: the one condition by which a foreign
		 * key joins two tables. Otherwise Enter accepts only an option that begins with what is typed.
		 */
		readonly isCertain?: boolean
	}[]
}

/** A result of a statement. */
export interface ResultPart {
	/** The engine's status line, for example `200 OK` or `UPDATE`. */
	readonly status: string
	/** Number of rows that the statement inserted, changed or deleted. */
	readonly affected?: number
	readonly notices: readonly string[]
	readonly body: ResultBody
	/** Its name, if the parts are of one answer: `Hits`, `Aggregations`. If all have one, the window shows one at a time. */
	readonly title?: string
}

/**
 * The result of a statement. `raw` is the complete, unchanged answer. A JSON body without a separate text is read from
 * `raw`.
 */
export interface ConsoleResult extends WithRaw, ResultPart {
	readonly tookMs: number
	/** Size of the engine's answer, in bytes. */
	readonly sizeBytes?: number
	/** Why the engine rejected the statement. The body is the engine's answer. */
	readonly fault?: Fault
	/** Readable parts of the answer beside its rows: where the time was spent, why a row matches. */
	readonly panels?: readonly FactSection[]
	/** Set by the kit while a session is in a transaction. */
	readonly transaction?: 'open' | 'failed'
	/** The database in which the session looks up names now, if its statements have changed that. Only of sessions. */
	readonly database?: string
	/** The schema that the session searches first now, if its statements have changed that. Only of sessions. */
	readonly schema?: string
	/** What the statement did beyond {@link RunOptions.within}, as a sentence. It was rolled back. */
	readonly exceeded?: string
	/** Further results, in order, of a statement that has several, for example a procedure. */
	readonly more?: readonly ResultPart[]
}

/** A table that rows of a result are from or refer to. The window opens its rows. */
export interface ResultOrigin {
	/** By its name in the list of tables. */
	readonly table: string
	/**
	 * The columns of its key, each with the index of the column of the result that has its value. Empty if the result does
	 * not say from which row of the table the columns are: the window opens none for them.
	 */
	readonly key: readonly { readonly column: string; readonly at: number }[]
	/** The indices of the result's columns that are from this table, or refer to it. */
	readonly columns: readonly number[]
	/**
	 * The names of these columns in the table, in the same order; empty for one that takes no value in a new row, for example
	 * a computed one. With them, the window copies rows as the statements that insert them. Omit if the driver does not know
	 * them.
	 */
	readonly names?: readonly string[]
}

/** The answer of a statement, in the view that fits it. */
export type ResultBody =
	| {
			readonly view: 'rows'
			readonly columns: readonly Column[]
			readonly rows: readonly (readonly Cell[])[]
			readonly total?: Count
			readonly isTruncated: boolean
			/** Tables whose key is in the result. */
			readonly origins?: readonly ResultOrigin[]
			/** Tables that columns of the result refer to, once for each reference. */
			readonly references?: readonly ResultOrigin[]
			/** Values that apply to all rows together. */
			readonly totals?: readonly { readonly name: string; readonly value: Cell }[]
			/** The engine computed the numbers, so the window may show `1.6E7` as `16000000`. Copies keep the engine's text. */
			readonly isComputed?: boolean
			/** How the rows can be charted. */
			readonly chart?: Chart
			/** The rows were read from a text, so `raw` is shown as text and not as JSON. */
			readonly rawView?: 'text'
	  }
	| { readonly view: 'json'; readonly json?: string }
	| { readonly view: 'text'; readonly text?: string }

/** Columns of a chart, by name: values over time, or for each of several keys. */
export interface Chart {
	/** The column of the horizontal axis. */
	readonly by: string
	/** The column whose values are the parts of a bar. Rows with the same `by` form one bar. */
	readonly stack?: string
	readonly isTime: boolean
	/** Columns with numbers. */
	readonly values: readonly string[]
}
