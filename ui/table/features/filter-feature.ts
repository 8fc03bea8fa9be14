import ListFilter from 'lucide-solid/icons/list-filter'
import SquareArrowOutUpRight from 'lucide-solid/icons/square-arrow-out-up-right'
import { type CellFilterUse, filterCommand } from '../../grid/filter-command.ts'
import { useCommands } from '../../state/commands.tsx'
import { useEngine } from '../../state/engine.tsx'
import { copyFilter, filterByCell, filtersOf, withFocusedCell } from '../table-filters.tsx'
import type { TableContext, TableFeature } from './feature.ts'
import { openApart } from './open-apart.ts'

/** Filters by values of cells and by columns. */
export function createFilterFeature(context: TableContext): TableFeature {
	const { tab, table } = context
	const { query, rows } = table
	const { rawQuery } = useEngine()
	const filter = (use: CellFilterUse) => filterCommand(table.grid, use, () => void filterByCell(table, use))
	/** Opens the rows with the value of the focused cell in another tab. */
	const openRows = () =>
		withFocusedCell(table, 'opened', focused => {
			const filters = filtersOf(table, focused)
			if (filters.length > 0) openApart(context, filters)
		})
	useCommands(() =>
		tab.isActive
			? [{ id: 'table.filter', title: 'Filter by column', run: () => query.filters.toggle(rows.columns()) }]
			: [],
	)
	return {
		commands: [
			filter('for'),
			filter('out'),
			{
				id: 'grid.filter.apart',
				title: 'Only this value, in another tab',
				label: 'Only this, in another tab',
				Icon: SquareArrowOutUpRight,
				keys: ['Alt+Shift+O'],
				section: 'filter',
				isRare: true,
				run: () => void openRows(),
			},
			{
				...filter('exists'),
				// A log has fields that few rows have. In other tables that is less often a question.
				get isRare() {
					return !table.isInTime()
				},
			},
			{ ...filter('missing'), isRare: true },
			{
				id: 'grid.copyFilter',
				title: 'Copy the value as a filter',
				label: 'Copy as filter',
				Icon: ListFilter,
				section: 'copy',
				isRare: true,
				isAvailable: () => rawQuery !== undefined,
				run: () => void copyFilter(table),
			},
		],
		columnEntries: name => [
			{
				label: 'Filter by this column',
				Icon: ListFilter,
				run: () => {
					const column = rows.columns().find(column => column.name === name)
					if (column) query.filters.add(column)
				},
			},
		],
	}
}
