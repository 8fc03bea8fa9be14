import { createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import type { ParamsOf } from '../../host/ui-server/api.ts'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { Toggle } from '../controls/toggle.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'

/** The one folder that AI clients may export to. */
export function ExportsOfClients(): JSX.Element {
	const host = useHost()
	const id = createUniqueId()
	const kept = createReading(call => host.call('settings.exports', {}, call))
	const [edited, setEdited] = createSignal<string>()
	const saving = createTask(async (_, change: ParamsOf<'settings.setExports'>) => {
		await host.call('settings.setExports', change)
		await kept.run()
		if (change.folder !== undefined) setEdited(undefined)
	})
	return (
		<fieldset class="section">
			<legend>Exports</legend>
			<Failure of={kept} />
			<Show when={kept.value()}>
				{now => (
					<>
						<div class="field">
							<label for={id}>Folder for exports</label>
							<input
								id={id}
								autocomplete="off"
								spellcheck={false}
								placeholder="None: AI clients export nothing"
								aria-describedby={`${id}-help`}
								value={edited() ?? now().folder}
								onInput={event => setEdited(event.currentTarget.value)}
							/>
							<p id={`${id}-help`} class="field-help">
								AI clients write files there and nowhere else, and never over one that is there.
							</p>
						</div>
						<Show when={edited() !== undefined}>
							<div class="form-actions">
								<button type="button" class="button" onClick={() => setEdited(undefined)}>
									Undo
								</button>
								<button
									type="button"
									class="button primary"
									onClick={() => void saving.run({ folder: edited() ?? '' })}
								>
									Save
								</button>
							</div>
						</Show>
						<Toggle isOn={now().asks} onChange={asks => saving.run({ asks })}>
							<span>Ask before each export</span>
						</Toggle>
					</>
				)}
			</Show>
			<Show when={saving.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
		</fieldset>
	)
}
