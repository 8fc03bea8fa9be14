import { createMemo, type JSX } from 'solid-js'
import { type Pick, Picker } from '../../controls/picker.tsx'
import { useAllCommands } from '../../state/commands.tsx'
import { usePreferences, useRecords } from '../../state/host.tsx'
import { type RecentPicks, recentCommands, recentDestinations } from './recent-picks.ts'

/** Recently chosen ones first. */
function recentFirst(picks: readonly Pick[], { ids, remember }: RecentPicks): readonly Pick[] {
	const place = (pick: Pick) => (ids.includes(pick.id) ? ids.indexOf(pick.id) : ids.length)
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
			recentCommands(preferences),
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

/** Tables, their saved views, saved requests and connections. */
export function QuickOpen(props: {
	readonly picks: readonly Pick[]
	find(text: string): Promise<readonly Pick[]>
	onClose(): void
}): JSX.Element {
	const records = useRecords()
	return (
		<Picker
			label="Open"
			placeholder="Go to a table, a saved view, a saved statement or a connection"
			picks={recentFirst(props.picks, recentDestinations(records))}
			find={text => props.find(text)}
			nothing="No match. Tables appear after their connection has been opened, and those that another client created after the list of tables has been reloaded."
			onClose={props.onClose}
		/>
	)
}
