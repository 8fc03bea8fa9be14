import { parseJson } from '@roundhouse/kit/json'
import type { MenuEntry } from '../controls/context-menu.tsx'
import type { TreeValue } from '../json/tree-view.tsx'
import { newValue } from './edit/cell-input.ts'
import type { CellFilterUse } from './filter/cell-filter.ts'
import type { OpenTable } from './open-table.ts'
import { filterBy } from './table-filters.tsx'

/** Returns what the grid does with a value of the row beside it, by the keys of the grid. */
export function valueActions(table: OpenTable, { keys, json }: TreeValue): readonly MenuEntry[] {
	const names = keys.filter(key => typeof key === 'string')
	const find = (depth: number) => {
		const path = names.slice(0, depth).join('.')
		return table.rows.columns().find(({ name }) => name === path)
	}
	const own = find(names.length)
	/** The column that shows the value: its own, or that of an object around it. */
	const showing = names.map((_, at) => find(names.length - at)).find(column => column !== undefined)
	function filter(use: CellFilterUse): void {
		if (own) filterBy(table, { column: own, cell: newValue(parseJson(json)), use })
		else table.selected.say(`${names.join('.')} is not a column, so it cannot be filtered.`)
	}
	return [
		{ label: 'Filter for this', keys: '=', run: () => filter('for') },
		{ label: 'Filter out', keys: '-', run: () => filter('out') },
		{
			label: showing && !table.columns.isShown(showing.name) ? 'Show the column' : 'Hide the column',
			isDisabled: showing === undefined,
			run: () => showing && table.columns.show([showing.name], !table.columns.isShown(showing.name)),
		},
		{
			label: 'Go to the column',
			isDisabled: showing === undefined,
			run: () => showing && table.place.goToColumn(showing.name),
		},
	]
}
