import { createSignal, For, type JSX, Show } from 'solid-js'
import type { ConnectionView, FileConnection, ParamsOf, ResultOf } from '../../host/api/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { Notice } from '../controls/notice.tsx'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'
import { counted } from '../words/format.ts'

const noun = { one: 'connection', many: 'connections' }

/** Shows the connections of a file, and imports those that the user chooses. */
export function ImportSheet(props: {
	readonly file: ParamsOf<'connections.readFile'>
	readonly contents: ResultOf<'connections.readFile'>
	onImported(added: readonly ConnectionView[]): void
	onClose(): void
}): JSX.Element {
	const host = useHost()
	const all = () => props.contents.connections
	const offered = () => all().flatMap(({ fault, isSaved }, place) => (fault === undefined && !isSaved ? [place] : []))
	const [chosen, setChosen] = createSignal<ReadonlySet<number>>(new Set(offered()))
	const [takesSecrets, setTakesSecrets] = createSignal(false)
	const withSecret = () => [...chosen()].filter(place => all()[place]?.hasSecret).length
	const importing = createTask(async call => {
		const choice = { chosen: [...chosen()].sort((a, b) => a - b), takesSecrets: takesSecrets() && withSecret() > 0 }
		props.onImported(await host.call('connections.importFile', { ...props.file, ...choice }, call))
	})
	function choose(place: number, isChosen: boolean): void {
		const others = [...chosen()].filter(other => other !== place)
		setChosen(new Set(isChosen ? [...others, place] : others))
	}
	return (
		<Dialog title={`Import from ${props.contents.source}`} size="wide" onClose={props.onClose}>
			<div class="dialog-body">
				<ul class="boxed-lines file-connections" aria-label="Connections of the file">
					<For each={all()}>
						{(connection, place) => (
							<li>
								<label class="option">
									<input
										type="checkbox"
										disabled={connection.fault !== undefined || importing.isRunning()}
										checked={chosen().has(place())}
										onChange={event => choose(place(), event.currentTarget.checked)}
									/>
									<span class="lines">
										<bdi class="name">{connection.name}</bdi>
										<span class="quiet">{whereOf(connection)}</span>
										<For each={notesOf(connection)}>{note => <span class="hint">{note}</span>}</For>
									</span>
								</label>
							</li>
						)}
					</For>
				</ul>
				<Show when={withSecret() > 0}>
					<label class="option">
						<input
							type="checkbox"
							checked={takesSecrets()}
							onChange={event => setTakesSecrets(event.currentTarget.checked)}
						/>
						Take over passwords
					</label>
					<p class="quiet">
						{`The file has the passwords of ${counted(withSecret(), noun)} in clear. If taken over, they are stored with the other secrets.`}
					</p>
				</Show>
				<p class="quiet">
					Nothing is opened now. Connections of other programs ask before each write, and give AI clients what a new
					connection gives.
				</p>
				<Show when={importing.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			</div>
			<footer class="dialog-foot">
				<button type="button" class="button" onClick={() => props.onClose()}>
					Cancel
				</button>
				<button
					type="button"
					class="button primary"
					disabled={chosen().size === 0 || importing.isRunning()}
					onClick={() => void importing.run()}
				>
					{importing.isRunning() ? 'Importing …' : `Import ${counted(chosen().size, noun)}`}
				</button>
			</footer>
		</Dialog>
	)
}

const whereOf = ({ engine, address, ssh, group }: FileConnection) =>
	[engine, address, ...(ssh === undefined ? [] : [`through SSH: ${ssh}`]), ...(group ? [`group ${group}`] : [])]
		.filter(Boolean)
		.join(' · ')

const notesOf = ({ fault, isSaved, needsDriver, left, hasSecret }: FileConnection): readonly string[] =>
	fault !== undefined
		? [`Cannot be imported: ${fault}.`]
		: [
				...(isSaved ? ['Is there already.'] : []),
				...(needsDriver ? ['Downloads its driver.'] : []),
				...(hasSecret ? ['Its password is in the file.'] : []),
				...(left.length > 0 ? [`Not taken over: ${left.join(', ')}.`] : []),
			]
