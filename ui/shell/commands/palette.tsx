import { createMemo, type JSX } from 'solid-js'
import { type Pick, Picker } from '../../controls/picker.tsx'
import { type Command, useAllCommands } from '../../state/commands.tsx'
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

/** The last commands above the list, because a hand goes to the first lines. */
const mostRecent = 5

/** All available commands with their keys: those that were run last, those of the active tab, those of the window. */
export function Palette(props: { onClose(): void }): JSX.Element {
	const commands = useAllCommands()
	const preferences = usePreferences()
	const recent = recentCommands(preferences)
	const last = recent.ids.slice(0, mostRecent)
	const groups = ['Last used', 'This tab', 'Window'] as const
	const groupOf = ({ id, isOfWindow }: Command) => groups[last.includes(id) ? 0 : isOfWindow ? 2 : 1]
	const picks = createMemo(() =>
		recentFirst(
			commands
				.available()
				.filter(({ id }) => id !== 'palette')
				.map(command => ({ ...command, label: command.title, group: groupOf(command) }))
				.toSorted((one, other) => groups.indexOf(one.group) - groups.indexOf(other.group)),
			{ ...recent, ids: last },
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
