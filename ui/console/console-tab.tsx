import Braces from 'lucide-solid/icons/braces'
import Clock from 'lucide-solid/icons/clock'
import Play from 'lucide-solid/icons/play'
import Save from 'lucide-solid/icons/save'
import SquareTerminal from 'lucide-solid/icons/square-terminal'
import AlignLeft from 'lucide-solid/icons/text-align-start'
import { createEffect, createSignal, For, type JSX, on, Show } from 'solid-js'
import type { RequestPlace, ReviewedStatement } from '../../host/ui-server/api.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { Notice } from '../controls/notice.tsx'
import { Picker } from '../controls/picker.tsx'
import { Splitter } from '../controls/splitter.tsx'
import { WriteSheet } from '../controls/write-sheet.tsx'
import { NameSheet } from '../requests/name-sheet.tsx'
import { VariablesSheet, variablesIn } from '../requests/variables-sheet.tsx'
import { type Command, useCommands } from '../state/commands.tsx'
import { useHost, usePreferences } from '../state/host.tsx'
import { createPaneSize } from '../state/pane-size.ts'
import type { TabOf, TabProps } from '../state/tab.ts'
import { count } from '../words/format.ts'
import { keysText } from '../words/keys.ts'
import { ChangedFileSheet } from './changed-file-sheet.tsx'
import type { OpenConsole } from './console.ts'
import { pastPick } from './history.ts'
import { RunView } from './run-view.tsx'

export interface ConsoleTab extends TabOf<'console'> {
	readonly console: OpenConsole
}

