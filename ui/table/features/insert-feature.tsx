import CopyPlus from 'lucide-solid/icons/copy-plus'
import { createSignal, type JSX, Show } from 'solid-js'
import { useCommands } from '../../state/commands.tsx'
import { useEngine } from '../../state/engine.tsx'
import { duplicated } from '../edit/duplicated.ts'
import { type Draft, InsertDialog } from '../edit/insert-dialog.tsx'
import type { TableContext, TableFeature } from './feature.ts'

export interface InsertFeature extends TableFeature {
	/** Opens the form of a new row, or says why the table takes none. */
	insert(): void
}

/** New rows by a form, empty or with the values of another row. */
export function createInsertFeature({ tab, table }: TableContext): InsertFeature {
	const { cannot, edits, rows, selected } = table
	const { rowNoun } = useEngine()
	const [open, setOpen] = createSignal<{ readonly draft?: Draft }>()
	const canInsert = () => cannot().insert === undefined
	function insert(): void {
		const why = cannot().insert
		if (why === undefined) setOpen({})
		else selected.say(why)
	}
	function duplicate(): void {
		void selected.use('duplicated', async ([row]) => {
			const whole = row && (await table.wholeDocument(row))
			const draft = whole === undefined ? undefined : duplicated(whole, rows.columns())
			if (draft) setOpen({ draft })
			else selected.say('The whole row cannot be read, so it cannot be duplicated.')
		})
	}
	useCommands(() =>
		tab.isActive
			? [{ id: 'table.insert', title: `New ${rowNoun.one}`, keys: ['Insert'], isHeardThere: true, run: insert }]
			: [],
	)
	return {
		insert,
		commands: [
			{
				id: 'grid.duplicate',
				title: `Duplicate ${rowNoun.one}`,
				Icon: CopyPlus,
				keys: ['Mod+Shift+D'],
				section: 'change',
				isRare: true,
				opensDialog: true,
				isAvailable: canInsert,
				run: duplicate,
			},
			{ id: 'grid.insert', title: `Insert ${rowNoun.one}`, keys: ['Insert'], isUnlisted: true, run: insert },
		],
		view: (): JSX.Element => (
			<Show when={open()}>
				{opened => (
					<InsertDialog
						columns={rows.columns()}
						draft={opened().draft}
						onInsert={edits.insert}
						onClose={() => setOpen(undefined)}
					/>
				)}
			</Show>
		),
	}
}
