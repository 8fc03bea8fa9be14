import { createResource, type JSX, Show } from 'solid-js'
import { useHost } from '../state/host.tsx'
import { ClientSetup } from './client-setup.tsx'
import { Grants } from './grants.tsx'
import { Tokens } from './tokens.tsx'

/** Settings > AI access: the endpoint, the tokens, and what was allowed to last. */
export function AiAccess(): JSX.Element {
	return (
		<>
			<Server />
			<ClientSetup />
			<Tokens />
			<Grants />
		</>
	)
}

function Server(): JSX.Element {
	const host = useHost()
	const [settings, { refetch }] = createResource(() => host.call('ai.settings', {}))
	async function configure(change: {
		enabled?: boolean
		authentication?: boolean
		alsoAskInWindow?: boolean
	}): Promise<void> {
		await host.call('ai.configure', change)
		await refetch()
	}
	return (
		<fieldset class="section">
			<legend>Server</legend>
			<Show when={settings.latest}>
				{current => (
					<>
						<p class="quiet">
							AI clients on this machine connect to <code>{current().url}</code>
						</p>
						<label class="radio">
							<input
								type="checkbox"
								checked={current().enabled}
								onChange={event => void configure({ enabled: event.currentTarget.checked })}
							/>
							Serve AI clients
						</label>
						<label class="radio">
							<input
								type="checkbox"
								checked={current().authentication}
								onChange={event => void configure({ authentication: event.currentTarget.checked })}
							/>
							<span>
								Ask for a token
								<span class="quiet"> — without one, any program on this machine may read</span>
							</span>
						</label>
						<label class="radio">
							<input
								type="checkbox"
								checked={current().alsoAskInWindow}
								onChange={event => void configure({ alsoAskInWindow: event.currentTarget.checked })}
							/>
							Ask here too when the client has collected a consent itself
						</label>
					</>
				)}
			</Show>
		</fieldset>
	)
}