/** A console: the text to the left, what was run to the right. */
export function ConsoleView(props: TabProps<ConsoleTab>): JSX.Element {
	const { runs, dismiss, asking, fault, left, runLeft, shown, editor, history, saved } = props.tab.console
	const { runNearest, runAll, format, copyNearest, copyAs, text } = props.tab.console
	const host = useHost()
	const language = () => props.tab.connection.engine.console
	let split!: HTMLDivElement
	let results!: HTMLElement
	const size = createPaneSize(usePreferences(), 'console/split', { least: 15, most: 85, initial: 50 })
	const [isHistoryOpen, setHistoryOpen] = createSignal(false)
	const [areVariablesOpen, setVariablesOpen] = createSignal(false)
	createEffect(
		on(
			() => props.isActive,
			isActive => {
				if (!isActive) return
				editor.focus()
				saved.follow()
			},
		),
	)
	createEffect(on(shown, run => run && requestAnimationFrame(() => bringIntoView(runs().indexOf(run)))))

	function bringIntoView(place: number): void {
		if (place <= 0) results.scrollTop = 0
		else results.querySelectorAll('article')[place]?.scrollIntoView({ block: 'nearest' })
	}

	async function openHistory(): Promise<void> {
		await history.read()
		if (history.fault() === undefined) setHistoryOpen(true)
	}

	const [places, setPlaces] = createSignal<readonly RequestPlace[]>(['own'])
	createEffect(
		on(saved.isNaming, async isNaming => {
			if (!isNaming) return
			const folder = await host.call('settings.requestsFolder', {}).catch(() => '')
			setPlaces(folder === '' ? ['own'] : ['own', 'shared'])
		}),
	)

	const commands = (): readonly Command[] => [
		{ id: 'console.run', title: 'Run the nearest request', keys: ['Mod+Enter'], run: runNearest },
		{ id: 'console.runAll', title: 'Run all requests', keys: ['Mod+Shift+Enter'], run: runAll },
		{ id: 'console.find', title: 'Find in the console', keys: ['Mod+F'], isHeardThere: true, run: editor.find },
		{ id: 'console.history', title: 'History of the console', keys: ['Mod+H'], run: () => void openHistory() },
		{ id: 'console.save', title: 'Save the request', keys: ['Mod+S'], run: saved.save },
		{ id: 'console.saveAs', title: 'Save the request under a name', keys: ['Mod+Shift+S'], run: saved.saveAs },
		{ id: 'console.variables', title: 'Variables of the connection', run: () => setVariablesOpen(true) },
		...(language().canFormat
			? [{ id: 'console.format', title: 'Format the requests', keys: ['Alt+Shift+F'], run: format }]
			: []),
		...(language().copiesAs
			? [{ id: 'console.copyAs', title: `Copy the nearest request as ${language().copiesAs}`, run: copyNearest }]
			: []),
	]
	useCommands(() => (props.isActive ? commands() : []))
	return (
		<section class="console" classList={{ hidden: !props.isActive }} role="tabpanel" aria-label={props.tab.title}>
			<div class="toolbar" role="toolbar" aria-label="Console">
				<button type="button" class="button primary" title={keysText('Mod+Enter')} onClick={runNearest}>
					<Play size={13} /> Run
				</button>
				<button type="button" class="button" title={keysText('Mod+Shift+Enter')} onClick={runAll}>
					Run all
				</button>
				<IconButton label="History" tip={`History (${keysText('Mod+H')})`} onClick={() => void openHistory()}>
					<Clock size={15} />
				</IconButton>
				<IconButton label="Save" tip={`Save (${keysText('Mod+S')})`} onClick={saved.save}>
					<Save size={15} />
				</IconButton>
				<IconButton label="Variables" onClick={() => setVariablesOpen(true)}>
					<Braces size={15} />
				</IconButton>
				<Show when={language().canFormat}>
					<IconButton label="Format" tip={`Format (${keysText('Alt+Shift+F')})`} onClick={format}>
						<AlignLeft size={15} />
					</IconButton>
				</Show>
				<Show when={language().copiesAs}>
					{as => (
						<IconButton label={`Copy as ${as()}`} onClick={copyNearest}>
							<SquareTerminal size={15} />
						</IconButton>
					)}
				</Show>
				<Show
					when={saved.file()}
					fallback={
						<span class="quiet console-tip">
							Runs the request at the cursor or below it, or those that are selected.
						</span>
					}
				>
					{file => (
						<span class="quiet console-tip" title={file().path}>
							{file().path}
							{saved.isEdited() ? ' · not saved' : ''}
						</span>
					)}
				</Show>
			</div>
			<Show when={fault() ?? history.fault()}>
				{message => (
					<Notice
						kind="error"
						action={fault() === undefined ? undefined : variablesAction(text(), () => setVariablesOpen(true))}
					>
						{message()}
					</Notice>
				)}
			</Show>
			<Show when={left()}>
				{found => (
					<Notice kind="info" action={found().rest.length > 0 ? { label: 'Run the rest', run: runLeft } : undefined}>
						{count(found().count)} of {count(found().of)} not run: {found().because}.
					</Notice>
				)}
			</Show>
			<div ref={split} class="console-split">
				<div class="console-editor" data-pane="" style={{ width: `${size.value()}%` }}>
					{editor.dom}
				</div>
				<Splitter label="Width of the text" size={size} of="before" unit={() => split.clientWidth / 100} />
				<section ref={results} class="console-results" data-pane="" aria-label="Results" aria-live="polite">
					<For each={runs()} fallback={<p class="quiet console-hint">Results show here.</p>}>
						{run => (
							<RunView
								run={run}
								copiesAs={language().copiesAs}
								onCopyAs={() => copyAs(run.typed)}
								onAppend={editor.append}
								onDismiss={() => dismiss(run)}
							/>
						)}
					</For>
				</section>
			</div>
			<Show when={isHistoryOpen()}>
				<Picker
					label="History"
					isWide
					placeholder="Find a request that was run, to add it to the text"
					nothing="No request that was run has these letters."
					picks={history.past().map(past => pastPick(past, () => editor.append(past.statement)))}
					onClose={() => setHistoryOpen(false)}
				/>
			</Show>
			<Show when={areVariablesOpen()}>
				<VariablesSheet
					connection={props.tab.connection}
					used={variablesIn(text())}
					onClose={() => setVariablesOpen(false)}
				/>
			</Show>
			<Show when={saved.isNaming()}>
				<NameSheet
					title="Save the request"
					name={saved.nameNow()}
					help="In a folder: reports/By year"
					yes="Save"
					places={places()}
					onName={saved.add}
					onClose={saved.stopNaming}
				/>
			</Show>
			<Show when={saved.changed()}>
				{changed => (
					<ChangedFileSheet
						changed={changed()}
						onLoad={() => saved.load(changed().onDisk)}
						onOverwrite={saved.overwrite}
						onClose={saved.leaveChanged}
					/>
				)}
			</Show>
			<Show when={asking()} keyed>
				{question => (
					<WriteSheet
						title={destroys(question.writes) ? 'This destroys data' : `This writes to ${props.tab.connection.name}`}
						words={destroys(question.writes) ? 'It cannot be undone.' : 'What is sent, in this order:'}
						writes={question.writes}
						name={destroys(question.writes) ? props.tab.connection.name : undefined}
						yes={question.writes.length === 1 ? 'Run it' : `Run all ${count(question.writes.length)}`}
						onYes={typed => question.answer({ typed })}
						onNo={() => question.answer(undefined)}
					/>
				)}
			</Show>
		</section>
	)
}

const destroys = (writes: readonly ReviewedStatement[]) => writes.some(({ access }) => access === 'destructive')

/** A value that is missing is typed in the sheet. */
function variablesAction(text: string, run: () => void) {
	return variablesIn(text).length > 0 ? { label: 'Variables', run } : undefined
}
