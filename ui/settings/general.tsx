import { createSignal, type JSX, Show } from 'solid-js'
import type { ProxySetting } from '../../host/ui-server/api.ts'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { ProxyFields } from '../controls/proxy-fields.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'
import { PortableConnections } from './portable-connections.tsx'
import { RequestsFolder } from './requests-folder.tsx'

/** What a support request would ask. */
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

/** Of all connections that have none of their own. */
function ProxySettings(): JSX.Element {
	const host = useHost()
	const kept = createReading(call => host.call('settings.proxy', {}, call))
	const [edited, setEdited] = createSignal<ProxySetting>()
	const saving = createTask(async (_, proxy: ProxySetting) => {
		await host.call('settings.setProxy', { proxy })
		await kept.run()
		setEdited(undefined)
	})
	return (
		<fieldset class="section">
			<legend>Network</legend>
			<Failure of={kept} />
			<Show when={edited() ?? kept.value()}>{proxy => <ProxyFields value={proxy()} onChange={setEdited} />}</Show>
			<Show when={saving.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={edited()}>
				{proxy => (
					<div class="form-actions">
						<button type="button" class="button" onClick={() => setEdited(undefined)}>
							Undo
						</button>
						<button type="button" class="button primary" onClick={() => void saving.run(proxy())}>
							Save
						</button>
					</div>
				)}
			</Show>
		</fieldset>
	)
}
