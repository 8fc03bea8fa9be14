import { createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { Toggle } from '../controls/toggle.tsx'
import { createSettings } from '../state/settings.ts'

/** The one folder that AI clients may export to. */
export function ExportsOfClients(): JSX.Element {
	const id = createUniqueId()
	const { reading, writing } = createSettings()
	const [edited, setEdited] = createSignal<string>()
	async function saveFolder(): Promise<void> {
		await writing.run({ key: 'exports.folder', value: edited() ?? '' })
		if (writing.error() === undefined) setEdited(undefined)
	}
	return (
		<fieldset class="section">
			<legend>Exports</legend>
			<Failure of={reading} />
			<Show when={reading.value()}>
				{now => (
					<>
						<div class="field">
							<label for={id}>Folder for exports</label>
							<input
								id={id}
								autocomplete="off"
								spellcheck={false}
								placeholder="None: AI clients cannot export"
								aria-describedby={`${id}-help`}
								value={edited() ?? now()['exports.folder']}
								onInput={event => setEdited(event.currentTarget.value)}
							/>
							<p id={`${id}-help`} class="field-help">
								AI clients can write files only there, and cannot overwrite a file.
							</p>
						</div>
						<Show when={edited() !== undefined}>
							<div class="form-actions">
								<button type="button" class="button" onClick={() => setEdited(undefined)}>
									Undo
								</button>
								<button type="button" class="button primary" onClick={() => void saveFolder()}>
									Save
								</button>
							</div>
						</Show>
						<Toggle isOn={now()['exports.asks']} onChange={value => writing.run({ key: 'exports.asks', value })}>
							<span>Ask before each export</span>
						</Toggle>
					</>
				)}
			</Show>
			<Show when={writing.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
		</fieldset>
	)
}
