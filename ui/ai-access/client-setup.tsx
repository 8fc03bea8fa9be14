import { Key } from '@solid-primitives/keyed'
import { createSignal, type JSX, Show } from 'solid-js'
import type { SetupPlan } from '../../host/api/api.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'

type Planned = SetupPlan & { readonly kind: 'install' | 'uninstall' }

/** Sets up an AI client with one click: the change is shown first and can be undone. */
export function ClientSetup(): JSX.Element {
	const host = useHost()
	const setup = createReading(call => host.call('setup.list', {}, call))
	const [planned, setPlanned] = createSignal<Planned>()
	const planning = createTask(async (call, client: string, kind: Planned['kind']) => {
		setPlanned({ ...(await host.call('setup.plan', { client, kind }, call)), kind })
	})
	const writing = createTask(async (_, { client, kind, before }: Planned) => {
		await host.call('setup.apply', { client, kind, before })
		await setup.run()
		return kind === 'install' ? 'Done. Restart the client.' : 'Undone. The original file is restored.'
	})
	const testing = createTask(async call => {
		const { name, version } = await host.call('setup.test', {}, call)
		return `The bridge reaches ${name} ${version}.`
	})
	const steps = [planning, writing, testing]
	/** The outcome of the last step is separate. */
	const begin = () => {
		for (const step of steps) step.clear()
	}
	const failure = () => steps.map(step => step.error()).find(message => message !== undefined)
	const said = () => (testing.isRunning() ? undefined : (writing.value() ?? testing.value()))

	function look(client: string, kind: Planned['kind']): void {
		begin()
		void planning.run(client, kind)
	}
	function write(plan: Planned): void {
		begin()
		setPlanned(undefined)
		void writing.run(plan)
	}

	return (
		<fieldset class="section">
			<legend>Set up a client</legend>
			<Failure of={setup} />
			<Show when={failure()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={said()}>{message => <Notice kind="info">{message()}</Notice>}</Show>
			<ul class="setup" aria-label="Clients">
				<Key each={setup.value()?.clients ?? []} by="id">
					{client => (
						<li class="setup-client">
							<span class="lines">
								<span>{client().name}</span>
								<span class="quiet setup-path">{client().path}</span>
							</span>
							<Show when={client().link}>
								{link => <CopyButton label={`Copy the link that adds Roundhouse to ${client().name}`} text={link} />}
							</Show>
							<button
								type="button"
								class="button"
								onClick={() => look(client().id, client().isInstalled ? 'uninstall' : 'install')}
							>
								{client().isInstalled ? 'Undo set-up' : 'Set up'}
							</button>
						</li>
					)}
				</Key>
			</ul>
			<details>
				<summary>Any other client</summary>
				<pre class="setup-snippet" tabindex={0}>
					{setup.value()?.snippet}
				</pre>
			</details>
			<div>
				<button
					type="button"
					class="button"
					disabled={testing.isRunning()}
					onClick={() => {
						begin()
						void testing.run()
					}}
				>
					{testing.isRunning() ? 'Testing …' : 'Test connection'}
				</button>
			</div>
			<Show when={planned()}>
				{plan => (
					<Dialog
						title={plan().kind === 'install' ? 'Set up this client' : 'Undo the set-up'}
						size="wide"
						onClose={() => setPlanned(undefined)}
					>
						<div class="dialog-body">
							<p class="quiet">{plan().path}</p>
							<div class="code-box">
								<pre tabindex={0}>{plan().diff}</pre>
							</div>
							<p class="quiet">Only this entry changes. A backup of the file is saved next to it.</p>
						</div>
						<footer class="dialog-foot">
							<button type="button" class="button" onClick={() => setPlanned(undefined)}>
								Cancel
							</button>
							<button type="button" class="button primary" onClick={() => write(plan())}>
								Write it
							</button>
						</footer>
					</Dialog>
				)}
			</Show>
		</fieldset>
	)
}
