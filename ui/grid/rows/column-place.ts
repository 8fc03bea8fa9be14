import type { Column } from '../../../host/ui-server/api.ts'

/** A column, and where its values are in the rows' cells. */
export interface ColumnPlace {
	readonly column: Column
	readonly index: number
}
