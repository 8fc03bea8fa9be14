import ArrowLeft from 'lucide-solid/icons/arrow-left'
import ArrowRight from 'lucide-solid/icons/arrow-right'
import Link2 from 'lucide-solid/icons/link-2'
import { createMemo, createSignal, type JSX, Show } from 'solid-js'
import { Picker } from '../../../controls/picker.tsx'
import { useEngine } from '../../../state/engine.tsx'
import { keysText } from '../../../words/keys.ts'
import type { TableContext, TableFeature } from '../feature.ts'
import { type FoundReference, referenceAt, referrersAt } from './reference.ts'

/** Goes to rows of other tables: those that the focused cell refers to, and those that refer to its row. */
export function createReferencesFeature({ tab, table }: TableContext): TableFeature {
	const { rows } = table
	const { rowNoun } = useEngine()
	const [choosing, setChoosing] = createSignal<readonly FoundReference[]>()
	const reference = createMemo(() => referenceAt(table))
	const referrers = createMemo(() => referrersAt(table))
	const follow = (found: FoundReference | undefined) => found && tab.onRows(found.table, found.filters)
	function followBack(): void {
		const [only, ...others] = referrers()
		if (others.length === 0) follow(only)
		else setChoosing(referrers())
	}
	return {
		commands: [
			{
				id: 'grid.follow',
				title: `Go to the ${rowNoun.one} it refers to`,
				Icon: ArrowRight,
				keys: ['F12'],
				section: 'row',
				gesture: 'mod-click',
				isAvailable: () => reference() !== undefined,
				run: () => follow(reference()),
			},
			{
				id: 'grid.followBack',
				title: `Go to the ${rowNoun.many.toLowerCase()} that refer to it`,
				Icon: ArrowLeft,
				keys: ['Shift+F12'],
				section: 'row',
				opensDialog: true,
				isAvailable: () => referrers().length > 0,
				run: followBack,
			},
		],
		headerMark({ name }) {
			const target = rows.references().find(({ columns }) => columns.includes(name))?.table
			if (target === undefined) return undefined
			return { icon: () => <Link2 size={12} />, words: `refers to ${target} (${keysText('Mod+click')} or F12)` }
		},
		view: (): JSX.Element => (
			<Show when={choosing()}>
				{found => (
					<Picker
						label="Go to what refers to it"
						placeholder="Find where it is referred to"
						nothing="Nothing matches."
						picks={picksOf(found(), follow)}
						onClose={() => setChoosing(undefined)}
					/>
				)}
			</Show>
		),
	}
}

/** The dialog is gone when an entry runs, so the entries hold what they need. */
const picksOf = (found: readonly FoundReference[], follow: (reference: FoundReference) => void) =>
	found.map(reference => {
		const columns = reference.filters.map(({ column }) => column)
		return {
			id: `${reference.table} ${columns.join()}`,
			label: reference.table,
			detail: columns.join(', '),
			run: () => follow(reference),
		}
	})
