import { createSignal, type JSX, Show } from 'solid-js'
import type { ProxySetting } from '../../host/api/api.ts'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { ProxyFields } from '../controls/proxy-fields.tsx'
import { useHost } from '../state/host.tsx'
import { createSettings } from '../state/settings.ts'
import { createReading } from '../state/task.ts'
import { PortableConnections } from './portable-connections.tsx'
import { RequestsFolder } from './requests-folder.tsx'

/** Facts for a support request. */
export function General(): JSX.Element {
	const host = useHost()
	const info = createReading(call => host.call('app.info', {}, call))
	return (
		<>
			<Failure of={info} />
			<Show when={info.value()}>
				{app => (
					<dl class="facts">
						<dt>Version</dt>
						<dd>{app().version}</dd>
						<dt>Data folder</dt>
						<dd>{app().home}</dd>
						<dt>Secrets</dt>
						<dd>Kept in {app().secretStore}</dd>
						<dt>AI clients</dt>
						<dd>{app().mcp.url}</dd>
					</dl>
				)}
			</Show>
			<RequestsFolder />
			<ProxySettings />
			<PortableConnections />
		</>
	)
}

/** The proxy of all connections without one. */
function ProxySettings(): JSX.Element {
	const { reading, writing } = createSettings()
	const [edited, setEdited] = createSignal<ProxySetting>()
	async function save(value: ProxySetting): Promise<void> {
		await writing.run({ key: 'network.proxy', value })
		if (writing.error() === undefined) setEdited(undefined)
	}
	return (
		<fieldset class="section">
			<legend>Network</legend>
			<Failure of={reading} />
			<Show when={edited() ?? reading.value()?.['network.proxy']}>
				{proxy => <ProxyFields value={proxy()} onChange={setEdited} />}
			</Show>
			<Show when={writing.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={edited()}>
				{proxy => (
					<div class="form-actions">
						<button type="button" class="button" onClick={() => setEdited(undefined)}>
							Undo
						</button>
						<button type="button" class="button primary" onClick={() => void save(proxy())}>
							Save
						</button>
					</div>
				)}
			</Show>
		</fieldset>
	)
}
