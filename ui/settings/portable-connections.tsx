import { type JSX, Show } from 'solid-js'
import { Notice } from '../controls/notice.tsx'
import { saveFile } from '../controls/save-file.ts'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'
import { counted } from '../words/format.ts'

const noun = { one: 'connection', many: 'connections' }

/** Connections as a file for another machine, without secrets and access of AI clients. */
export function PortableConnections(): JSX.Element {
	const host = useHost()
	let picker!: HTMLInputElement
	const exporting = createTask(async () => {
		const file = await host.call('connections.export', {})
		saveFile('roundhouse-connections.json', 'application/json', `${JSON.stringify(file, null, '\t')}\n`)
	})
	const importing = createTask(async (_, chosen: File) => {
		const file: unknown = parsed(await chosen.text())
		return (await host.call('connections.import', { file })).length
	})
	return (
		<fieldset class="section">
			<legend>Connections</legend>
			<p class="quiet">Exports connections to a file for another computer, without secrets and without AI access.</p>
			<Show when={exporting.error() ?? importing.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={importing.value()}>
				{added => (
					<Notice kind="info">{`Added ${counted(added(), noun)}. Enter the secrets in the form of each.`}</Notice>
				)}
			</Show>
			<div class="form-actions">
				<button type="button" class="button" onClick={() => void exporting.run()}>
					Export connections
				</button>
				<button type="button" class="button" onClick={() => picker.click()}>
					Import connections …
				</button>
				<input
					ref={picker}
					type="file"
					hidden
					accept="application/json,.json"
					aria-label="Connections file"
					onChange={event => {
						const [chosen] = event.currentTarget.files ?? []
						event.currentTarget.value = ''
						if (chosen) void importing.run(chosen)
					}}
				/>
			</div>
		</fieldset>
	)
}

/** The host refuses what is not JSON, with its own message. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text)
	} catch {
		return text
	}
}
