import type { Aggregated, AggregateQuery } from './aggregate.ts'
import type { Call } from './call.ts'
import type { Change, ChangeOutcome } from './change.ts'
import type { Console } from './console.ts'
import type { Encoded } from './encoded.ts'
import type { Explainable, Explained } from './explain.ts'
import type { ExportOptions, RowExport } from './export.ts'
import type { FactSection } from './facts.ts'
import type { Grid, GridQuery, RowCount, WholeRow } from './rows.ts'
import type { Table, TableDescription } from './table.ts'

export interface Connection {
	info(): ServerInfo
	listTables(call: Call): Promise<readonly Table[]>
	describeTable(table: string, call: Call): Promise<TableDescription>
	/** A cursor over pages; it holds what deep paging needs until it is closed. */
	openGrid(query: GridQuery, call: Call): Promise<Grid>
	countRows(query: Omit<GridQuery, 'sort'>, call: Call): Promise<RowCount>
	/** Numbers about many rows, by groups. Left out: this engine cannot. */
	aggregate?(query: AggregateQuery, call: Call): Promise<Encoded<Aggregated>>
	/** Where the time of a question goes, which may run it. It only reads. Left out: this engine cannot say. */
	explain?(what: Explainable, call: Call): Promise<Explained>
	/** One whole row, nothing cut. @throws DriverError `not_found`. */
	readRow(table: string, rowId: string, call: Call): Promise<Encoded<WholeRow>>
	/** The requests that {@link applyChanges} would send, in order, as a person reads them. Sends nothing that writes. */
	previewChanges(table: string, changes: readonly Change[], call: Call): Promise<readonly string[]>
	/** Applies in order; every change has its own outcome. A change whose fate is unknown says so. */
	applyChanges(table: string, changes: readonly Change[], call: Call): Promise<readonly ChangeOutcome[]>
	readonly console: Console
	/** Whole rows as a file, nothing cut and no digit lost. Left out: this engine cannot. */
	openExport?(query: GridQuery, options: ExportOptions, call: Call): Promise<RowExport>
	/**
	 * What can be told, read-only, of one table, or of all that the connection reaches. A section that could not be read
	 * says why and takes none of the others along. Left out: nothing can (the manifest's `hasFacts`).
	 */
	readFacts?(table: string | undefined, call: Call): Promise<readonly FactSection[]>
	close(): Promise<void>
}

export interface ServerInfo {
	readonly product: string
	readonly version: string
	/** Warnings worth a line in the window, for example "TLS verification is off". */
	readonly notices: readonly string[]
}
