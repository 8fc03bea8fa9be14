import PanelRight from 'lucide-solid/icons/panel-right'
import { createSignal, type JSX, Show } from 'solid-js'
import { rowCount } from '../../../cells/selection.ts'
import type { Compared } from '../../../row-panel/compare-dialog.tsx'
import { useCommands } from '../../../state/commands.tsx'
import { useEngine } from '../../../state/engine.tsx'
import { later } from '../../../state/later.ts'
import { isNewRow } from '../../edit/staged.ts'
import type { TableContext, TableFeature } from '../feature.ts'
import { RowBeside } from './row-beside.tsx'

const CompareDialog = later(async () => (await import('../../../row-panel/editors.ts')).CompareDialog)

/** The whole current row beside the grid, and two rows side by side. */
export function createRowFeature(context: TableContext): TableFeature {
	const { tab, table, beside } = context
	const { place, selected, target, nameOf } = table
	const { rowNoun } = useEngine()
	const rows = rowNoun.many.toLowerCase()
	const [compared, setCompared] = createSignal<readonly [Compared, Compared]>()
	const canCompare = () => rowCount(place.rectangle()) === 2
	/** Reads the two selected rows, to show them side by side. */
	function compare(): void {
		void selected.use('compared', ([one, other]) => {
			if (!one || !other) return
			if (isNewRow(one.id) || isNewRow(other.id))
				return void selected.say('New rows can be compared after they are saved.')
			setCompared([
				{ id: one.id, name: nameOf(one) },
				{ id: other.id, name: nameOf(other) },
			])
		})
	}
	useCommands(() =>
		tab.isActive
			? [
					{
						id: 'table.panel',
						title: `Show or hide the ${rowNoun.one}`,
						keys: ['Mod+J'],
						run: beside.toggleRow,
					},
					{
						id: 'table.compare',
						title: `Compare the two selected ${rows}`,
						isAvailable: canCompare,
						run: compare,
					},
				]
			: [],
	)
	return {
		commands: [
			{
				id: 'grid.openRow',
				title: `Open ${rowNoun.one}`,
				Icon: PanelRight,
				keys: ['Space'],
				section: 'row',
				isUnlisted: true,
				run: beside.openRow,
			},
			{
				id: 'grid.compare',
				title: `Compare the two ${rows}`,
				section: 'row',
				isUnlisted: true,
				opensDialog: true,
				isAvailable: canCompare,
				run: compare,
			},
		],
		view: (): JSX.Element => (
			<Show when={compared()}>
				{rows => (
					<CompareDialog
						{...target}
						rows={rows()}
						onClose={() => {
							setCompared(undefined)
							place.toGrid()
						}}
					/>
				)}
			</Show>
		),
		panel: (): JSX.Element => (
			<Show when={beside.isRowOpen()}>
				<RowBeside {...context} />
			</Show>
		),
	}
}
