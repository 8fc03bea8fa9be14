import { createSignal, For, type JSX, Show } from 'solid-js'
import type { ProjectEntry } from '../../host/api/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { Notice } from '../controls/notice.tsx'
import { showToast } from '../controls/toasts.tsx'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'
import { counted } from '../words/format.ts'
import { FolderField } from './folder-field.tsx'

const noun = { one: 'connection', many: 'connections' }

/** Shows what the `roundhouse.json` of a folder does, and opens it if the user agrees. */
export function ProjectSheet(props: { onClose(): void }): JSX.Element {
	const host = useHost()
	const [folder, setFolder] = createSignal('')
	const reading = createTask((call, folder: string) => host.call('projects.read', { folder }, call))
	const opening = createTask(async (call, project: { readonly folder: string; readonly digest: string }) => {
		const opened = await host.call('projects.open', project, call)
		showToast(`The project has ${counted(opened.length, noun)}. Enter missing secrets in the form of each.`)
		props.onClose()
	})
	const choose = (path: string) => {
		setFolder(path)
		reading.clear()
		opening.clear()
	}
	const read = () => void reading.run(folder().trim())
	const project = () => (reading.isRunning() || reading.error() ? undefined : reading.value())
	return (
		<Dialog title="Open project" size="wide" onClose={props.onClose}>
			<form
				class="form"
				onSubmit={event => {
					event.preventDefault()
					read()
				}}
			>
				<div class="dialog-body">
					<FolderField
						help="One with a roundhouse.json, for example of a Git repository: connections without secrets, the SSH servers on their way, columns hidden from AI clients, statements. Nothing is changed before you agree."
						value={folder()}
						onInput={choose}
						onPick={path => {
							choose(path)
							read()
						}}
					/>
					<Show when={project()}>
						{shown => (
							<>
								<ul class="boxed-lines project-entries" tabindex={0} aria-label="Connections of the project">
									<For each={shown().entries}>{entry => <Entry entry={entry} />}</For>
								</ul>
								<Show when={shown().requests}>
									{requests => (
										<p class="quiet">
											Its statements are in <bdi>{requests()}</bdi>. These connections show them in place of the shared
											folder.
										</p>
									)}
								</Show>
								<For each={shown().gone}>
									{name => (
										<p class="quiet">
											<bdi>{name}</bdi> is no longer in the file, and stays.
										</p>
									)}
								</For>
								<Show when={shown().isAgreed}>
									<p class="quiet">You have agreed to this text before.</p>
								</Show>
							</>
						)}
					</Show>
					<For each={[reading, opening]}>
						{task => <Show when={task.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>}
					</For>
				</div>
				<footer class="dialog-foot">
					<button type="button" class="button" onClick={() => props.onClose()}>
						Cancel
					</button>
					<Show
						when={project()}
						fallback={
							<button type="submit" class="button primary" disabled={folder().trim() === '' || reading.isRunning()}>
								Show
							</button>
						}
					>
						{shown => (
							<button
								type="button"
								class="button primary"
								disabled={opening.isRunning() || shown().entries.every(({ fault }) => fault !== undefined)}
								onClick={() => void opening.run({ folder: shown().folder, digest: shown().digest })}
							>
								{opening.isRunning() ? 'Opening …' : 'Agree and open'}
							</button>
						)}
					</Show>
				</footer>
			</form>
		</Dialog>
	)
}

const changes: Readonly<Record<ProjectEntry['change'], string>> = {
	new: 'New.',
	joined: 'You have this connection. It becomes that of the project.',
	changed: 'Leads elsewhere now.',
	same: 'Is there already.',
}

function Entry(props: { readonly entry: ProjectEntry }): JSX.Element {
	return (
		<li class="lines">
			<bdi class="name">{props.entry.name}</bdi>
			<span class="quiet">{whereOf(props.entry)}</span>
			<Show
				when={props.entry.fault === undefined}
				fallback={<span class="hint">{`Left out: ${props.entry.fault}.`}</span>}
			>
				<For each={notesOf(props.entry)}>{note => <span class="hint">{note}</span>}</For>
			</Show>
		</li>
	)
}

const whereOf = ({ engine, address, ssh }: ProjectEntry) =>
	[engine, address, ssh === undefined ? '' : `through SSH: ${ssh}`].filter(part => part !== '').join(' · ')

const notesOf = ({
	change,
	values,
	hides,
	isStricter,
	needsDriver,
	forgetsSecrets,
}: ProjectEntry): readonly string[] => [
	changes[change],
	...values.map(({ label, value, before }) =>
		before === undefined ? `${label}: ${value}` : `${label}: ${before || 'empty'} becomes ${value || 'empty'}`,
	),
	...(forgetsSecrets ? ['Its stored secrets are removed, because it leads elsewhere.'] : []),
	...hides.map(({ table, column }) => `Hidden from AI clients: ${table}, ${column}`),
	...(isStricter ? ['Writes of persons are asked for or refused from now on.'] : []),
	...(needsDriver ? ['Downloads its driver.'] : []),
]
