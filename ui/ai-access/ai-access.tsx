import { type JSX, Show } from 'solid-js'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { Switch } from '../controls/switch.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'
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
	const settings = createReading(call => host.call('ai.settings', {}, call))
	const configuring = createTask(
		async (_, change: { enabled?: boolean; authentication?: boolean; alsoAskInWindow?: boolean }) => {
			await host.call('ai.configure', change)
			await settings.run()
		},
	)
	return (
		<fieldset class="section">
			<legend>Server</legend>
			<Failure of={settings} />
			<Show when={configuring.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={settings.value()}>
				{current => (
					<>
						<p class="quiet">
							AI clients on this machine connect to <code>{current().url}</code>
						</p>
						<Switch isOn={current().enabled} onChange={enabled => configuring.run({ enabled })}>
							Serve AI clients
						</Switch>
						<Switch isOn={current().authentication} onChange={authentication => configuring.run({ authentication })}>
							<span>
								Ask for a token
								<span class="quiet"> — without one, any program on this machine may read</span>
							</span>
						</Switch>
						<Switch isOn={current().alsoAskInWindow} onChange={alsoAskInWindow => configuring.run({ alsoAskInWindow })}>
							Ask here too when the client has collected a consent itself
						</Switch>
					</>
				)}
			</Show>
		</fieldset>
	)
}
