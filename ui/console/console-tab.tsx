import { createEffect, createSignal, type JSX, on, Show } from 'solid-js'
import { Notice } from '../controls/notice.tsx'
import { Splitter } from '../controls/splitter.tsx'
import { variablesIn } from '../requests/variables-sheet.tsx'
import { countIn } from '../results/kept-changes.ts'
import { consoleLayout, consoleLines } from '../state/appearance.ts'
import { type Command, useCommands } from '../state/commands.tsx'
import { useHost, usePreferences } from '../state/host.tsx'
import { createPaneSize } from '../state/pane-size.ts'
import type { TabOf, TabProps } from '../state/tab.ts'
import { createTask } from '../state/task.ts'
import { count, counted } from '../words/format.ts'
import type { OpenConsole } from './console.ts'
import { ConsoleSheets } from './console-sheets.tsx'
import { ConsoleToolbar, quotesTitle } from './console-toolbar.tsx'
import { firstLine } from './result-words.ts'
import { ResultsPane } from './results-pane.tsx'
import type { Run } from './run.ts'

export interface ConsoleTab extends TabOf<'console'> {
	readonly console: OpenConsole
}

/** A console: its text, and the results beside or below it. */
export function ConsoleView(props: TabProps<ConsoleTab>): JSX.Element {
	const { results, isRunning, fault, left, runLeft, transaction, editor, history, saved } = props.tab.console
	const { runNearest, runAll, tryNearest, format, copyNearest, explainNearest, planNearest, text } = props.tab.console
	const language = () => props.tab.connection.engine.console
	const { one, many } = language().noun
	let root: HTMLElement | undefined
	let split!: HTMLDivElement
	const preferences = usePreferences()
	const width = createPaneSize(preferences, 'console/split', { least: 15, most: 85, initial: 50 })
	const height = createPaneSize(preferences, 'console/split-below', { least: 15, most: 85, initial: 35 })
	/** Rows of a table are wide and flat, and documents are narrow and long. */
	const isBelow = () => {
		const chosen = consoleLayout.chosen()
		return chosen === 'auto' ? !props.tab.connection.engine.removesFields : chosen === 'below'
	}
	const size = () => (isBelow() ? height : width)
	const toggleLayout = () => consoleLayout.choose(isBelow() ? 'beside' : 'below', preferences)
	const host = useHost()
	const listing = createTask(call => host.call('console.databases', { connection: props.tab.place.connection }, call))
	if (language().hasDatabases) void listing.run()
	/** Also if they cannot be listed, or its database is new, a console says where it runs. */
	const databases = () => {
		const { database } = props.tab.console.namespace()
		const listed = listing.value() ?? (database === undefined ? [] : [''])
		return database === undefined || listed.includes(database) ? listed : [...listed, database]
	}
	const schemas = () => {
		if (!language().hasSchemas) return []
		const { database, schema } = props.tab.console.namespace()
		const listed = props.tab.connection.listed ?? []
		const names = listed.filter(table => table.database === database).map(({ path }) => path?.at(-1))
		// One without tables is not in the list.
		return [...new Set([...names, schema])].filter(name => name !== undefined).sort()
	}
	const [isHistoryOpen, setHistoryOpen] = createSignal(false)
	const [areVariablesOpen, setVariablesOpen] = createSignal(false)
	createEffect(
		on(
			() => props.isActive,
			isActive => {
				if (!isActive) return
				// A click into its results leaves the focus there.
				if (!root?.contains(document.activeElement)) editor.focus()
				saved.follow()
			},
		),
	)

	async function openHistory(): Promise<void> {
		await history.read()
		if (history.fault() === undefined) setHistoryOpen(true)
	}

	const frontRun = () => {
		const front = results.front()
		return front === 'messages' ? undefined : front
	}
	function withFront(act: (run: Run) => void): void {
		const run = frontRun()
		if (run) act(run)
	}
	const toggleWrap = () => consoleLines.choose(consoleLines.chosen() === 'one' ? 'wrapped' : 'one', preferences)

	const commands = (): readonly Command[] => [
		{ id: 'console.run', title: `Run the nearest ${one}`, keys: ['Mod+Enter'], run: runNearest },
		{ id: 'console.runAll', title: `Run all ${many}`, keys: ['Mod+Shift+Enter'], run: runAll },
		...(language().takesParameters
			? [{ id: 'console.quotes', title: quotesTitle(props.tab.console), run: props.tab.console.toggleQuotes }]
			: []),
		...(language().canRehearse
			? [
					{
						id: 'console.try',
						title: `Try the nearest ${one}: show what it does, and change nothing`,
						keys: ['Mod+Alt+Enter'],
						run: tryNearest,
					},
				]
			: []),
		{
			id: 'console.cancel',
			title: `Cancel the running ${many}`,
			keys: ['Mod+.'],
			isAvailable: isRunning,
			run: props.tab.console.cancel,
		},
		...(language().transaction
			? [
					{
						id: 'console.commit',
						title: 'Commit the transaction',
						isAvailable: () => transaction() === 'open',
						run: props.tab.console.commit,
					},
					{
						id: 'console.rollBack',
						title: 'Roll back the transaction',
						isAvailable: () => transaction() !== undefined,
						run: props.tab.console.rollBack,
					},
				]
			: []),
		...(language().transaction?.begin === undefined
			? []
			: [{ id: 'console.manual', title: 'Commit by hand, or at once', run: props.tab.console.toggleManual }]),
		{ id: 'console.find', title: 'Find in the console', keys: ['Mod+F'], isHeardThere: true, run: editor.find },
		{ id: 'console.wrap', title: 'Wrap long lines of consoles, or not', keys: ['Alt+Z'], run: toggleWrap },
		{
			id: 'console.layout',
			title: `Results ${isBelow() ? 'beside' : 'below'} the text`,
			run: toggleLayout,
		},
		{ id: 'console.history', title: 'History of the console', keys: ['Mod+Alt+H'], run: () => void openHistory() },
		{
			id: 'console.clear',
			title: 'Clear the results',
			isAvailable: () => results.runs().length > 0,
			run: results.clear,
		},
		{
			id: 'console.pin',
			title: 'Pin the result in front, or unpin it',
			keys: ['Mod+K P'],
			isAvailable: () => frontRun() !== undefined,
			run: () => withFront(results.togglePin),
		},
		{
			id: 'console.closeResult',
			title: 'Close the result in front',
			keys: ['Mod+K X'],
			isAvailable: () => frontRun() !== undefined,
			run: () => withFront(results.dismiss),
		},
		...([-1, 1] as const).map(by => ({
			id: by === 1 ? 'console.nextResult' : 'console.previousResult',
			title: by === 1 ? 'Show the next result' : 'Show the previous result',
			keys: [by === 1 ? 'Alt+PageDown' : 'Alt+PageUp'],
			isAvailable: () => results.all().length > 1,
			run: () => results.step(by),
		})),
		{ id: 'console.save', title: `Save the ${one}`, keys: ['Mod+S'], run: saved.save },
		{ id: 'console.saveAs', title: `Save the ${one} under a name`, keys: ['Mod+Shift+S'], run: saved.saveAs },
		{ id: 'console.variables', title: 'Variables of the connection', run: () => setVariablesOpen(true) },
		...(language().canFormat
			? [{ id: 'console.format', title: `Format the ${many}`, keys: ['Alt+Shift+F'], run: format }]
			: []),
		...(language().canExplain
			? [
					{
						id: 'console.explain',
						title: `Explain the nearest ${one} by running it`,
						keys: ['Mod+E'],
						run: explainNearest,
					},
				]
			: []),
		...(language().canExplain && language().canPlan
			? [
					{
						id: 'console.plan',
						title: `Show the plan of the nearest ${one} without running it`,
						keys: ['Mod+Shift+E'],
						run: planNearest,
					},
				]
			: []),
		...(language().copiesAs
			? [{ id: 'console.copyAs', title: `Copy the nearest ${one} as ${language().copiesAs}`, run: copyNearest }]
			: []),
	]
	useCommands(() => (props.isActive ? commands() : []))
	return (
		<section
			ref={root}
			class="console"
			classList={{ hidden: !props.isShown }}
			role="tabpanel"
			aria-label={props.tab.title}
		>
			<ConsoleToolbar
				console={props.tab.console}
				language={language()}
				rowNoun={props.tab.connection.engine.rowNoun}
				databases={databases()}
				schemas={schemas()}
				onHistory={() => void openHistory()}
				onVariables={() => setVariablesOpen(true)}
				isBelow={isBelow()}
				onLayout={toggleLayout}
			/>
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
			<Show when={props.tab.console.isTransactionLost()}>
				<Notice kind="info">
					The window was left while a transaction was open here, so it was rolled back. Run its {many} again if you need
					them.
				</Notice>
			</Show>
			<Show when={props.tab.console.kept.left()[0]}>
				{kept => (
					<Notice
						kind="info"
						other={{ label: 'Discard', run: () => props.tab.console.kept.drop(kept()) }}
						action={{ label: 'Run it again', run: () => props.tab.console.showKept(kept()) }}
					>
						{counted(countIn(kept().changes), { one: 'change', many: 'changes' })} in the result of{' '}
						<code>{firstLine(kept().typed)}</code> {countIn(kept().changes) === 1 ? 'is' : 'are'} kept and not saved.
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
			<div ref={split} class="console-split" classList={{ below: isBelow() }}>
				<div class="console-editor" data-pane="" style={{ 'flex-basis': `${size().value()}%` }}>
					{editor.dom()}
				</div>
				<Splitter
					label={isBelow() ? 'Height of the text' : 'Width of the text'}
					size={size()}
					of="before"
					isHorizontal={isBelow()}
					unit={() => (isBelow() ? split.clientHeight : split.clientWidth) / 100}
				/>
				<ResultsPane console={props.tab.console} isShown={props.isShown} onRows={props.onRows} />
			</div>
			<ConsoleSheets
				console={props.tab.console}
				connection={props.tab.connection}
				isHistoryOpen={isHistoryOpen()}
				areVariablesOpen={areVariablesOpen()}
				onHistoryClosed={() => setHistoryOpen(false)}
				onVariablesClosed={() => setVariablesOpen(false)}
			/>
		</section>
	)
}

/** The sheet takes the missing values. */
function variablesAction(text: string, run: () => void) {
	return variablesIn(text).length > 0 ? { label: 'Variables', run } : undefined
}
