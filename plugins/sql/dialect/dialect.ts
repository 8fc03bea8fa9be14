import type { Cell, Column, Explained, FactSection, Reference, ServerInfo, Table, Verdict } from '@roundhouse/kit'
import type { Sessions, SqlSession } from '../connection.ts'
import type { Lexer } from '../text/lexer.ts'
import type { TextRow } from '../text/session.ts'

/** What a driver gives for an engine that it reads. {@link connectionOf} makes the connection of it. No function uses `this`. */
export interface Dialect<Session extends DialectSession = DialectSession> {
	/** What the connection reached. */
	readonly info: ServerInfo
	/** The sessions of the connection. */
	readonly sessions: Sessions<Session>
	/** Tokens, names and words of the engine's SQL. */
	readonly language: Language
	/** How values are selected, read and written. */
	readonly values: Values
	/** Why nothing can be changed, as a sentence. */
	readonly readsOnly: string
	/** Lists tables and views, in the same order each time. */
	listTables(session: Session, signal: AbortSignal): Promise<readonly Table[]>
	/** Describes a table. @throws DriverError `not_found` */
	describe(session: Session, table: string, signal: AbortSignal): Promise<DialectTable>
	/** Reads facts about a table, or about the connection. */
	facts(session: Session, table: string | undefined, signal: AbortSignal): Promise<readonly FactSection[]>
	/**
	 * Says what one statement may do. Its places in two braces are NULL. In doubt, it is `destructive`, and is never run.
	 * @throws DriverError for a text that the engine does not understand
	 */
	judge(session: Session, statement: string, signal: AbortSignal): Promise<Pick<Verdict, 'access' | 'reason'>>
	/** Describes the result of a statement that reads. */
	result(session: Session, statement: string, signal: AbortSignal): Promise<Result>
	/** Explains a query. */
	explain(session: Session, sql: string, signal: AbortSignal): Promise<Explained>
}

/** A session of a dialect. */
export interface DialectSession extends SqlSession {
	/** Reads all rows of a query, whose values are all texts. @throws DriverError `query_failed` */
	read(sql: string, signal: AbortSignal): Promise<readonly TextRow[]>
	/** Reads rows one by one. `take` returns a promise if no more rows are wanted before it resolves. */
	readEach(sql: string, take: TakeRow, signal: AbortSignal): Promise<void>
}

/** Takes a row. A promise says to wait until it resolves, because the reader is slow. */
export type TakeRow = (row: TextRow) => Promise<void> | undefined

/** Tokens, names and words of an engine's SQL. */
export interface Language {
	readonly lexer: Lexer
	/** Returns a name as SQL, with quotes if it needs them. */
	quoted(name: string): string
	/** The quotes of names, each with its closing one. */
	readonly quotes: Readonly<Record<string, string>>
	/** Words that begin a statement, as completion offers them. */
	readonly starts: readonly string[]
	/** Names of the functions that completion offers. */
	readonly functions: readonly string[]
}

/** What the text of a value depends on. */
export type ValueColumn = Pick<Column, 'kind' | 'type'>

/** Values travel as texts that have all of them, so that a row is found again by its own values. */
export interface Values {
	/** Returns SQL of the text that has the whole value of an expression, or NULL. */
	whole(expression: string, column: ValueColumn): string
	/** The same for a cell, where a long value may be cut. */
	short(expression: string, column: ValueColumn): string
	/** Reads a text that `whole` or `short` selected. */
	cellOf(text: string, column: ValueColumn): Cell
	/** Returns the text of `whole` for a value of a statement. */
	textOf(value: Given): string
	/** Returns the value of a text of `whole` as SQL. */
	exact(text: string): string
	/** Returns what the user types for a column in a filter, as SQL. @throws DriverError `invalid_argument` */
	typed(column: Column, typed: string): string
	/** Returns what a filter compares of a column. */
	compared(column: Column): string
	/** Returns the condition that a column, as a text, fits a pattern of LIKE, whose escape is a backslash. */
	matches(column: Column, pattern: string): string
	/** Returns SQL of a short text that differs for different texts of `whole`: it identifies rows without a key. */
	digest(texts: readonly string[]): string
	/** Where NULL stands among other values. */
	readonly nulls: 'largest' | 'smallest'
}

/** A table of a dialect. */
export interface DialectTable {
	readonly name: string
	/** As FROM takes it. */
	readonly from: string
	readonly columns: readonly Column[]
	/** What identifies a row and orders rows. Empty: nothing but all of its values, as of a view. */
	readonly key: readonly KeyPart[]
	/** Indexes beside the key, one text each. */
	readonly indexes: readonly string[]
	/** What the table refers to, and what refers to it. */
	readonly references: readonly Reference[]
	readonly referrers: readonly Reference[]
	/** What people say about the table. */
	readonly comment?: string | undefined
}

/** A part of a key: a column, or what else the engine knows of a row, such as its number. */
export interface KeyPart extends ValueColumn {
	readonly name: string
}

/** The result of a statement. */
export interface Result {
	readonly columns: readonly Column[]
	/** The statement as a query whose values are texts, and which takes a LIMIT behind it. */
	readonly sql: string
}

/** A value that a user gives: the digits of a number, a text, or bytes. */
export type Given = { readonly number: string } | { readonly text: string } | { readonly bytes: Buffer }
