import Circle from 'lucide-solid/icons/circle'
import CircleDot from 'lucide-solid/icons/circle-dot'
import Minus from 'lucide-solid/icons/minus'
import Plus from 'lucide-solid/icons/plus'
import type { GridModel } from './model.ts'
import type { GridCommand } from './view/grid-commands.ts'

/** What a filter does with the rows that have the value of a cell. */
export type CellFilterUse = 'for' | 'out' | 'exists' | 'missing'

const words: Readonly<
	Record<CellFilterUse, (column: string) => Pick<GridCommand, 'title' | 'label' | 'Icon' | 'keys'>>
> = {
	for: () => ({ title: 'Filter for this value', label: 'Filter for this', Icon: Plus, keys: ['=', 'Alt+='] }),
	out: () => ({ title: 'Filter out this value', label: 'Filter out', Icon: Minus, keys: ['-', 'Alt+-'] }),
	exists: column => ({
		title: `Filter for rows where the ${column} has a value`,
		label: 'Has a value',
		Icon: CircleDot,
	}),
	missing: column => ({
		title: `Filter for rows where the ${column} has no value`,
		label: 'Has no value',
		Icon: Circle,
	}),
}

/** The command that filters by the focused cell, whatever filters: the engine, or the window in memory. */
export const filterCommand = (
	{ nouns }: Pick<GridModel, 'nouns'>,
	use: CellFilterUse,
	run: () => void,
): GridCommand => ({
	id: `grid.filter.${use}`,
	section: 'filter',
	run,
	...words[use](nouns.column.one),
})
