import { For, type JSX, Show } from 'solid-js'
import type { WindowSettings } from '../../host/api/api.ts'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { Toggle } from '../controls/toggle.tsx'
import { useHost } from '../state/host.tsx'
import { createSettings } from '../state/settings.ts'
import { createReading } from '../state/task.ts'

/** The endpoint's settings, which are on or off. */
type SwitchKey = Extract<keyof WindowSettings, `mcp.${string}`>

/** One setting a row; its default is in the host's table (host/api/settings.ts). */
const rows: readonly { readonly key: SwitchKey; readonly label: string; readonly hint?: string }[] = [
	{ key: 'mcp.enabled', label: 'Serve AI clients' },
	{ key: 'mcp.authentication', label: 'Ask for a token', hint: 'Without one, any program on this machine may read.' },
	{ key: 'mcp.alsoAskInWindow', label: 'Ask in Roundhouse too, even if the client has asked' },
	{
		key: 'mcp.keepStatements',
		label: 'Keep statements in Activity',
		hint: 'For 90 days, without credentials. Other values stay readable.',
	},
	{
		key: 'mcp.keepReplaced',
		label: 'Keep the rows that AI clients replace',
		hint: 'So that changes can be undone: for 30 days, encrypted. Switching it off removes them.',
	},
]

/** The endpoint: its address and its settings. */
export function Server(): JSX.Element {
	const host = useHost()
	const info = createReading(call => host.call('app.info', {}, call))
	const { reading: settings, writing } = createSettings()
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
							<Toggle isOn={current()[key]} onChange={value => writing.run({ key, value })}>
								<span class="lines">
									{label}
									<Show when={hint}>{text => <span class="field-help">{text()}</span>}</Show>
								</span>
							</Toggle>
						)}
					</For>
				)}
			</Show>
		</fieldset>
	)
}
