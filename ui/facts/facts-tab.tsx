import RotateCw from 'lucide-solid/icons/rotate-cw'
import { createSignal, For, type JSX, Show } from 'solid-js'
import type { FactRow, Review, ReviewedStatement } from '../../host/api/api.ts'
import { FactSectionView } from '../controls/fact-section.tsx'
import { Failure } from '../controls/failure.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { ProgressBar } from '../controls/progress-bar.tsx'
import { WriteSheet } from '../controls/write-sheet.tsx'
import { type Command, useCommands } from '../state/commands.tsx'
import { useHost } from '../state/host.tsx'
import type { TabOf, TabProps } from '../state/tab.ts'
import { createReading, createTask } from '../state/task.ts'

export type FactsTab = TabOf<'facts'>

type Action = NonNullable<FactRow['action']>

/** Shows the statement of an action before it is sent. */
interface Asked extends Review, Pick<Action, 'label'> {
	readonly statements: readonly ReviewedStatement[]
}

/** The driver's facts of a connection or of a table. */
export function FactsView(props: TabProps<FactsTab>): JSX.Element {
	const host = useHost()
	const { table } = props.tab.place
	const connection = props.tab.connection.id
	const noun = props.tab.connection.engine.console.noun.one
	const reading = createReading(call =>
		host.call('facts.read', { connection, ...(table !== undefined && { table }) }, call),
	)
	const [asking, setAsking] = createSignal<Asked>()
	const reload: Command = { id: 'reload', title: 'Reload', keys: ['F5', 'Mod+R'], run: () => void reading.run() }
	useCommands(() => (props.isActive ? [reload] : []))

	const reviewing = createTask(async (call, { label, statement }: Action) => {
		const shown = await host.call('console.review', { connection, statements: [{ text: statement }] }, call)
		setAsking({ label, ...shown })
	})
	const acting = createTask(async (call, { review, statements }: Asked, typed: string | undefined) => {
		for (const { text } of statements) {
			const [verdict] = await host.call('console.analyse', { connection, text }, call)
			if (verdict === undefined) throw new Error('The driver gave a statement that it does not understand.')
			const statement = { ...verdict, text }
			await host.call('console.run', { connection, statement, maxRows: 1, review, typed }, call)
		}
		setAsking(undefined)
		void reading.run()
	})

	return (
		<section class="facts-tab" classList={{ hidden: !props.isActive }} role="tabpanel" aria-label={props.tab.title}>
			<div class="toolbar" role="toolbar" aria-label={props.tab.title}>
				<span class="grow quiet">{`${props.tab.connection.name}${table === undefined ? '' : ` · ${table}`}`}</span>
				<IconButton label="Reload" onClick={() => void reading.run()}>
					<RotateCw size={15} />
				</IconButton>
			</div>
			<Failure of={reading} />
			<Failure of={reviewing} />
			<div class="facts-page" aria-busy={reading.isRunning()}>
				<Show when={reading.isRunning() && reading.value() === undefined}>
					<ProgressBar progress={undefined} label="Reading" />
				</Show>
				<For each={reading.value() ?? []}>
					{section => (
						<FactSectionView
							section={section}
							noun={noun}
							onConsole={props.onConsole}
							onAction={action => void reviewing.run(action)}
						/>
					)}
				</For>
			</div>
			<Show when={asking()} keyed>
				{action => (
					<WriteSheet
						title={action.label}
						connection={props.tab.connection}
						words={`This ${noun} is sent:`}
						writes={action.statements}
						destroyed={
							action.statements.some(({ access }) => access === 'destructive') ? props.tab.connection.name : undefined
						}
						fault={acting.error()}
						yes="Send it"
						no="Leave it"
						isBusy={acting.isRunning()}
						onYes={typed => void acting.run(action, typed)}
						onNo={() => setAsking(undefined)}
					/>
				)}
			</Show>
		</section>
	)
}
