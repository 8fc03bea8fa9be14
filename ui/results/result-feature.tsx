import { isCutCell } from '@roundhouse/kit/cell'
import ArrowRight from 'lucide-solid/icons/arrow-right'
import Maximize from 'lucide-solid/icons/maximize'
import { createSignal, type JSX, Show } from 'solid-js'
import type { Cell } from '../../host/api/api.ts'
import { copyFormats } from '../cells/copy.ts'
import type { MenuEntry } from '../controls/context-menu.tsx'
import { copyText } from '../controls/copy-button.tsx'
import { copySelected } from '../grid/copy/copy.ts'
import type { GridFeature } from '../grid/feature.ts'
import { type CellFilterUse, filterCommand } from '../grid/filter-command.ts'
import type { GridCommand } from '../grid/view/grid-commands.ts'
import { useEngine } from '../state/engine.tsx'
import { scopeOf } from './answer.ts'
import { copyCells, rowsOf } from './copy-cells.ts'
import { type OriginRows, originRows, type RowUses, referredRows, rowsOfTable } from './origins.ts'
import type { ResultModel } from './result-model.ts'
import { ValueSheet } from './value-sheet.tsx'

const whyReadOnly = 'The result has no whole key of a table, so its values cannot be edited.'

/** What a user does with rows of a result: filter them, open a value, open their rows in tables, copy. */
export function createResultFeature(model: ResultModel, uses: RowUses): GridFeature {
	const { grid } = model
	const { columns, place, selected, source } = grid
	const { rowNoun, columnNoun } = useEngine()
	const [opened, setOpened] = createSignal<{ readonly name: string; readonly cell: Cell }>()

	/** The focused cell, and its column by index in the result. */
	function focused() {
		const { focus } = place.selection()
		const [row, at] = [source.at(focus.row), columns.at(focus.column)]
		return row && at && { column: at.index, name: columns.title(at.column.name), cell: source.cell(row, at) }
	}
	const filter = (use: CellFilterUse) =>
		filterCommand(grid, use, () => {
			const found = focused()
			if (found) model.addFilter({ column: found.column, use, cell: found.cell })
		})

	/** Entries that open rows that cells refer to or are from, for the selected rows. */
	function rowEntries(): readonly MenuEntry[] {
		const found = focused()
		if (!found) return []
		const rows = place.rectangle()
		const shown = model.shown()
		const referred = referredRows(shown, rows, found.column)
		const entryOf = (words: string, { table, by, filters }: OriginRows, hasKey: boolean): MenuEntry => ({
			label: `${words} ${table}${by === undefined ? '' : ` by ${by}`}`,
			Icon: ArrowRight,
			...(hasKey && { keys: 'F12' }),
			run: () => uses.open(table, filters),
		})
		return [
			...referred.map((rows, at) => entryOf('Go to', rows, at === 0)),
			...originRows(shown, rows, found.column).map(rows =>
				entryOf('Edit in', rows, rows.hasColumn && referred.length === 0),
			),
		]
	}
	function openRows(): void {
		const entry = rowEntries().find(({ keys }) => keys !== undefined)
		const why = 'The result has no whole key of the table that this column is from, or the key names too many rows.'
		if (entry) entry.run()
		else selected.say(`${why} Choose a column of another table, or one ${rowNoun.one}.`)
	}
	/** The entry that copies the selected rows for the table that they are from. */
	function insertEntries(): readonly MenuEntry[] {
		const found = rowsOfTable(model.shown(), place.rectangle())
		if (!found) return []
		const { table, rows } = found
		const isCut = rows.some(row => Object.values(row).some(isCutCell))
		const copy = () =>
			isCut ? selected.say('Some values are cut, so the rows cannot be copied whole.') : uses.copyInserts(table, rows)
		return [{ label: `Copy as inserts into ${table}`, run: copy }]
	}
	const copyRow = (withNames: boolean) => {
		const { top, bottom } = place.rectangle()
		const all = rowsOf(model.shown())
		void copyCells('TSV', { ...all, rows: all.rows.slice(top, bottom + 1) }, withNames)
	}
	const scope = scopeOf(model.result, rowNoun)
	const menuCopy = (id: string, title: string, run: () => void): GridCommand => ({
		id: `grid.copy.${id}`,
		title,
		section: 'copy',
		isUnlisted: true,
		run,
	})

	return {
		cellEntries: () => [...rowEntries(), ...insertEntries()],
		commands: [
			filter('for'),
			filter('out'),
			filter('exists'),
			filter('missing'),
			{
				id: 'grid.openValue',
				title: 'Show the whole value',
				Icon: Maximize,
				// In a result that can be edited, they edit.
				...(model.editing
					? { keys: ['Alt+Enter'] }
					: { keys: ['Enter', 'Alt+Enter'], gesture: 'double-click' as const }),
				section: 'row',
				opensDialog: true,
				run: () => setOpened(focused()),
			},
			{
				id: 'grid.follow',
				title: `Open the ${rowNoun.many.toLowerCase()} in their table`,
				keys: ['F12'],
				run: openRows,
			},
			menuCopy('names', `Copy with ${columnNoun.one} names`, () => void copySelected(grid, 'TSV', true)),
			menuCopy('row', `Copy the ${rowNoun.one}`, () => copyRow(false)),
			menuCopy('rowNames', `Copy the ${rowNoun.one} with ${columnNoun.one} names`, () => copyRow(true)),
			...copyFormats.map(format =>
				menuCopy(
					`all.${format}`,
					`Copy the ${scope} as ${format}`,
					() => void copyCells(format, rowsOf(model.shown()), true),
				),
			),
			menuCopy('name', `Copy the ${columnNoun.one} name`, () => void copyText(focused()?.name ?? '')),
		],
		headerMark({ name }) {
			// The engine has more rows, in another order.
			if (!model.result.isTruncated || model.isByEngine() || !columns.sorted(name)) return undefined
			return { note: `of the ${scope}`, words: `sorted among the ${scope}` }
		},
		...(!model.editing && uses.edits && { onTyped: () => selected.say(whyReadOnly) }),
		view: (): JSX.Element => (
			<Show when={opened()}>
				{shown => (
					<ValueSheet
						name={shown().name}
						cell={shown().cell}
						edit={rowEntries()[0]}
						onClose={() => {
							setOpened(undefined)
							place.toGrid()
						}}
					/>
				)}
			</Show>
		),
	}
}
