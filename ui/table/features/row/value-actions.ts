import { parseJson } from '@roundhouse/kit/json'
import ArrowRight from 'lucide-solid/icons/arrow-right'
import CircleDot from 'lucide-solid/icons/circle-dot'
import Columns3 from 'lucide-solid/icons/columns-3'
import Minus from 'lucide-solid/icons/minus'
import Plus from 'lucide-solid/icons/plus'
import SquareArrowOutUpRight from 'lucide-solid/icons/square-arrow-out-up-right'
import type { Cell, Column } from '../../../../host/api/api.ts'
import type { MenuEntry } from '../../../controls/context-menu.tsx'
import type { CellFilterUse } from '../../../grid/filter-command.ts'
import type { TreeValue, ValueUses } from '../../../json/tree-view.tsx'
import type { ShownFilter } from '../../../state/tab.ts'
import { newValue } from '../../edit/cell-input.ts'
import type { OpenTable } from '../../open-table.ts'
import { filterBy, filtersOf } from '../../table-filters.tsx'
import type { TableContext } from '../feature.ts'
import { openApart } from '../open-apart.ts'

/** What a table knows of the values of a row that is shown whole. */
export const valueUses = (context: TableContext): ValueUses => ({
	actions: value => valueActions(context.table, value, filters => openApart(context, filters)),
	column: keys => columnAt(context.table, namesIn(keys)),
})

/** The names of a value without the places in its lists, which have no columns. */
const namesIn = (keys: TreeValue['keys']) => keys.filter(key => typeof key === 'string')

function columnAt({ rows }: OpenTable, names: readonly string[]): Column | undefined {
	const path = names.join('.')
	return rows.columns().find(({ name }) => name === path)
}

/** Returns what the grid does with a value of the row beside it, by the keys of the grid. */
function valueActions(
	table: OpenTable,
	{ keys, json }: TreeValue,
	openApart: (filters: readonly ShownFilter[]) => void,
): readonly MenuEntry[] {
	const names = namesIn(keys)
	const own = columnAt(table, names)
	/** The column that shows the value: its own, or that of an object around it. */
	const showing = names
		.map((_, at) => columnAt(table, names.slice(0, names.length - at)))
		.find(column => column !== undefined)
	/** Works with the column and the value, or says why that is impossible. */
	function withOwn(work: (of: { readonly column: Column; readonly cell: Cell }) => void): void {
		if (own) work({ column: own, cell: newValue(parseJson(json)) })
		else table.selected.say(`${names.join('.')} is not a column, so it cannot be filtered.`)
	}
	const filter = (use: CellFilterUse) => withOwn(of => filterBy(table, { ...of, use }))
	/** The rows with this value alone, as of one trace. */
	const filterApart = () =>
		withOwn(of => {
			const filters = filtersOf(table, of)
			if (filters.length > 0) openApart(filters)
		})
	return [
		{ label: 'Filter for this', keys: '=', Icon: Plus, isOnLine: true, run: () => filter('for') },
		{ label: 'Filter out', keys: '-', Icon: Minus, isOnLine: true, run: () => filter('out') },
		{ label: 'Has a value', Icon: CircleDot, isOnLine: true, run: () => filter('exists') },
		{ label: 'Only this, in another tab', Icon: SquareArrowOutUpRight, keys: 'Alt+Shift+O', run: filterApart },
		{
			label: showing && !table.columns.isShown(showing.name) ? 'Show the column' : 'Hide the column',
			Icon: Columns3,
			isOnLine: true,
			isDisabled: showing === undefined,
			run: () => showing && table.columns.show([showing.name], !table.columns.isShown(showing.name)),
		},
		{
			label: 'Go to the column',
			Icon: ArrowRight,
			isDisabled: showing === undefined,
			run: () => showing && table.place.goToColumn(showing.name),
		},
	]
}
