import type { Cell } from './cell.ts'

/**
 * New values are cells; `{json}` holds JSON text that becomes the value, and a missing cell removes the field: a driver
 * that cannot do that refuses with `invalid_argument`. A new value is whole: the host passes no cut cell on.
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
