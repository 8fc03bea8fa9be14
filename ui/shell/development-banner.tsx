import { createEffect, type JSX, onCleanup, Show } from 'solid-js'
import { Notice } from '../controls/notice.tsx'
import { useHost } from '../state/host.tsx'
import { createReading } from '../state/task.ts'

/** Says that this host runs a driver under development, and why its last build does not run. */
export function DevelopmentBanner(): JSX.Element {
	const host = useHost()
	const info = createReading(call => host.call('app.info', {}, call))
	onCleanup(host.on('development.changed', () => void info.run()))
	createEffect(() => {
		const name = info.value()?.name
		if (name !== undefined) document.title = name
	})
	return (
		<Show when={info.value()?.development}>
			{development => (
				<Show
					when={development().fault}
					fallback={<Notice kind="info">Development: {development().folder}. This host is removed at the end.</Notice>}
				>
					{fault => (
						<Notice kind="error">
							The last build does not run. The one before it stays in use.
							<pre class="development-fault">{fault()}</pre>
						</Notice>
					)}
				</Show>
			)}
		</Show>
	)
}
