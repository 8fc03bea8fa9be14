import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { Notice } from '../controls/notice.tsx'
import { useHost, usePreferences } from '../state/host.tsx'
import { createReading } from '../state/task.ts'

/** Says that a newer Roundhouse is available. After it was dismissed, it appears again only for a later version. */
export function UpdateNotice(): JSX.Element {
	const host = useHost()
	const preferences = usePreferences()
	const [dismissed, setDismissed] = createSignal(preferences.get('update/dismissed'))
	const update = createReading(call => host.call('app.update', {}, call))
	// A refresh of a registry may have named one.
	onCleanup(host.on('drivers.changed', () => void update.run()))
	const shown = () => {
		const found = update.value()
		return found && found.version !== dismissed() ? found : undefined
	}
	function dismiss(version: string): void {
		preferences.set('update/dismissed', version)
		setDismissed(version)
	}
	return (
		<Show when={shown()}>
			{found => (
				<Notice kind="info" action={{ label: 'Dismiss', run: () => dismiss(found().version) }}>
					Roundhouse {found().version} is available. {found().how}
				</Notice>
			)}
		</Show>
	)
}
