import type { ShownFilter } from '../../state/tab.ts'
import { requestedView } from '../kept-table.ts'
import { rowsOf } from '../table-filters.tsx'
import type { TableContext } from './feature.ts'

/**
 * Opens rows of the table in another tab, in the order of this one.
 * @param name another table with the same columns, such as that of its whole series
 */
export function openApart(
	{ tab, table }: TableContext,
	filters: readonly ShownFilter[],
	name = table.target.table,
): void {
	tab.onRowsApart(name, requestedView(rowsOf(table, filters, table.query.sort())))
}
