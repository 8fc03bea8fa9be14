import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import type { SetupPlan } from '../../host/ui-server/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { Notice } from '../controls/notice.tsx'
import { messageOf, useHost } from '../state/host.tsx'

type Kind = 'install' | 'uninstall'

/** One click to tell an AI client of Roundhouse: the change is shown first, and can be taken back. */
export function ClientSetup(): JSX.Element {
	const host = useHost()
	const [setup, { refetch }] = createResource(() => host.call('setup.list', {}))
	const [planned, setPlanned] = createSignal<SetupPlan & { readonly kind: Kind }>()
	const [message, setMessage] = createSignal<{ readonly kind: 'error' | 'info'; readonly text: string }>()
	const [isTesting, setTesting] = createSignal(false)

	async function attempt(work: () => Promise<void>): Promise<void> {
		setMessage(undefined)
		try {
			await work()
		} catch (error) {
			setMessage({ kind: 'error', text: messageOf(error) })
		}
	}
	const look = (client: string, kind: Kind) =>
		attempt(async () => void setPlanned({ ...(await host.call('setup.plan', { client, kind })), kind }))
	const make = ({ client, kind, before }: SetupPlan & { readonly kind: Kind }) =>
		attempt(async () => {
			setPlanned(undefined)
			await host.call('setup.apply', { client, kind, before })
			await refetch()
			setMessage({ kind: 'info', text: kind === 'install' ? 'Done. Restart the client.' : 'Taken back.' })
		})
	const test = () =>
		attempt(async () => {
			setTesting(true)
			try {
				const { name, version } = await host.call('setup.test', {})
				setMessage({ kind: 'info', text: `The bridge reaches ${name} ${version}.` })
			} finally {
				setTesting(false)
			}
		})

	return (
		<fieldset class="section">
			<legend>Set up a client</legend>
			<Show when={setup.error}>{error => <Notice kind="error">{messageOf(error())}</Notice>}</Show>
			<Show when={message()}>{said => <Notice kind={said().kind}>{said().text}</Notice>}</Show>
			<ul class="setup" aria-label="Clients">
				<For each={setup.latest?.clients ?? []}>
					{client => (
						<li class="setup-client">
							<span class="plugin-text">
								<span>{client.name}</span>
								<span class="quiet setup-path">{client.path}</span>
							</span>
							<Show
								when={client.isInstalled}
								fallback={
									<button type="button" class="button" onClick={() => void look(client.id, 'install')}>
										Set up
									</button>
								}
							>
								<button type="button" class="button" onClick={() => void look(client.id, 'uninstall')}>
									Take back
								</button>
							</Show>
						</li>
					)}
				</For>
			</ul>
			<details>
				<summary>Any other client</summary>
				<pre class="setup-snippet">{setup.latest?.snippet}</pre>
			</details>
			<div>
				<button type="button" class="button" disabled={isTesting()} onClick={() => void test()}>
					{isTesting() ? 'Testing …' : 'Test connection'}
				</button>
			</div>
			<Show when={planned()}>
				{plan => (
					<Dialog
						title={plan().kind === 'install' ? 'Set up this client' : 'Take the set-up back'}
						size="wide"
						onClose={() => setPlanned(undefined)}
					>
						<div class="dialog-body">
							<p class="quiet">{plan().path}</p>
							<div class="requests">
								<pre>{plan().diff}</pre>
							</div>
							<p class="quiet">The rest of the file stays as it is. A copy is kept beside it.</p>
						</div>
						<footer class="dialog-foot">
							<button type="button" class="button" onClick={() => setPlanned(undefined)}>
								Cancel
							</button>
							<button type="button" class="button primary" onClick={() => void make(plan())}>
								Write it
							</button>
						</footer>
					</Dialog>
				)}
			</Show>
		</fieldset>
	)
}
