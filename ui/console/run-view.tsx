import { createEffect, createSignal, getOwner, type JSX, runWithOwner, Show } from 'solid-js'
import type { ConsoleResult, ResultPart } from '../../host/api/api.ts'
import { FaultBoundary } from '../controls/fault-boundary.tsx'
import { Segmented } from '../controls/segmented.tsx'
import { hasTitledParts, statusOf } from '../results/answer.ts'
import type { RowUses } from '../results/origins.ts'
import { Affected, createPart, FaultNotice, PartBar, ResultView } from '../results/result-view.tsx'
import { useEngine } from '../state/engine.tsx'
import { clockOf, count, counted, countText } from '../words/format.ts'
import { isRefusedStatus } from '../words/refused-status.ts'
import { firstLine } from './result-words.ts'
import type { Run } from './run.ts'
import { mostRows } from './runs.ts'

interface RunViewProps {
	readonly run: Run
	/** Whether it is in front. */
	readonly isShown: boolean
	/** Appends a statement to the console text. */
	onAppend(statement: string): void
	readonly uses: RowUses
	/** Exports all rows, if the engine can. */
	readonly onExport: (() => void) | undefined
	onDismiss(): void
}

/** One run with its result: a bar beside the tabs, and the rows or the answer below them. */
export function RunView(props: RunViewProps): JSX.Element {
	return (
		<article class="run" classList={{ hidden: !props.isShown }} aria-label={firstLine(props.run.statement)}>
			<Show when={props.run.task.value()} keyed fallback={<Failed run={props.run} />}>
				{result => (
					// An error in this result does not affect the text and other results.
					<FaultBoundary what="This result" recoveryAction={{ label: 'Remove result', run: props.onDismiss }}>
						<Result {...props} result={result} />
					</FaultBoundary>
				)}
			</Show>
		</article>
	)
}

function Result(props: RunViewProps & { readonly result: ConsoleResult }): JSX.Element {
	const { rowNoun } = useEngine()
	const parts = [props.result, ...(hasTitledParts(props.result) ? (props.result.more ?? []) : [])]
	const owner = getOwner()
	const { sorting } = props.run
	const sort: RowUses['sort'] =
		sorting &&
		(async order => {
			const sorted = await sorting.run(order)
			const { body } = sorted ?? {}
			return body?.view === 'rows' ? body : sorting.error()
		})
	/** A part has its grid once it is shown. Values are edited in the first one alone. */
	const made = new Map<number, ReturnType<typeof createPart>>()
	function partAt(at: number): ReturnType<typeof createPart> | undefined {
		const [known, part] = [made.get(at), parts[at]]
		if (known || !part) return known
		const created = runWithOwner(owner, () =>
			createPart(part, at === 0 ? { ...props.uses, ...(sort && { sort }) } : {}),
		)
		if (created) made.set(at, created)
		return created
	}
	createEffect(() => props.run.setChanges(partAt(0)?.model?.editing?.changes() ?? []))
	const { restoring } = props.run
	if (restoring) void partAt(0)?.model?.editing?.restore(restoring.changes).then(restoring.settle)
	const [front, setFront] = createSignal(0)
	const others = () => (parts.length > 1 ? 0 : (props.result.more ?? []).length)
	const isWhole = () => others() + (props.result.panels ?? []).length === 0
	let choice: HTMLDivElement | undefined
	/** Shows another part. The choice is drawn again with it, and keeps the focus. */
	function choose(id: string): void {
		setFront(Number(id))
		queueMicrotask(() => choice?.querySelector<HTMLElement>('input:checked')?.focus())
	}
	return (
		<Show when={partAt(front())} keyed>
			{shown => (
				<>
					<PartBar shown={shown}>
						<Show when={parts.length > 1}>
							<div ref={choice} class="run-parts">
								<Segmented
									label="Part of the answer"
									options={parts.map(({ title = '' }, at) => ({ id: String(at), label: title }))}
									value={String(front())}
									onChange={choose}
								/>
							</div>
						</Show>
						<div class="run-facts">
							<span class="run-status" classList={{ refused: isRefusal(props.result) }}>
								{withoutRows(statusOf({ status: props.result.status, body: shown.part.body }, rowNoun), shown.part)}
							</span>
							<Affected part={shown.part} />
							<Show
								when={shown.model?.isArranging()}
								fallback={
									<Show when={shown.model?.sortedBy()}>{by => <span class="quiet">sorted by {by()}</span>}</Show>
								}
							>
								<span class="quiet">arranging {rowNoun.many}…</span>
							</Show>
							<Total part={shown.part} />
							<span class="quiet">{count(props.result.tookMs)} ms</span>
							<Begun run={props.run} />
						</div>
					</PartBar>
					<div class="run-body" classList={{ whole: isWhole() }} tabindex={0}>
						<Sent run={props.run} />
						<CallFailure run={props.run} />
						<ResultView result={props.result} first={shown} onStatement={props.onAppend} uses={props.uses} />
						<Show when={hasMore(shown.part)}>
							<More {...props} />
						</Show>
					</div>
				</>
			)}
		</Show>
	)
}

