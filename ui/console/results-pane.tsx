import SquareTerminal from 'lucide-solid/icons/square-terminal'
import { createEffect, createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import type { MenuEntry } from '../controls/context-menu.tsx'
import { Splitter } from '../controls/splitter.tsx'
import { createElapsed } from '../state/elapsed.ts'
import { useEngine } from '../state/engine.tsx'
import { usePreferences } from '../state/host.tsx'
import { createPaneSize } from '../state/pane-size.ts'
import { countPane } from '../state/panes-beside.ts'
import type { TabProps } from '../state/tab.ts'
import { count } from '../words/format.ts'
import type { OpenConsole } from './console.ts'
import { MessagesView } from './messages-view.tsx'
import { PlanPane } from './plan-pane.tsx'
import { ResultTabs } from './result-tabs.tsx'
import { firstLine, resultName } from './result-words.ts'
import { mostResults } from './results.ts'
import { isRunning, type Run, tasksOf } from './run.ts'
import { runEntries } from './run-menu.ts'
import { RunView } from './run-view.tsx'
import { StatementExport } from './statement-export.tsx'

/** The results of a console: tabs, and the one in front. What was shown stays until the next statement has ended. */
export function ResultsPane(props: {
	readonly console: OpenConsole
	readonly isShown: boolean
	onRows: TabProps<never>['onRows']
}): JSX.Element {
	const panel = createUniqueId()
	const { results } = props.console
	const engine = useEngine()
	const width = createPaneSize(usePreferences(), 'console/plan', { least: 20, most: 80, initial: 50 })
	let body!: HTMLDivElement
	countPane(() => props.isShown && props.console.explained() !== undefined)
	const canTry = () => {
		const access = props.console.planned()?.statement.access
		return engine.console.canRehearse && access !== undefined && access !== 'read'
	}
	const [exporting, setExporting] = createSignal<NonNullable<Run['beginExport']>>()
	const running = () => results.runs().filter(isRunning)
	/** Only a result with rows can be exported. */
	const exportOf = ({ task, beginExport }: Run) =>
		engine.console.canExport && task.value()?.body.view === 'rows' && beginExport
			? () => setExporting(() => beginExport)
			: undefined
	function menu(run: Run): readonly (MenuEntry | 'line')[] {
		const begin = exportOf(run)
		const isTab = results.tabs().includes(run)
		return [
			...runEntries(run, props.console, engine.console),
			...(begin ? ['line' as const, { label: `Export all ${engine.rowNoun.many}`, run: begin }] : []),
			'line',
			...(isTab
				? [{ label: results.isPinned(run) ? 'Unpin' : 'Pin', keys: 'P', run: () => results.togglePin(run) }]
				: []),
			{ label: 'Remove', ...(isTab && { keys: 'Delete' }), run: () => results.dismiss(run) },
		]
	}
	const frontName = () => {
		const front = results.front()
		return front === undefined || front === 'messages' ? 'Messages' : resultName(front)
	}
	return (
		<section class="console-results" data-pane="" aria-label="Results" aria-busy={running().length > 0}>
			<div
				ref={body}
				class="results"
				classList={{ planned: props.console.explained() !== undefined, alone: results.all().length === 0 }}
				style={{ '--plan': `${width.value()}%` }}
			>
				<Show when={results.all().length > 0}>
					<ResultTabs results={results} panel={panel} menu={menu} onEmpty={props.console.editor.focus} />
				</Show>
				<Show
					when={results.all().length > 0}
					fallback={
						<Show when={running().length === 0 && props.console.explained() === undefined}>
							<p class="quiet console-hint">
								<SquareTerminal size={24} strokeWidth={1.5} />
								The result of what you run is shown here.
							</p>
						</Show>
					}
				>
					<div class="result-panel" role="tabpanel" id={panel} aria-label={frontName()} aria-live="polite">
						<For each={results.tabs()}>
							{run => (
								<Seen isShown={results.front() === run}>
									<RunView
										run={run}
										isShown={results.front() === run}
										onAppend={props.console.editor.append}
										uses={{
											open: props.onRows,
											copyInserts: props.console.copyInserts,
											edits: props.console.resultEdits,
										}}
										onExport={exportOf(run)}
										onDismiss={() => results.dismiss(run)}
									/>
								</Seen>
							)}
						</For>
						<MessagesView runs={results.messages()} isShown={results.front() === 'messages'} menu={menu} />
					</div>
				</Show>
				<Show when={props.console.explained()}>
					{explaining => (
						<>
							<Splitter
								label="Width of the plan"
								size={width}
								of="after"
								unit={() => (body.clientWidth || 100) / 100}
							/>
							<PlanPane
								explaining={explaining()}
								statement={props.console.planned()?.typed ?? ''}
								onTry={canTry() ? props.console.tryPlanned : undefined}
								onMeasure={
									props.console.planned()?.statement.access === 'read' ? props.console.measurePlanned : undefined
								}
								onClose={() => {
									props.console.closeExplained()
									props.console.editor.focus()
								}}
							/>
						</>
					)}
				</Show>
				<Show when={running().length > 0}>
					<ul class="running" aria-label="Running">
						<For each={running()}>{run => <RunningLine run={run} isWaiting={props.console.isWaiting(run)} />}</For>
					</ul>
				</Show>
				<Show when={results.isCut()}>
					<p class="quiet results-cut">
						The latest {count(mostResults)} results are kept. The {engine.console.noun.many} before them are in the
						history.
					</p>
				</Show>
			</div>
			<Show when={exporting()}>
				{begin => (
					<StatementExport
						begin={begin()}
						isInTransaction={props.console.transaction() !== undefined}
						onClose={() => setExporting(undefined)}
					/>
				)}
			</Show>
		</section>
	)
}

/** Draws its children when they are first in front, and keeps them then: a script may have many results. */
function Seen(props: { readonly isShown: boolean; readonly children: JSX.Element }): JSX.Element {
	const [isSeen, setSeen] = createSignal(false)
	createEffect(() => props.isShown && setSeen(true))
	return <Show when={isSeen()}>{props.children}</Show>
}

/** A statement that runs or waits for another one, over what was shown before. */
function RunningLine(props: { readonly run: Run; readonly isWaiting: boolean }): JSX.Element {
	const { console } = useEngine()
	const elapsed = createElapsed(() => !props.isWaiting)
	const active = () => tasksOf(props.run).find(task => task.isRunning())
	return (
		<li class="running-line">
			<code class="message-statement">{firstLine(props.run.statement)}</code>
			<Show
				when={!props.isWaiting}
				fallback={<span class="quiet">Waiting for the {console.noun.one} before it …</span>}
			>
				<Show when={active()?.progress()?.message}>{message => <span class="quiet">{message()}</span>}</Show>
				<span class="quiet">Running …{elapsed()}</span>
			</Show>
			<button type="button" class="button small" title="Cancel (Ctrl .)" onClick={() => active()?.cancel()}>
				Cancel
			</button>
		</li>
	)
}
