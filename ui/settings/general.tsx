import { type JSX, Show } from 'solid-js'
import { Failure } from '../controls/failure.tsx'
import { useHost } from '../state/host.tsx'
import { createReading } from '../state/task.ts'

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
		</>
	)
}
