import type { Cell } from './cell.ts'
import type { DriverErrorCode } from './errors.ts'
import { type Json, type JsonObject, parseJson } from './json.ts'
import type { Settings } from './manifest.ts'

/**
 * The driver API. A driver is one module whose default export is `defineDriver({...})`; the host runs it in a process
 * of its own and calls it through this interface alone.
 *
 * Rows, console results and whole rows travel as encoded JSON bytes ({@link Encoded}): the driver encodes them once,
 * and no layer between it and the reader parses them.
 */

/** UTF-8 bytes of the JSON text of a `T`. */
export type Encoded<T> = Uint8Array & { readonly __of?: T }

export interface Progress {
	/** Grows from 0; `total` in the same unit when it is known. */
	readonly done: number
	readonly total?: number
	readonly message?: string
}

/** What every call carries. */
export interface Call {
	/** Fires when nobody waits any more: stop the work in the engine, not only here. */
	readonly signal: AbortSignal
	progress(progress: Progress): void
}

export interface DriverContext {
	/** A private folder that is emptied when the driver stops. */
	readonly scratchFolder: string
	log(message: string): void
}

export interface Driver {
	/** Opens a connection. @throws DriverError `not_connected` or `denied`, with the failing check and the remedy. */
	connect(settings: Settings, context: DriverContext, call: Call): Promise<Connection>
	/** Starts the embedded data source, on `port` if that is free. */
	startSample?(context: DriverContext, options: { readonly port?: number }): Promise<Sample>
	/** Handlers of the tools in the manifest, by name. */
	readonly tools?: Readonly<Record<string, ToolHandler>>
	readonly prompts?: Readonly<Record<string, PromptHandler>>
	/** Reads one of the driver's own resources. @throws DriverError `not_found`. */
	readResource?(uri: string, call: ToolCall): Promise<ResourceOutcome>
	complete?(request: CompletionRequest, call: Call): Promise<Completion>
}

export interface Sample {
	/** What the connection form needs to reach it. */
	readonly settings: Settings
	/** Where a second client reaches it. */
	readonly url: string
	close(): Promise<void>
}

export interface Connection {
	info(): ServerInfo
	listTables(call: Call): Promise<readonly Table[]>
	describeTable(table: string, call: Call): Promise<TableDescription>
	/** A cursor over pages; it holds what deep paging needs until it is closed. */
	openGrid(query: GridQuery, call: Call): Promise<Grid>
	countRows(query: Omit<GridQuery, 'sort'>, call: Call): Promise<Count>
	/** One whole row, nothing cut. @throws DriverError `not_found`. */
	readRow(table: string, rowId: string, call: Call): Promise<Encoded<WholeRow>>
	/** The requests that {@link applyChanges} would send, in order, as a person reads them. Sends nothing that writes. */
	previewChanges(table: string, changes: readonly Change[], call: Call): Promise<readonly string[]>
	/** Applies in order; every change has its own outcome. A change whose fate is unknown says so. */
	applyChanges(table: string, changes: readonly Change[], call: Call): Promise<readonly ChangeOutcome[]>
	readonly console: Console
	/** Whole rows as a file, nothing cut and no digit lost. Left out: this engine cannot. */
	openExport?(query: GridQuery, options: ExportOptions, call: Call): Promise<RowExport>
	close(): Promise<void>
}

export interface ServerInfo {
	readonly product: string
	readonly version: string
	/** Warnings worth a line in the window, for example "TLS verification is off". */
	readonly notices: readonly string[]
}

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

export interface Sort {
	readonly column: string
	readonly direction: 'asc' | 'desc'
}

export const filterOperators = [
	'equals',
	'not_equals',
	'less',
	'less_or_equal',
	'greater',
	'greater_or_equal',
	'between',
	'in',
	'not_in',
	'contains',
	'starts_with',
	'ends_with',
	'wildcard',
	'exists',
	'missing',
] as const
export type FilterOperator = (typeof filterOperators)[number]

export interface Filter {
	readonly column: string
	readonly operator: FilterOperator
	/** As a person types them; the driver types them by the column. `exists` and `missing` have none. */
	readonly values: readonly string[]
}

export interface GridQuery {
	readonly table: string
	readonly filters: readonly Filter[]
	readonly match: 'all' | 'any'
	/** The engine's own query language, matched beside the filters. */
	readonly raw?: string
	readonly sort: readonly Sort[]
}

