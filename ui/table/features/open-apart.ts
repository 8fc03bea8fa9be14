import type { ShownFilter } from '../../state/tab.ts'
import { requestedView } from '../kept-table.ts'
import { rowsOf } from '../table-filters.tsx'
import type { TableContext } from './feature.ts'

/** Opens rows of the table in another tab, in the order of this one. */
export function openApart({ tab, table }: TableContext, filters: readonly ShownFilter[]): void {
	tab.onRowsApart(table.target.table, requestedView(rowsOf(table, filters, table.query.sort())))
}
