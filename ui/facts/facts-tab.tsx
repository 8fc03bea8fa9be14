import RotateCw from 'lucide-solid/icons/rotate-cw'
import { createEffect, createSignal, For, type JSX, on, onCleanup, Show } from 'solid-js'
import type { FactSection } from '../../host/api/api.ts'
import { FactSectionView } from '../controls/fact-section.tsx'
import { Failure } from '../controls/failure.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { ProgressBar } from '../controls/progress-bar.tsx'
import { type Command, useCommands } from '../state/commands.tsx'
import { useHost } from '../state/host.tsx'
import type { TabOf, TabProps } from '../state/tab.ts'
import { createReading } from '../state/task.ts'
import { createActionRun } from './action-run.tsx'

export type FactsTab = TabOf<'facts'>
export type ObjectTab = TabOf<'object'>

/** Facts that are read again are shown as old ones after this time. */
const oldMs = 300

/** Whether a section says only that it has nothing. Such ones stand at the end, a line each. */
const isEmpty = ({ facts, list, code }: FactSection) => facts === undefined && list === undefined && code === undefined

/** The driver's facts of a connection, of a table, or of an object beside tables. */
export function FactsView(props: TabProps<FactsTab | ObjectTab>): JSX.Element {
	const host = useHost()
	const { place } = props.tab
	const about = place.kind === 'object' ? place.object : place.table
	const connection = props.tab.connection.id
	const noun = props.tab.connection.engine.console.noun.one
	const reading = createReading(call => {
		if (place.kind === 'object') return host.call('objects.read', { connection, name: place.object }, call)
		return host.call('facts.read', { connection, ...(place.table !== undefined && { table: place.table }) }, call)
	})
	// The user may have changed something in another tab.
	createEffect(
		on(
			() => props.isShown,
			isShown => isShown && void reading.run(),
			{ defer: true },
		),
	)
	/** What is shown may be over, for example a session that an action would end. */
	const [isOld, setOld] = createSignal(false)
	createEffect(() => {
		setOld(reading.error() !== undefined)
		if (!reading.isRunning()) return
		const timer = setTimeout(setOld, oldMs, true)
		onCleanup(() => clearTimeout(timer))
	})
	const actions = createActionRun(props.tab.connection, { onDone: () => void reading.run() })
	const sections = (areEmpty: boolean) => (reading.value() ?? []).filter(section => isEmpty(section) === areEmpty)
	const Section = (section: FactSection) => (
		<FactSectionView
			section={section}
			noun={noun}
			onConsole={props.onConsole}
			isOld={isOld()}
			onAction={({ label, statement }) => actions.ask({ label, text: statement })}
		/>
	)
	const reload: Command = { id: 'reload', title: 'Reload', keys: ['F5', 'Mod+R'], run: () => void reading.run() }
	useCommands(() => (props.isActive ? [reload] : []))

	return (
		<section class="facts-tab" classList={{ hidden: !props.isShown }} role="tabpanel" aria-label={props.tab.title}>
			<div class="toolbar" role="toolbar" aria-label={props.tab.title}>
				<h2 class="page-name">{about ?? props.tab.connection.name}</h2>
				<span class="grow quiet">{about === undefined ? '' : props.tab.connection.name}</span>
				<Show when={isOld() && reading.isRunning() && reading.value() !== undefined}>
					<span class="quiet" role="status">
						Reading again …
					</span>
				</Show>
				<Show when={place.kind === 'facts' && props.tab.connection.engine.hasTableForm && about}>
					{table => (
						<button type="button" class="button small" onClick={() => props.onTableForm({ table: table() })}>
							Change structure …
						</button>
					)}
				</Show>
				<IconButton label="Reload" onClick={() => void reading.run()}>
					<RotateCw size={15} />
				</IconButton>
			</div>
			<Failure of={reading} />
			<actions.Sheet />
			<div class="facts-page" classList={{ old: isOld() }} aria-busy={reading.isRunning()}>
				<Show when={reading.isRunning() && reading.value() === undefined}>
					<ProgressBar progress={undefined} label="Reading" />
				</Show>
				<For each={sections(false)}>{Section}</For>
				<Show when={sections(true).length > 0}>
					<div class="facts-empty">
						<For each={sections(true)}>{Section}</For>
					</div>
				</Show>
			</div>
		</section>
	)
}