export interface Grid {
	/** Rows `offset` to `offset + limit`, fewer at the end. */
	page(range: { readonly offset: number; readonly limit: number }, call: Call): Promise<Encoded<GridPage>>
	close(): Promise<void>
}

export const exportFormats = ['ndjson', 'json', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

export interface ExportOptions {
	readonly format: ExportFormat
	/** By name, in this order. Left out: whole rows, or in CSV all columns of the table. */
	readonly columns?: readonly string[]
	/** Only these rows, in this order; filters and sort of the query are then left aside. */
	readonly rowIds?: readonly string[]
	/** CSV: puts `'` before text that a spreadsheet would run as a formula. */
	readonly guardFormulas?: boolean
}

/** The text of an export, piece by piece. One reader, one call at a time; every piece reports its progress in rows. */
export interface RowExport {
	/** The next piece, UTF-8; `undefined` at the end. @throws DriverError when rows are missing: there is no partial success. */
	read(call: Call): Promise<Uint8Array | undefined>
	close(): Promise<void>
}

export interface GridPage {
	readonly columns: readonly Column[]
	readonly rows: readonly Row[]
	readonly total: Count
	readonly tookMs: number
	/** The request of the page as the console takes it, for a person who wants to see it. */
	readonly request?: string
	/** What the person should know of this page: a sort that was dropped, shards that failed. */
	readonly notices: readonly string[]
}

export interface Row {
	/** Addresses the row in this table; opaque outside the driver, the same at each read. */
	readonly id: string
	/** The state that was read, for the check against concurrent changes; opaque. */
	readonly version?: string
	/** One a column, in the order of the page's columns. */
	readonly cells: readonly Cell[]
}

export interface Count {
	readonly value: number
	/** `false`: there are at least this many. */
	readonly isExact: boolean
}

export interface WholeRow {
	readonly id: string
	readonly version?: string
	/** Metadata such as the index and the id, by name. */
	readonly meta: JsonObject
	readonly document: Json
}

/**
 * New values are cells; `{json}` holds JSON text that becomes the value. A missing cell removes the field, and a cut one
 * stores the text that is there; a driver that can do neither refuses with `invalid_argument`.
 */
export type Change =
	| {
			readonly kind: 'update'
			readonly rowId: string
			readonly version?: string
			readonly set: Readonly<Record<string, Cell>>
	  }
	| { readonly kind: 'insert'; readonly values: Readonly<Record<string, Cell>> }
	| { readonly kind: 'delete'; readonly rowId: string; readonly version?: string }

export type ChangeOutcome =
	| { readonly status: 'applied'; readonly rowId?: string; readonly version?: string }
	/** Someone else changed the row since it was read. */
	| { readonly status: 'conflict'; readonly message: string }
	/** Nothing was changed. */
	| { readonly status: 'failed'; readonly message: string }
	/** The connection was lost while the engine had the request. */
	| { readonly status: 'unknown'; readonly message: string }
	/** Not sent, because an earlier change ended the run. */
	| { readonly status: 'not_sent' }

export type Access = 'read' | 'write' | 'destructive'

/** One statement of a console text, read and judged: the verdict travels with it to whoever asks for it to be run. */
export interface Statement {
	/** Offsets into the console text, in UTF-16 units. */
	readonly start: number
	readonly end: number
	readonly text: string
	/** What it may do; the worst when in doubt. */
	readonly access: Access
	/** The statement in one line. */
	readonly summary: string
	/**
	 * What a person's consent for a while may cover, as they read it: one kind of statement on one table, for example
	 * `POST /books/_update`. Left out: each such statement is asked for anew.
	 */
	readonly grantTarget?: string
	/** Why it cannot be run, as a DriverError has it; other statements of the text can. */
	readonly fault?: { readonly code: DriverErrorCode; readonly message: string }
}

export interface Console {
	/** Splits console text into statements and judges each, which happens here alone. */
	analyse(text: string): readonly Statement[]
	/**
	 * What a statement would do, as far as the engine can tell without doing it: asked before a person consents.
	 * It must not write, and leaves out what it cannot find out.
	 */
	assess?(statement: Statement, call: Call): Promise<Assessment>
	/** What can follow at an offset of the console text. It must not fetch more than the one table being typed. */
	complete?(text: string, offset: number, call: Call): Promise<Completions>
	/** Runs one statement. Whoever allows that goes by its verdict. */
	run(statement: Statement, options: { readonly maxRows: number }, call: Call): Promise<Encoded<ConsoleResult>>
}

export interface Assessment {
	/** How many rows the statement touches. */
	readonly affects?: Count
	/** What is gone afterwards, in words a person can decide on, for example `the index books with 3,003 documents`. */
	readonly destroys?: string
}

/** Suggestions for the text between `from` and the offset that was asked about. */
export interface Completions {
	readonly from: number
	readonly options: readonly {
		readonly label: string
		readonly kind: 'method' | 'endpoint' | 'parameter' | 'keyword' | 'table' | 'column'
		readonly detail?: string
		/** What is put in, where it is more than the label. */
		readonly insert?: string
	}[]
}

export interface ConsoleResult {
	/** The engine's own status line, for example `200 OK`. */
	readonly status: string
	readonly tookMs: number
	readonly notices: readonly string[]
	readonly body:
		| {
				readonly view: 'rows'
				readonly columns: readonly Column[]
				readonly rows: readonly (readonly Cell[])[]
				readonly total?: Count
				readonly isTruncated: boolean
		  }
		| { readonly view: 'json'; readonly json: string }
		| { readonly view: 'text'; readonly text: string }
}

/** A tool call, prompt or resource read as an AI client sees it. */
export interface ToolCall extends Call {
	/** The open connection, where the manifest says `needsConnection`. */
	readonly connection?: Connection
	/** What the client declared, for example `{elicitation: {}}`; ask for nothing else. */
	readonly clientCapabilities: JsonObject
	/** Answers to an earlier `ask`, by key; empty on the first round. */
	readonly inputResponses: JsonObject
	/** The state given with an earlier `ask`; the host signed it and checked it. */
	readonly state?: Json
}

/** An MCP content block, passed through untouched. */
export type ContentBlock = JsonObject & { readonly type: string }

/** Asks the client for input instead of answering (MCP 2026-07-28, "input_required"). */
export interface Ask {
	readonly ask: Readonly<Record<string, { readonly method: string; readonly params: JsonObject }>>
	/** Comes back as {@link ToolCall.state}; the host signs it, so that a client cannot alter it. */
	readonly state?: Json
}

/** The client lacks a capability that the call cannot do without. */
export interface MissingCapability {
	readonly missingCapability: JsonObject
}

export interface ToolResult {
	readonly content: readonly ContentBlock[]
	readonly structuredContent?: JsonObject
	readonly isError?: boolean
}

export type ToolHandler = (args: JsonObject, call: ToolCall) => Promise<ToolResult | Ask | MissingCapability>

export interface PromptResult {
	readonly description?: string
	readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: ContentBlock }[]
}
export type PromptHandler = (args: Readonly<Record<string, string>>, call: ToolCall) => Promise<PromptResult | Ask>

export interface ResourceContents {
	readonly uri: string
	readonly mimeType?: string
	readonly text?: string
	/** base64 */
	readonly blob?: string
}
export type ResourceOutcome = { readonly contents: readonly ResourceContents[] } | Ask

export interface CompletionRequest {
	readonly ref:
		| { readonly type: 'ref/prompt'; readonly name: string }
		| { readonly type: 'ref/resource'; readonly uri: string }
	readonly argument: { readonly name: string; readonly value: string }
	readonly context?: Readonly<Record<string, string>>
}
export interface Completion {
	readonly values: readonly string[]
	readonly total?: number
	readonly hasMore?: boolean
}

/** Says that this object is a driver; returns it as it is. */
export function defineDriver(driver: Driver): Driver {
	return driver
}

const encoder = new TextEncoder()

/** Encodes a result once, as the bytes that travel to its reader. */
export function encode<T>(value: T): Encoded<T> {
	return encoder.encode(JSON.stringify(value))
}

const decoder = new TextDecoder()

/** Parses what a driver encoded; numbers keep their digits. Who decodes has seen bytes only: the type is the driver's word. */
export function decode<T>(encoded: Encoded<T>): T {
	return parseJson(decoder.decode(encoded)) as Json as T
}
