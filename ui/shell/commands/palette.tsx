import { createMemo, type JSX } from 'solid-js'
import { type Pick, Picker } from '../../controls/picker.tsx'
import { useAllCommands } from '../../state/commands.tsx'
import { usePreferences } from '../../state/host.tsx'
import type { PreferenceStore } from '../../state/preferences.ts'

const mostRecent = 20

/** What was chosen last, first. */
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

/** Everything that can be done now, each with its keys. */
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
			nothing="No command has these letters."
			onClose={props.onClose}
		/>
	)
}

/** Tables, saved requests and connections, wherever they are. */
export function QuickOpen(props: { readonly picks: readonly Pick[]; onClose(): void }): JSX.Element {
	const preferences = usePreferences()
	return (
		<Picker
			label="Open"
			placeholder="Go to a table, a saved request or a connection"
			picks={recentFirst(props.picks, preferences, 'recent/opened')}
			nothing="Nothing is known by this name. A connection's tables are, once it was opened."
			onClose={props.onClose}
		/>
	)
}
