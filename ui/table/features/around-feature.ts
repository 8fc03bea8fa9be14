import UnfoldVertical from 'lucide-solid/icons/unfold-vertical'
import { createMemo } from 'solid-js'
import { cellOf, copyText } from '../../cells/cell-text.ts'
import { useEngine } from '../../state/engine.tsx'
import { isNewRow } from '../edit/staged.ts'
import { requestedView } from '../kept-table.ts'
import { rowsOf, withFocusedCell } from '../table-filters.tsx'
import { rowsAround } from '../time-bar/rows-around.ts'
import { datesOf, rangeOf } from '../time-bar/shown-range.ts'
import type { TableContext, TableFeature } from './feature.ts'

/** Opens the rows around the focused one in time in another tab, without the filters of this one. */
export function createAroundFeature({ tab, table }: TableContext): TableFeature {
	const { query, rows, selected, target } = table
	const many = useEngine().rowNoun.many.toLowerCase()
	const times = createMemo(() => datesOf(rows.columns()))
	const showAround = () =>
		withFocusedCell(table, 'opened', async ({ row }) => {
			const range = rangeOf(query.time(), times(), table.timeZone())
			const column = rows.columns().findIndex(({ name }) => name === range.column)
			const value = isNewRow(row.id) ? '' : copyText(cellOf(row, column))
			const around = await rowsAround(range, value, table.countRows)
			if (!around) return selected.say(`This row has no ${range.column}.`)
			const sort = [{ column: range.column, direction: 'desc' }] as const
			tab.onRowsApart(target.table, requestedView(rowsOf(table, [], sort), { ...around, rowId: row.id }))
		})
	return {
		commands: [
			{
				id: 'grid.around',
				title: `The ${many} around it in time, in another tab`,
				label: `Surrounding ${many}, in another tab`,
				Icon: UnfoldVertical,
				keys: ['Alt+Shift+A'],
				section: 'filter',
				get isRare() {
					return !table.isInTime()
				},
				isAvailable: () => times().length > 0,
				run: () => void showAround(),
			},
		],
	}
}
