import ChevronRight from 'lucide-solid/icons/chevron-right'
import Maximize2 from 'lucide-solid/icons/maximize-2'
import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import type { ConsoleResult } from '../../host/api/api.ts'
import { type MenuEntry, WithMenu } from '../controls/context-menu.tsx'
import { copyText } from '../controls/copy-button.tsx'
import { FaultBoundary } from '../controls/fault-boundary.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Notice } from '../controls/notice.tsx'
import { answerOf, statusOf } from '../results/answer.ts'
import { Affected, ResultView } from '../results/result-view.tsx'
import { createElapsed } from '../state/elapsed.ts'
import { useEngine } from '../state/engine.tsx'
import type { ShownFilter } from '../state/tab.ts'
import { clockOf, counted, countText } from '../words/format.ts'
import { mostRows, type Run } from './runs.ts'
import { StatementExport } from './statement-export.tsx'

/** One run with its status line and result. */
export function RunView(props: {
	readonly run: Run
	/** Appends the statement of the run to the console text. */
	onAppend(statement: string): void
	/** The engine's term for its statement. */
	readonly noun: string
	/** Name of another format in which the statement can be copied, if the driver supports one. */
	readonly copiesAs: string | undefined
	onCopyAs(): void
	readonly isHidden: boolean
	/** Whether statements were run since. */
	readonly isOlder: boolean
	/** Hides all other results, if there are others. */
	readonly onAlone: (() => void) | undefined
	/** Whether a transaction of the console's session is open. */
	readonly isInTransaction: boolean
	/** It waits for another run. */
	readonly isWaiting: boolean
	/** Opens rows of a table. */
	onRows(table: string, filters: readonly ShownFilter[]): void
	/** Removes it from the list. */
	onDismiss(): void
}): JSX.Element {
	const { console, rowNoun } = useEngine()
	const result = () => props.run.task.value()
	const elapsed = createElapsed(() => props.run.task.isRunning() && !props.isWaiting)
	const canReadMore = ({ body }: ConsoleResult) =>
		props.run.readMore !== undefined && hasMore({ body }) && body.view === 'rows' && body.rows.length < mostRows
	const [isExporting, setExporting] = createSignal(false)
	/** Only a result with rows can be exported. */
	const beginExport = () => (console.canExport && result()?.body.view === 'rows' ? props.run.beginExport : undefined)
	const [isCollapsed, setCollapsed] = createSignal(false)
	const statement = () => props.run.statement.split('\n')[0] ?? ''
	const entries = (): readonly (MenuEntry | 'line')[] => {
		const found = result()
		const copy = (answer: ConsoleResult) => copyText(new TextDecoder().decode(answerOf(answer)))
		return [
			{ label: 'Copy the answer', isDisabled: !found, run: () => void (found && copy(found)) },
			{ label: `Copy the ${props.noun}`, run: () => void copyText(props.run.statement) },
			...(props.copiesAs === undefined
				? []
				: [{ label: `Copy the ${props.noun} as ${props.copiesAs}`, run: () => props.onCopyAs() }]),
			{ label: `Append the ${props.noun} to the console`, run: () => props.onAppend(props.run.statement) },
			...(beginExport()
				? ['line' as const, { label: `Export all ${rowNoun.many}`, run: () => setExporting(true) }]
				: []),
			'line',
			{ label: 'Remove', isDisabled: props.run.task.isRunning(), run: () => props.onDismiss() },
		]
	}
	return (
		<article class="run" classList={{ hidden: props.isHidden, older: props.isOlder }} aria-label={statement()}>
			<WithMenu class="run-head" menu={() => ({ label: statement(), entries: entries() })}>
				<button
					type="button"
					class="run-fold"
					aria-label={`Result of ${statement()}`}
					aria-expanded={!isCollapsed()}
					onClick={() => setCollapsed(is => !is)}
				>
					<ChevronRight size={13} class="chevron" />
				</button>
				<code class="run-statement">{statement()}</code>
				<Show when={props.isOlder}>
					<span class="quiet" title="Statements were run since">
						{clockOf(props.run.groupAt)}
					</span>
				</Show>
				<Show when={props.run.database}>{name => <span class="quiet">{name()}</span>}</Show>
				<Show when={props.run.values.length > 0}>
					<span class="quiet run-values">{props.run.values.join(', ')}</span>
				</Show>
				<Switch>
					<Match when={props.run.task.isRunning()}>
						<Show
							when={!props.isWaiting}
							fallback={<span class="quiet">Waiting for the {props.noun} before it …</span>}
						>
							<span class="quiet">Running …{elapsed()}</span>
						</Show>
						<button type="button" class="button small" title="Cancel (Ctrl .)" onClick={props.run.task.cancel}>
							Cancel
						</button>
					</Match>
					<Match when={result()}>
						{found => (
							<span class="run-outcome">
								<span class="badge" classList={{ positive: !isRefusal(found()) }}>
									{statusOf(found(), rowNoun)}
								</span>
								<span class="quiet">{found().tookMs} ms</span>
								<Affected part={found()} />
								<Total result={found()} />
								<Show when={canReadMore(found())}>
									<button
										type="button"
										class="button small"
										title={`Runs the ${props.noun} again`}
										onClick={() => props.run.readMore?.()}
									>
										Read up to {counted(mostRows, rowNoun)}
									</button>
								</Show>
								<Show when={beginExport() && hasMore(found())}>
									<button type="button" class="button small" onClick={() => setExporting(true)}>
										Export all {rowNoun.many}
									</button>
								</Show>
							</span>
						)}
					</Match>
					<Match when={props.run.task.error() === undefined}>
						<span class="quiet">Cancelled</span>
					</Match>
				</Switch>
				<Show when={result() && props.onAlone}>
					{show => (
						<IconButton label="Show this result alone" isSmall onClick={() => show()()}>
							<Maximize2 size={13} />
						</IconButton>
					)}
				</Show>
			</WithMenu>
			<Show when={isExporting() && beginExport()}>
				{begin => (
					<StatementExport
						begin={begin()}
						isInTransaction={props.isInTransaction}
						onClose={() => setExporting(false)}
					/>
				)}
			</Show>
			<Show when={props.run.task.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={!isCollapsed() && result()} keyed>
				{found => (
					// An error in this result does not affect the text and other results.
					<FaultBoundary what="This result" recoveryAction={{ label: 'Remove result', run: props.onDismiss }}>
						<ResultView result={found} onStatement={props.onAppend} onRows={props.onRows} />
					</FaultBoundary>
				)}
			</Show>
		</article>
	)
}

const hasMore = ({ body }: Pick<ConsoleResult, 'body'>) => body.view === 'rows' && body.isTruncated

function Total(props: { readonly result: ConsoleResult }): JSX.Element {
	const total = () => (props.result.body.view === 'rows' ? props.result.body.total : undefined)
	return <Show when={total()}>{found => <span class="quiet">{countText(found())} in total</span>}</Show>
}

/**
 * Returns whether the badge is not positive: the engine reported an error, or the HTTP status is 4xx or 5xx. Such a
 * status can also be a normal response, for example to HEAD.
 */
function isRefusal({ status, fault }: ConsoleResult): boolean {
	return fault !== undefined || /^[45]\d\d\b/.test(status)
}
