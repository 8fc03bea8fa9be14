import type { Column } from '../../../host/api/api.ts'

/** A column and the index of its values in the rows' cells. */
export interface IndexedColumn {
	readonly column: Column
	readonly index: number
}
