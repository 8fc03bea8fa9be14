import { For, type JSX, Show } from 'solid-js'
import type { ConnectionView } from '../../host/api/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { Notice } from '../controls/notice.tsx'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'
import { counted } from '../words/format.ts'

/** Asks before a connection is removed, and says what goes with it. */
export function RemoveConnection(props: {
	readonly connection: ConnectionView
	/** The number of open tabs and unsaved changes. */
	readonly open: { readonly tabs: number; readonly staged: number }
	onClose(): void
}): JSX.Element {
	const host = useHost()
	const removing = createTask(async call => {
		await host.call('connections.remove', { id: props.connection.id }, call)
		props.onClose()
	})
	const goes = () => {
		const { tabs, staged } = props.open
		return [
			'its settings, and what AI clients were allowed to do with it',
			...(props.connection.secretKeys.length > 0 ? ['its stored password or key'] : []),
			...(tabs > 0 ? [counted(tabs, { one: 'open tab', many: 'open tabs' })] : []),
			...(staged > 0 ? [`${counted(staged, { one: 'change', many: 'changes' })} not saved`] : []),
			'its consoles with their history, and the values of its variables',
		]
	}
	return (
		<Dialog title={`Remove ${props.connection.name}?`} onClose={props.onClose}>
			<div class="dialog-body">
				<p>This also removes:</p>
				<ul class="goes">
					<For each={goes()}>{what => <li>{what}</li>}</For>
				</ul>
				<p class="quiet">The server is not changed, and saved statements remain on disk.</p>
				<Show when={removing.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			</div>
			<footer class="dialog-foot">
				<button type="button" class="button" onClick={() => props.onClose()}>
					Keep it
				</button>
				<button
					type="button"
					class="button primary danger"
					disabled={removing.isRunning()}
					onClick={() => void removing.run()}
				>
					Remove {props.connection.name}
				</button>
			</footer>
		</Dialog>
	)
}