/** Returns a status without the number of rows at its end (`SELECT 5`), which the tab of the result has. */
function withoutRows(status: string, { body }: Pick<ResultPart, 'body'>): string {
	return body.view === 'rows' ? status.replace(new RegExp(` ${body.rows.length}$`), '') : status
}

/** A run whose call failed, so that the engine has answered nothing. */
function Failed(props: { readonly run: Run }): JSX.Element {
	return (
		<>
			<div class="result-bar">
				<Begun run={props.run} />
			</div>
			<div class="run-body">
				<Sent run={props.run} />
				<CallFailure run={props.run} />
			</div>
		</>
	)
}

function CallFailure(props: { readonly run: Run }): JSX.Element {
	return <Show when={props.run.task.error()}>{message => <FaultNotice fault={{ message: message() }} />}</Show>
}

/** Where it ran, if that was chosen, and when. */
export function Begun(props: { readonly run: Run }): JSX.Element {
	return (
		<>
			<Show when={props.run.namespace}>{name => <span class="quiet">in {name()}</span>}</Show>
			<span class="quiet run-clock">{clockOf(props.run.begunAt)}</span>
		</>
	)
}

/** The values that were sent beside it, if there are any. */
export function Sent(props: { readonly run: Run }): JSX.Element {
	return (
		<Show when={props.run.values.length > 0}>
			<p class="quiet run-sent">{props.run.values.join(', ')}</p>
		</Show>
	)
}

/** How the rest of a truncated result is read. */
function More(props: RunViewProps & { readonly result: ConsoleResult }): JSX.Element {
	const { console, rowNoun } = useEngine()
	const { one } = console.noun
	return (
		<footer class="run-more">
			<span class="quiet">
				There are more {rowNoun.many}. Narrow the {one}
				{props.onExport ? '.' : ', or open the table in the grid.'}
			</span>
			<Show when={props.result && props.run.canReadMore?.()}>
				<button
					type="button"
					class="button small"
					title={`Runs the ${one} again`}
					onClick={() => props.run.readMore?.()}
				>
					Read up to {counted(mostRows, rowNoun)}
				</button>
			</Show>
			<Show when={props.onExport}>
				{begin => (
					<button type="button" class="button small" onClick={() => begin()()}>
						Export all {rowNoun.many}
					</button>
				)}
			</Show>
		</footer>
	)
}

const hasMore = ({ body }: Pick<ConsoleResult, 'body'>) => body.view === 'rows' && body.isTruncated

function Total(props: { readonly part: Pick<ConsoleResult, 'body'> }): JSX.Element {
	const total = () => (props.part.body.view === 'rows' ? props.part.body.total : undefined)
	return <Show when={total()}>{found => <span class="quiet">{countText(found())} in total</span>}</Show>
}

/**
 * Returns whether the status is not positive: the engine reported an error, or the HTTP status is 4xx or 5xx. Such a
 * status can also be a normal response, for example to HEAD. That of rows can begin with their number, as in `500 rows`.
 */
export function isRefusal({ status, fault, body }: ConsoleResult): boolean {
	return fault !== undefined || (body.view !== 'rows' && isRefusedStatus(status))
}
