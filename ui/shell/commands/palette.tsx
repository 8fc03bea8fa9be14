import { createMemo, type JSX } from 'solid-js'
import { type Pick, Picker } from '../../controls/picker.tsx'
import { useAllCommands } from '../../state/commands.tsx'
import { usePreferences } from '../../state/host.tsx'
import type { PreferenceStore } from '../../state/preferences.ts'

const mostRecent = 20

/** Recently chosen ones first. */
function recentFirst(picks: readonly Pick[], preferences: PreferenceStore, key: string): readonly Pick[] {
	const stored = preferences.get(key)
	const recent = Array.isArray(stored) ? stored.filter(id => typeof id === 'string') : []
	const place = (pick: Pick) => (recent.includes(pick.id) ? recent.indexOf(pick.id) : recent.length)
	const remember = (id: string) =>
		preferences.set(key, [id, ...recent.filter(other => other !== id)].slice(0, mostRecent))
	return picks
		.map(pick => ({
			...pick,
			run: () => {
				remember(pick.id)
				pick.run()
			},
		}))
		.toSorted((a, b) => place(a) - place(b))
}

/** All available commands with their keys. */
export function Palette(props: { onClose(): void }): JSX.Element {
	const commands = useAllCommands()
	const preferences = usePreferences()
	const picks = createMemo(() =>
		recentFirst(
			commands
				.available()
				.filter(({ id }) => id !== 'palette')
				.map(({ id, title, keys = [], run }) => ({ id, label: title, keys, run })),
			preferences,
			'recent/commands',
		),
	)
	return (
		<Picker
			label="Commands"
			placeholder="What do you want to do?"
			picks={picks()}
			nothing="No command matches."
			onClose={props.onClose}
		/>
	)
}

/** Tables, saved requests and connections. */
export function QuickOpen(props: {
	readonly picks: readonly Pick[]
	find(text: string): Promise<readonly Pick[]>
	onClose(): void
}): JSX.Element {
	const preferences = usePreferences()
	return (
		<Picker
			label="Open"
			placeholder="Go to a table, a saved statement or a connection"
			picks={recentFirst(props.picks, preferences, 'recent/opened')}
			find={text => props.find(text)}
			nothing="No match. Tables of a connection appear after it has been opened."
			onClose={props.onClose}
		/>
	)
}
