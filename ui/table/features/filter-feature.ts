import type { GridCommand } from '../../grid/view/grid-commands.ts'
import { useCommands } from '../../state/commands.tsx'
import { useEngine } from '../../state/engine.tsx'
import type { CellFilterUse } from '../filter/cell-filter.ts'
import { requestedView } from '../kept-table.ts'
import { copyFilter, filterByCell, filtersOf, rowsOf, withFocusedCell } from '../table-filters.tsx'
import type { TableContext, TableFeature } from './feature.ts'

/** Filters by values of cells and by columns. */
export function createFilterFeature({ tab, table }: TableContext): TableFeature {
	const { query, rows, target } = table
	const { rawQuery, columnNoun } = useEngine()
	const filter = (use: CellFilterUse, shown: Pick<GridCommand, 'title' | 'label' | 'keys'>): GridCommand => ({
		id: `grid.filter.${use}`,
		section: 'filter',
		run: () => void filterByCell(table, use),
		...shown,
	})
	/** Opens the rows with the value of the focused cell in another tab, in the order of this one. */
	const openApart = () =>
		withFocusedCell(table, 'opened', focused => {
			const filters = filtersOf(table, focused)
			if (filters.length > 0) tab.onRowsApart(target.table, requestedView(rowsOf(table, filters, query.sort())))
		})
	useCommands(() =>
		tab.isActive
			? [{ id: 'table.filter', title: 'Filter by column', run: () => query.filters.toggle(rows.columns()) }]
			: [],
	)
	return {
		commands: [
			filter('for', { title: 'Filter for this value', label: 'Filter for this', keys: ['=', 'Alt+='] }),
			filter('out', { title: 'Filter out this value', label: 'Filter out', keys: ['-', 'Alt+-'] }),
			{
				id: 'grid.filter.apart',
				title: 'Only this value, in another tab',
				label: 'Only this, in another tab',
				keys: ['Alt+Shift+O'],
				section: 'filter',
				run: () => void openApart(),
			},
			filter('exists', { title: `Filter for rows where the ${columnNoun.one} has a value`, label: 'Has a value' }),
			filter('missing', { title: `Filter for rows where the ${columnNoun.one} has no value`, label: 'Has no value' }),
			{
				id: 'grid.copyFilter',
				title: 'Copy the value as a filter',
				label: 'Copy as filter',
				section: 'copy',
				isAvailable: () => rawQuery !== undefined,
				run: () => void copyFilter(table),
			},
		],
		columnEntries: name => [
			{
				label: 'Filter by this column',
				run: () => {
					const column = rows.columns().find(column => column.name === name)
					if (column) query.filters.add(column)
				},
			},
		],
	}
}
