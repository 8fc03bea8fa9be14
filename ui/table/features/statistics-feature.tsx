import ChartColumn from 'lucide-solid/icons/chart-column'
import { createMemo, type JSX, Show } from 'solid-js'
import { StatisticsPanel } from '../statistics/statistics-panel.tsx'
import { dropRange, filterBy, filterByRange } from '../table-filters.tsx'
import type { TableContext, TableFeature } from './feature.ts'

/** The numbers and the most frequent values of one column, beside the rows. */
export function createStatisticsFeature({ table, beside }: TableContext): TableFeature {
	const { columns, place, query, rows, target } = table
	const measured = createMemo(() => {
		const index = rows.columns().findIndex(({ name }) => name === beside.measured())
		const column = rows.columns()[index]
		return column && { ...column, index }
	})
	return {
		commands: [
			{
				id: 'grid.statistics',
				title: 'Top values and statistics of the column',
				label: 'Top values',
				Icon: ChartColumn,
				keys: ['Alt+T'],
				section: 'filter',
				run: () => {
					const focused = columns.at(place.selection().focus.column)
					if (focused) beside.measure(focused.column.name)
				},
			},
		],
		columnEntries: name => [{ label: 'Top values and statistics', Icon: ChartColumn, run: () => beside.measure(name) }],
		panel: (): JSX.Element => (
			<Show when={measured()}>
				{column => (
					<StatisticsPanel
						connection={target.connection}
						query={query.chosen()}
						column={column()}
						loaded={rows.first()}
						loads={table.loads()}
						isTableFailed={rows.failure() !== undefined}
						onFilter={(column, cell, use) => filterBy(table, { column, cell, use })}
						onRange={(column, from, to) => filterByRange(table, column, [from, to])}
						onRangeReset={column => dropRange(query, column)}
						onClose={beside.close}
					/>
				)}
			</Show>
		),
	}
}
