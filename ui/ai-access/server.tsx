import { For, type JSX, Show } from 'solid-js'
import type { WindowSettings } from '../../host/ui-server/api.ts'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { Toggle } from '../controls/toggle.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'

/** One setting a row; its default is in the host's schema. */
const rows: readonly { readonly key: keyof WindowSettings; readonly label: string; readonly hint?: string }[] = [
	{ key: 'enabled', label: 'Serve AI clients' },
	{ key: 'authentication', label: 'Ask for a token', hint: 'without one, any program on this machine may read' },
	{ key: 'alsoAskInWindow', label: 'Ask here too when the client has collected a consent itself' },
]

/** The endpoint: where it is, and what a person switches of it. */
export function Server(): JSX.Element {
	const host = useHost()
	const info = createReading(call => host.call('app.info', {}, call))
	const settings = createReading(call => host.call('settings.read', {}, call))
	const writing = createTask(async (_, key: keyof WindowSettings, value: boolean) => {
		await host.call('settings.write', { key, value })
		await settings.run()
	})
	return (
		<fieldset class="section">
			<legend>Server</legend>
			<Failure of={info} />
			<Failure of={settings} />
			<Show when={writing.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={info.value()}>
				{app => (
					<>
						<Show when={app().mcp.refusal}>{refusal => <Notice kind="error">{refusal()}</Notice>}</Show>
						<p class="quiet">
							AI clients on this machine connect to <code>{app().mcp.url}</code>
						</p>
					</>
				)}
			</Show>
			<Show when={settings.value()}>
				{current => (
					<For each={rows}>
						{({ key, label, hint }) => (
							<Toggle isOn={current()[key]} onChange={isOn => writing.run(key, isOn)}>
								<span>
									{label}
									<Show when={hint}>{text => <span class="quiet"> — {text()}</span>}</Show>
								</span>
							</Toggle>
						)}
					</For>
				)}
			</Show>
		</fieldset>
	)
}
