import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import type { ConnectionView } from '../../host/api/api.ts'
import { ProjectSaveSheet } from '../connections/project-save-sheet.tsx'
import { ProjectSheet } from '../connections/project-sheet.tsx'
import { Notice } from '../controls/notice.tsx'
import { saveFile } from '../controls/save-file.ts'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'
import { counted } from '../words/format.ts'
import { ImportSheet } from './import-sheet.tsx'

const noun = { one: 'connection', many: 'connections' }
/** No list of connections has more, and the file is sent in one message. */
const mostBytes = 20_000_000

/** Connections as a file for another machine, and connections of files that other programs wrote. */
export function PortableConnections(): JSX.Element {
	const host = useHost()
	let picker!: HTMLInputElement
	const [project, setProject] = createSignal<'open' | 'save'>()
	const [added, setAdded] = createSignal<readonly ConnectionView[]>()
	const exporting = createTask(async () => {
		const file = await host.call('connections.export', {})
		saveFile('roundhouse-connections.json', 'application/json', `${JSON.stringify(file, null, '\t')}\n`)
	})
	const reading = createTask(async (call, chosen: File) => {
		setAdded(undefined)
		if (chosen.size > mostBytes) throw new Error(`${chosen.name} is too large for a list of connections.`)
		const file = { text: await chosen.text(), fileName: chosen.name }
		return { file, contents: await host.call('connections.readFile', file, call) }
	})
	return (
		<fieldset class="section">
			<legend>Connections</legend>
			<p class="quiet">
				An export is a file for another computer, without secrets and without AI access. Such a file can be imported,
				and those of DBeaver, pgAdmin, DataGrip, DbGate and other programs, a compose.yaml or an .env.
			</p>
			<Show when={exporting.error() ?? reading.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={added()}>
				{connections => (
					<Notice kind="info">
						{`Added ${counted(connections().length, noun)}. Enter missing secrets in the form of each.`}
					</Notice>
				)}
			</Show>
			<div class="form-actions start in-pairs">
				<button type="button" class="button" onClick={() => void exporting.run()}>
					Export connections
				</button>
				<button type="button" class="button" disabled={reading.isRunning()} onClick={() => picker.click()}>
					Import connections …
				</button>
				<button type="button" class="button" onClick={() => setProject('open')}>
					Open project …
				</button>
				<button type="button" class="button" onClick={() => setProject('save')}>
					Save as project …
				</button>
				<input
					ref={picker}
					type="file"
					hidden
					aria-label="Connections file"
					onChange={event => {
						const [chosen] = event.currentTarget.files ?? []
						event.currentTarget.value = ''
						if (chosen) void reading.run(chosen)
					}}
				/>
			</div>
			<Switch>
				<Match when={project() === 'open'}>
					<ProjectSheet onClose={() => setProject()} />
				</Match>
				<Match when={project() === 'save'}>
					<ProjectSaveSheet onClose={() => setProject()} />
				</Match>
			</Switch>
			<Show when={reading.value()}>
				{read => (
					<ImportSheet
						file={read().file}
						contents={read().contents}
						onClose={reading.clear}
						onImported={connections => {
							reading.clear()
							setAdded(connections)
						}}
					/>
				)}
			</Show>
		</fieldset>
	)
}
