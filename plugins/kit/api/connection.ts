import type { Aggregated, AggregateQuery } from './aggregate.ts'
import type { Call } from './call.ts'
import type { Change, ChangeOutcome, PreviewOptions } from './change.ts'
import type { Assessment, Console, ConsoleSession, Explainable, Namespace } from './console.ts'
import type { Encoded } from './encoded.ts'
import type { Explained } from './explain.ts'
import type { ExportOptions, RowExport } from './export.ts'
import type { FactSection } from './facts.ts'
import type { HiddenColumns, HiddenPart } from './hidden-columns.ts'
import type { ImportOptions, RowImport } from './import.ts'
import type { RawReading, TypedQuery } from './raw-query.ts'
import type { Grid, GridOpening, GridQuery, RowCount, WholeRow } from './rows.ts'
import type { SimilarGroups, SimilarQuery } from './similar.ts'
import type {
	DatabaseObject,
	FilledAction,
	FoundColumn,
	FoundTable,
	Table,
	TableAction,
	TableDescription,
} from './table.ts'
import type { TableChange, TableForm, TableFormPlace, TriedChange } from './table-form.ts'

/** An open connection to an engine. The host calls its methods at the same time, and each until it is closed. */
export interface Connection {
	/** Returns what the connection reached, without asking the engine. */
	info(): ServerInfo
	/** Lists all tables, in the same order each time, with unique names. */
	listTables(call: Call): Promise<readonly Table[]>
	/**
	 * Returns names beyond the list of tables that fit a text as the user types it, best first, at most 20: all methods that
	 * take a table take them too. Omit if the list has everything that can be opened.
	 */
	findTables?(text: string, call: Call): Promise<readonly FoundTable[]>
	/**
	 * Returns the columns of all tables whose name contains a text, regardless of case, in the order of the list of tables,
	 * at most 1,000. Omit if it takes a request for each table: then the host describes the first tables.
	 */
	findColumns?(text: string, call: Call): Promise<readonly FoundColumn[]>
	/**
	 * Returns what can be done with these tables together, in the order of a menu. Without tables: how to create one. Sends
	 * no write. Omit if there is nothing (the manifest's `hasTableActions`).
	 */
	tableActions?(tables: readonly string[], call: Call): Promise<readonly TableAction[]>
	/**
	 * Returns the console text of an action with a form. Sends no write. Omit if no action has a form. @throws DriverError
	 * `invalid_argument` with what to change in the form
	 */
	fillAction?(filled: FilledAction, call: Call): Promise<string>
	/**
	 * Returns the form in which users define a table, with the table as it is. Omit if the driver has none (the manifest's
	 * `hasTableForm`). @throws DriverError `unsupported` with the reason, for example for a view
	 */
	readTableForm?(place: TableFormPlace, call: Call): Promise<TableForm>
	/**
	 * Returns the statements of a change, in order; none if it changes nothing. Sends no write. @throws DriverError
	 * `invalid_argument` with what to change in the form
	 */
	tableStatements?(change: TableChange, call: Call): Promise<readonly string[]>
	/**
	 * Tells what a change costs and loses. It may run the statements, and rolls all of them back. Omit if the driver cannot
	 * tell.
	 */
	tryTableChange?(change: TableChange, call: Call): Promise<TriedChange>
	/**
	 * Returns what clients must not see of a table, in whatever spelling it is named: its hidden columns, and what else shows
	 * values of hidden columns of any table. These are partitions and parents, generated columns, references and views. In
	 * doubt the table is refused. Called before and after each read of an AI client on a connection that hides columns. Omit
	 * if the driver cannot tell: then clients read no row of a table with hidden columns, and of no view.
	 */
	hiddenPart?(table: string, hidden: readonly HiddenColumns[], call: Call): Promise<HiddenPart>
	/**
	 * Returns a text that makes a login which may not read hidden columns, in the language of the console, for the user to
	 * read and to run elsewhere. Comments in it say what it leaves out, and what the user must look at. Sends no write. Omit
	 * if the engine has no rights on columns.
	 */
	restrictedLogin?(hidden: readonly HiddenColumns[], call: Call): Promise<string>
	/** Describes a table. @throws DriverError `not_found`. */
	describeTable(table: string, call: Call): Promise<TableDescription>
	/** Opens a cursor over pages. It holds the resources for deep paging until it is closed. */
	openGrid(query: GridOpening, call: Call): Promise<Grid>
	/** Counts the rows of a query. If the count is an estimate, `isExact` is `false`. */
	countRows(query: Omit<GridQuery, 'sort'>, call: Call): Promise<RowCount>
	/** Computes numbers about many rows, by groups. Omit if the engine cannot. */
	aggregate?(query: AggregateQuery, call: Call): Promise<Encoded<Aggregated>>
	/**
	 * Groups similar messages of a log for the window. `undefined` if this server cannot. Omit if the engine never can: then
	 * the window groups the newest rows itself.
	 */
	groupSimilar?(query: SimilarQuery, call: Call): Promise<SimilarGroups | undefined>
	/**
	 * Reads a raw query of a table while the user types it in the window, on every pause. Omit if there is nothing to
	 * complete.
	 */
	readRawQuery?(table: string, typed: TypedQuery, call: Call): Promise<RawReading>
	/**
	 * Returns a raw query (`GridQuery.raw`) for the rows of a query, which the user copies into the query bar or a
	 * statement. Sends no write. Omit if there are no raw queries. @throws DriverError `invalid_argument` as
	 * {@link countRows}
	 */
	filterText?(query: Omit<GridQuery, 'sort'>, call: Call): Promise<string>
	/** Returns where a query spends its time, and may run it. Read-only. Omit if the engine cannot. */
	explain?(what: Explainable, call: Call): Promise<Explained>
	/** Reads one complete row, without cuts. @throws DriverError `not_found`. */
	readRow(table: string, rowId: string, call: Call): Promise<Encoded<WholeRow>>
	/**
	 * Returns the requests that {@link applyChanges} would send, in order and readable for the user, who can copy them to a
	 * console. Sends no write.
	 */
	previewChanges(
		table: string,
		changes: readonly Change[],
		call: Call,
		options?: PreviewOptions,
	): Promise<readonly string[]>
	/**
	 * Estimates the effect of changes before the user consents, as {@link Console.assess} does for a statement: which
	 * tables lose rows or their content (`destroys`), and what a temporary consent may cover (`scope`). Sends no write.
	 * Omit if the changes of a table are rows of that table alone and replace nothing else.
	 */
	assessChanges?(table: string, changes: readonly Change[], call: Call): Promise<Assessment>
	/**
	 * Applies changes in order. Every change has an outcome, which is `unknown` if the result could not be determined. With
	 * `savesWhole` in the manifest, either all are `applied`, or none is.
	 */
	applyChanges(table: string, changes: readonly Change[], call: Call): Promise<readonly ChangeOutcome[]>
	/** Runs the statements of AI clients and of users, unless there are sessions. No statement affects the next one. */
	readonly console: Console
	/**
	 * Lists the databases of the server that a console can be opened for, that of the connection first (the manifest's
	 * `console.hasDatabases`): an empty name if the connection is in none. Omit if a connection has one.
	 */
	listDatabases?(call: Call): Promise<readonly string[]>
	/** Returns the console of another of these databases, or of a schema: analysed, completed and run there. */
	consoleOf?(namespace: Namespace): Console
	/**
	 * Opens a session for one console of a user, in which statements share a transaction and settings. AI clients never
	 * use it. Omit if the engine has none. @param namespace where its names are looked up first
	 */
	openSession?(call: Call, namespace?: Namespace): Promise<ConsoleSession>
	/** Exports complete rows as a file, without cuts and with all digits. Omit if the engine cannot. */
	openExport?(query: GridQuery, options: ExportOptions, call: Call): Promise<RowExport>
	/**
	 * Opens a faster way for many new rows of a table, for example COPY. Omit if the engine has none: then the host
	 * inserts the rows with {@link applyChanges}. @throws DriverError `unsupported` if the table takes no new rows.
	 */
	openImport?(table: string, options: ImportOptions, call: Call): Promise<RowImport>
	/**
	 * Reads read-only facts about a table, or about the whole connection. A section that could not be read says why and
	 * does not affect the others. Omit if there are none (the manifest's `hasFacts`).
	 */
	readFacts?(table: string | undefined, call: Call): Promise<readonly FactSection[]>
	/**
	 * Lists what the user can read beside tables, in the same order each time. Omit if there is nothing (the manifest's
	 * `hasObjects`).
	 */
	listObjects?(call: Call): Promise<readonly DatabaseObject[]>
	/** Reads facts about one of these objects, for example its definition. @throws DriverError `not_found` */
	readObject?(name: string, call: Call): Promise<readonly FactSection[]>
	/** Closes the connection and its grids, within five seconds. Closing it again does nothing. */
	close(): Promise<void>
}

/** What the connection reached. */
export interface ServerInfo {
	/** The engine's name for itself. */
	readonly product: string
	/** The engine's version. */
	readonly version: string
	/** Warnings that the window shows, for example "TLS verification is off". */
	readonly notices: readonly string[]
	/**
	 * The zone in which filters read a date without a time, and in which intervals of the calendar begin, as an IANA name:
	 * `Europe/Berlin`. Omit if it is UTC or if the engine has no dates.
	 */
	readonly timeZone?: string
}
