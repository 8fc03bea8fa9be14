import { createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'

/** Where requests lie that all connections share. */
export function RequestsFolder(): JSX.Element {
	const host = useHost()
	const id = createUniqueId()
	const kept = createReading(call => host.call('settings.requestsFolder', {}, call))
	const [edited, setEdited] = createSignal<string>()
	const saving = createTask(async (_, path: string) => {
		await host.call('settings.setRequestsFolder', { path })
		await kept.run()
		setEdited(undefined)
	})
	return (
		<fieldset class="section">
			<legend>Saved requests</legend>
			<Failure of={kept} />
			<div class="field">
				<label for={id}>Shared folder</label>
				<input
					id={id}
					autocomplete="off"
					spellcheck={false}
					placeholder="None"
					aria-describedby={`${id}-help`}
					value={edited() ?? kept.value() ?? ''}
					onInput={event => setEdited(event.currentTarget.value)}
				/>
				<p id={`${id}-help`} class="field-help">
					Plain files for all connections, for example in a Git repository. Each connection has requests of its own
					beside them.
				</p>
			</div>
			<Show when={saving.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={edited() !== undefined}>
				<div class="form-actions">
					<button type="button" class="button" onClick={() => setEdited(undefined)}>
						Undo
					</button>
					<button type="button" class="button primary" onClick={() => void saving.run(edited() ?? '')}>
						Save
					</button>
				</div>
			</Show>
		</fieldset>
	)
}
