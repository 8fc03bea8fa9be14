import type { Call } from './call.ts'
import type { Cell } from './cell.ts'
import type { ChangeOutcome } from './change.ts'

/** What happens to a row whose key exists: it fails, it is left out, or it replaces the existing row. */
export const importConflicts = ['fail', 'skip', 'replace'] as const
/** One of {@link importConflicts}. */
export type ImportConflict = (typeof importConflicts)[number]

/** Which columns are imported, and how. */
export interface ImportOptions {
	/** Columns by name. Each row has one cell for each, in this order. */
	readonly columns: readonly string[]
	/** `fail`, or one of `imports.conflicts` of the manifest. */
	readonly onConflict: ImportConflict
}

/**
 * Rows on their way into a table. The host calls one method at a time, and ends with `finish` or `abort`. With
 * `savesWhole` in the manifest nothing of an import is stored before `finish`. After a row fails the host goes on, so that
 * each bad row is named, and aborts at the end, unless the user leaves bad rows out.
 */
export interface RowImport {
	/**
	 * Imports the next rows. Each has an outcome, in order: `conflict` if its key exists and is not replaced, `failed` with
	 * the engine's words, `not_sent` if it went with another one, or `unknown`. A missing cell is the engine's default. If this throws, the outcome of all these
	 * rows is unknown. The host never sends a row again.
	 */
	write(rows: readonly (readonly Cell[])[], call: Call): Promise<readonly ChangeOutcome[]>
	/** Stores what is not stored yet. If this throws, the outcome of that is unknown, and the host aborts. */
	finish(call: Call): Promise<void>
	/** Releases what the engine holds for the import, within five seconds. Drops what is not stored yet. */
	abort(): Promise<void>
}
