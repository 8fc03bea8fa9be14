import type { Call } from './call.ts'

/** Formats of an export: one JSON text a line, one JSON array, or CSV with a header. */
export const exportFormats = ['ndjson', 'json', 'csv'] as const
/** One of the formats of {@link exportFormats}. */
export type ExportFormat = (typeof exportFormats)[number]

/** Which rows and columns are exported, and how. */
export interface ExportOptions {
	/** One of {@link exportFormats}, or an `id` of the manifest's `exports`. Reject any other with `unsupported`. */
	readonly format: string
	/** Columns by name, in this order. If absent: whole rows, or for CSV all columns of the table. */
	readonly columns?: readonly string[]
	/** Exports only these rows, in this order, and ignores filters and sort of the query. */
	readonly rowIds?: readonly string[]
	/** Upper limit of rows. The first rows are exported. */
	readonly limit?: number
	/** CSV: prefixes text that a spreadsheet would run as a formula with `'`. */
	readonly guardFormulas?: boolean
	/** As `GridOpening.without`. */
	readonly without?: readonly string[]
}

/** How the rows of a statement are exported: `format` is one of {@link exportFormats}. */
export type StatementExportOptions = Pick<ExportOptions, 'format' | 'guardFormulas'>

/** The text of an export, in pieces. One reader, one call at a time. Every piece reports its progress in rows. */
export interface RowExport {
	/**
	 * Returns the next piece as UTF-8, or `undefined` at the end. @throws DriverError if rows are missing: there is no
	 * partial success.
	 */
	read(call: Call): Promise<Uint8Array | undefined>
	/** Releases what the engine holds for the export, within five seconds. Also called before the end. */
	close(): Promise<void>
}
