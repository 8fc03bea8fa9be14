import type { Call } from './call.ts'

export const exportFormats = ['ndjson', 'json', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

export interface ExportOptions {
	readonly format: ExportFormat
	/** By name, in this order. Left out: whole rows, or in CSV all columns of the table. */
	readonly columns?: readonly string[]
	/** Only these rows, in this order; filters and sort of the query are then left aside. */
	readonly rowIds?: readonly string[]
	/** So many rows at most, the first ones. */
	readonly limit?: number
	/** CSV: puts `'` before text that a spreadsheet would run as a formula. */
	readonly guardFormulas?: boolean
}

/** The text of an export, piece by piece. One reader, one call at a time; every piece reports its progress in rows. */
export interface RowExport {
	/** The next piece, UTF-8; `undefined` at the end. @throws DriverError when rows are missing: there is no partial success. */
	read(call: Call): Promise<Uint8Array | undefined>
	close(): Promise<void>
}
