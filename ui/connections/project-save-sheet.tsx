import { createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import { Dialog } from '../controls/dialog.tsx'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'
import { FolderField } from './folder-field.tsx'

/** Writes chosen connections into the `roundhouse.json` of a folder, for a team. */
export function ProjectSaveSheet(props: { onClose(): void }): JSX.Element {
	const id = createUniqueId()
	const host = useHost()
	const [folder, setFolder] = createSignal('')
	const [statements, setStatements] = createSignal('')
	const [chosen, setChosen] = createSignal<ReadonlySet<string>>(new Set())
	const connections = createReading(call => host.call('connections.list', {}, call))
	const writing = createTask(call => {
		const requests = statements().trim() || undefined
		return host.call('projects.write', { folder: folder().trim(), ids: [...chosen()], requests }, call)
	})
	const toggle = (connection: string) => {
		const next = new Set(chosen())
		if (!next.delete(connection)) next.add(connection)
		setChosen(next)
	}
	return (
		<Dialog title="Save as project" size="wide" onClose={props.onClose}>
			<form
				class="form"
				onSubmit={event => {
					event.preventDefault()
					void writing.run()
				}}
			>
				<div class="dialog-body">
					<FolderField
						help="Writes its roundhouse.json, or adds to it. The file has no secrets, no paths of this machine and nothing that AI clients may do. It has the SSH servers on the way of a connection. It can be kept in Git."
						value={folder()}
						onInput={setFolder}
						onPick={setFolder}
					/>
					<div class="field">
						<span id={`${id}-connections`}>Connections</span>
						<fieldset class="tool-groups" aria-labelledby={`${id}-connections`}>
							<Failure of={connections} />
							<For each={connections.value()}>
								{({ id: connection, name }) => (
									<label class="option">
										<input type="checkbox" checked={chosen().has(connection)} onChange={() => toggle(connection)} />
										<bdi>{name}</bdi>
									</label>
								)}
							</For>
						</fieldset>
					</div>
					<div class="field">
						<label for={id}>Folder of statements</label>
						<input
							id={id}
							autocomplete="off"
							spellcheck={false}
							placeholder="statements"
							value={statements()}
							aria-describedby={`${id}-help`}
							onInput={event => setStatements(event.currentTarget.value)}
						/>
						<p id={`${id}-help`} class="field-help">
							Within the project, and made if it is missing. Empty for none.
						</p>
					</div>
					<Show when={writing.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
					<Show when={writing.value()}>
						{saved => (
							<ul class="boxed-lines" aria-label="What was written">
								<For each={saved().written}>
									{({ name, left }) => (
										<li class="lines">
											<bdi class="name">{name}</bdi>
											<span class="hint">
												{left.length > 0 ? `Written. What stays on this machine: ${left.join(', ')}.` : 'Written.'}
											</span>
										</li>
									)}
								</For>
							</ul>
						)}
					</Show>
				</div>
				<footer class="dialog-foot">
					<button type="button" class="button" onClick={() => props.onClose()}>
						{writing.value() ? 'Close' : 'Cancel'}
					</button>
					<button
						type="submit"
						class="button primary"
						disabled={folder().trim() === '' || chosen().size === 0 || writing.isRunning()}
					>
						{writing.isRunning() ? 'Saving …' : 'Save'}
					</button>
				</footer>
			</form>
		</Dialog>
	)
}
