import RotateCw from 'lucide-solid/icons/rotate-cw'
import { createSignal, For, type JSX, Show } from 'solid-js'
import type { FactRow } from '../../host/ui-server/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { FactSectionView } from '../controls/fact-section.tsx'
import { Failure } from '../controls/failure.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { ProgressBar } from '../controls/progress-bar.tsx'
import { useHost } from '../state/host.tsx'
import type { TabOf, TabProps } from '../state/tab.ts'
import { createReading, createTask } from '../state/task.ts'

export interface FactsTab extends TabOf<'facts'> {
	/** Left out: the whole connection. */
	readonly table: string | undefined
}

type Action = NonNullable<FactRow['action']>

/** What the driver tells of a connection or of one of its tables. */
export function FactsView(props: TabProps<FactsTab>): JSX.Element {
	const host = useHost()
	const { table } = props.tab
	const connection = props.tab.connection.id
	const reading = createReading(call =>
		host.call('facts.read', { connection, ...(table !== undefined && { table }) }, call),
	)
	const [asking, setAsking] = createSignal<Action>()

	const acting = createTask(async (call, { statement: text }: Action) => {
		const [verdict] = await host.call('console.analyse', { connection, text }, call)
		if (verdict === undefined) throw new Error('The driver gave a statement that it cannot read.')
		await host.call('console.run', { connection, statement: { ...verdict, text }, maxRows: 1 }, call)
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
			<div class="facts-page" aria-busy={reading.isRunning()}>
				<Show when={reading.isRunning() && reading.value() === undefined}>
					<ProgressBar progress={undefined} label="Reading" />
				</Show>
				<For each={reading.value() ?? []}>
					{section => <FactSectionView section={section} onConsole={props.onConsole} onAction={setAsking} />}
				</For>
			</div>
			<Show when={asking()}>
				{action => (
					<Dialog title={action().label} onClose={() => setAsking(undefined)}>
						<div class="dialog-body">
							<p>This request is sent:</p>
							<div class="code-box">
								<pre>{action().statement}</pre>
							</div>
							<Failure of={acting} />
						</div>
						<footer class="dialog-foot">
							<button type="button" class="button" onClick={() => setAsking(undefined)}>
								Leave it
							</button>
							<button
								type="button"
								class="button primary"
								disabled={acting.isRunning()}
								onClick={() => void acting.run(action())}
							>
								Send it
							</button>
						</footer>
					</Dialog>
				)}
			</Show>
		</section>
	)
}
