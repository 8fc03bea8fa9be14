import { createSignal, type JSX, Show } from 'solid-js'
import { Picker } from '../../controls/picker.tsx'
import { useCommands } from '../../state/commands.tsx'
import type { TableContext, TableFeature } from './feature.ts'

export interface GoToFeature extends TableFeature {
	/** Whether the line below the grid asks for a row number. */
	isGoing(): boolean
	setGoing(isGoing: boolean): void
}

/** Goes to a row by its number, and to a column by its name, also to a hidden one. */
export function createGoToFeature({ tab, table }: TableContext): GoToFeature {
	const { place, rows } = table
	const [isGoing, setGoing] = createSignal(false)
	const [isChoosing, setChoosing] = createSignal(false)
	useCommands(() =>
		tab.isActive
			? [{ id: 'table.column', title: 'Go to column …', keys: ['Mod+Shift+G'], run: () => setChoosing(true) }]
			: [],
	)
	return {
		isGoing,
		setGoing,
		commands: [
			{
				id: 'grid.goToRow',
				title: 'Go to row …',
				keys: ['Mod+G'],
				section: 'go',
				isRare: true,
				opensDialog: true,
				run: () => setGoing(true),
			},
		],
		view: (): JSX.Element => (
			<Show when={isChoosing()}>
				<Picker
					label="Go to column"
					placeholder="Find a column, including hidden ones"
					nothing="No column matches."
					picks={rows.columns().map(({ name, type }) => ({
						id: name,
						label: name,
						detail: type,
						run: () => place.goToColumn(name),
					}))}
					onClose={() => setChoosing(false)}
				/>
			</Show>
		),
	}
}
