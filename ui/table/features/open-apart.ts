import type { ShownFilter } from '../../state/tab.ts'
import { requestedView, rowPosition } from '../kept-table.ts'
import { rowsOf } from '../table-filters.tsx'
import type { TableContext } from './feature.ts'

/**
 * Opens rows of the table in another tab, in the order of this one.
 * @param series another table with the same columns, whose rows have other ids
 * @param rowId the row that is selected there
 */
export function openApart(
	{ tab, table }: TableContext,
	filters: readonly ShownFilter[],
	{ series, rowId }: { readonly series?: string | undefined; readonly rowId?: string } = {},
): void {
	const view = requestedView(rowsOf(table, filters, table.query.sort()))
	const selected = series === undefined && rowId !== undefined ? { ...view, position: rowPosition(rowId) } : view
	tab.onRowsApart(series ?? table.target.table, selected)
}
