import { type JSX, Show } from 'solid-js'
import { Notice } from '../controls/notice.tsx'
import { saveFile } from '../controls/save-file.ts'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'
import { counted } from '../words/format.ts'

const noun = { one: 'connection', many: 'connections' }

/** Connections as a file, for another machine: without secrets, and without what AI clients may do. */
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
			<p class="quiet">A file for another machine. Secrets and what AI clients may do are not in it.</p>
			<Show when={exporting.error() ?? importing.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={importing.value()}>
				{added => (
					<Notice kind="info">{`Added ${counted(added(), noun)}. Enter their secrets in the form of each.`}</Notice>
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
					aria-label="File of connections"
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

/** What is no JSON the host refuses, in its own words. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text)
	} catch {
		return text
	}
}
