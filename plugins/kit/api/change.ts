import type { Cell } from './cell.ts'

/**
 * A change of one row. New values are cells: `{json}` contains JSON text that becomes the value, and a missing cell
 * removes the field. A driver that cannot remove a field rejects that with `invalid_argument`. The host never passes a
 * truncated cell.
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

/** How changes are shown as requests. */
export interface PreviewOptions {
	/** Columns that the texts must neither show nor depend on, and all below them. */
	readonly without?: readonly string[]
	/** `true`: they are copied to run elsewhere, so they leave out what only the driver reads of their answer. */
	readonly isForCopy?: boolean
}

/** What became of one change. */
export type ChangeOutcome =
	| {
			readonly status: 'applied'
			readonly rowId?: string
			readonly version?: string
			/**
			 * Values that the row has now, by column, for example those that the engine computed or rounded. The window shows the
			 * sent values in the other columns.
			 */
			readonly values?: Readonly<Record<string, Cell>>
	  }
	/** Another client changed the row since it was read. */
	| { readonly status: 'conflict'; readonly message: string }
	/** Nothing was changed. */
	| {
			readonly status: 'failed'
			readonly message: string
			/** The column whose value was refused, if the engine says which. */
			readonly column?: string
	  }
	/** The connection was lost after the request was sent, so the result is unknown. */
	| { readonly status: 'unknown'; readonly message: string }
	/** Not sent, because an earlier change stopped the run. */
	| { readonly status: 'not_sent' }
