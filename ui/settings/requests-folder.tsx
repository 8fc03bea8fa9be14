import { createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { createSettings } from '../state/settings.ts'

/** The folder of requests that all connections share. */
export function RequestsFolder(): JSX.Element {
	const id = createUniqueId()
	const { reading, writing } = createSettings()
	const [edited, setEdited] = createSignal<string>()
	async function save(): Promise<void> {
		await writing.run({ key: 'requests.folder', value: edited() ?? '' })
		if (writing.error() === undefined) setEdited(undefined)
	}
	return (
		<fieldset class="section">
			<legend>Saved statements</legend>
			<Failure of={reading} />
			<div class="field">
				<label for={id}>Shared folder</label>
				<input
					id={id}
					autocomplete="off"
					spellcheck={false}
					placeholder="None"
					aria-describedby={`${id}-help`}
					value={edited() ?? reading.value()?.['requests.folder'] ?? ''}
					onInput={event => setEdited(event.currentTarget.value)}
				/>
				<p id={`${id}-help`} class="field-help">
					Plain files for all connections, for example in a Git repository. Each connection also has its own statements
					beside them.
				</p>
			</div>
			<Show when={writing.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={edited() !== undefined}>
				<div class="form-actions">
					<button type="button" class="button" onClick={() => setEdited(undefined)}>
						Undo
					</button>
					<button type="button" class="button primary" onClick={() => void save()}>
						Save
					</button>
				</div>
			</Show>
		</fieldset>
	)
}
