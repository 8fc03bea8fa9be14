import { createResource, type JSX, Show } from 'solid-js'
import { useHost } from '../state/host.tsx'

/** What a support request would ask. */
export function General(): JSX.Element {
	const host = useHost()
	const [info] = createResource(() => host.call('app.info', {}))
	return (
		<Show when={info()}>
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
	)
}
