import Layers2 from 'lucide-solid/icons/layers-2'
import { createMemo, createSignal, type JSX, Show } from 'solid-js'
import { useCommands } from '../../state/commands.tsx'
import { usePreferences } from '../../state/host.tsx'
import { SimilarPane } from '../similar/similar-pane.tsx'
import { datesOf } from '../time-bar/shown-range.ts'
import type { TableContext, TableFeature } from './feature.ts'

/** Groups of similar messages above the rows of a table in time. Whether they are shown is remembered by table. */
export function createSimilarFeature({ tab, table }: TableContext) {
	const { rows, target } = table
	const preferences = usePreferences()
	const key = `similar/${target.connection}/${target.table}`
	/** The column whose messages are grouped: empty for that of the log. */
	const [chosen, setChosen] = createSignal(preferences.get(key) ?? null)
	function choose(column: string | null): void {
		preferences.set(key, column)
		setChosen(column)
	}
	const texts = createMemo(() => {
		const found = rows.columns().filter(({ kind, isKey }) => kind === 'text' && !isKey)
		return found.map(({ name }) => name)
	})
	const column = createMemo(() => {
		const name = chosen()
		const usual = table.log()?.message ?? texts()[0]
		return typeof name === 'string' && texts().includes(name) ? name : usual
	})
	const isAvailable = () => table.isInTime() && datesOf(rows.columns()).length > 0 && column() !== undefined
	const isOpen = () => typeof chosen() === 'string'
	const toggle = () => choose(isOpen() ? null : '')
	useCommands(() =>
		tab.isActive && isAvailable() ? [{ id: 'table.similar', title: 'Group similar messages', run: toggle }] : [],
	)
	const feature: TableFeature = {
		columnEntries: name =>
			isAvailable() && texts().includes(name)
				? [
						{
							label: 'Group similar messages',
							Icon: Layers2,
							run: () => choose(name === table.log()?.message ? '' : name),
						},
					]
				: [],
		topPanel: (): JSX.Element => (
			<Show when={isOpen() && isAvailable() && column()}>
				{name => (
					<SimilarPane
						table={table}
						column={name()}
						columns={texts()}
						onColumn={choose}
						onLeave={table.place.toGrid}
						onClose={() => {
							choose(null)
							table.place.toGrid()
						}}
					/>
				)}
			</Show>
		),
	}
	return { ...feature, isAvailable, isOpen, toggle }
}
