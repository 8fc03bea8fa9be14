import ChevronRight from 'lucide-solid/icons/chevron-right'
import X from 'lucide-solid/icons/x'
import { createMemo, createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import type { Explained } from '../../host/api/api.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { Failure } from '../controls/failure.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Notice } from '../controls/notice.tsx'
import { Segmented } from '../controls/segmented.tsx'
import { useEngine } from '../state/engine.tsx'
import type { Task } from '../state/task.ts'
import { count, milliseconds } from '../words/format.ts'
import { inOrder, type PlanOrder, type PlanStep, planSteps } from './plan-steps.ts'
import { briefOf, planHead, planText, tookText } from './plan-text.ts'
import type { Meant } from './runs.ts'

const views = [
	{ id: 'tree', label: 'Tree' },
	{ id: 'time', label: 'By time' },
	{ id: 'rows', label: 'By rows' },
	{ id: 'text', label: 'Text' },
] as const

/** What the engine does for a statement, beside the results. */
export function PlanPane(props: {
	readonly explaining: Task<readonly [Meant['named'], boolean], Explained>
	/** The statement. */
	readonly statement: string
	/** Tries the statement, if it writes and the engine can. */
	readonly onTry: (() => void) | undefined
	/** Runs the statement to measure it, if it only reads. */
	readonly onMeasure: (() => void) | undefined
	onClose(): void
}): JSX.Element {
	const [view, setView] = createSignal<PlanOrder | 'text'>('tree')
	const explained = () =>
		props.explaining.isRunning() || props.explaining.error() !== undefined ? undefined : props.explaining.value()
	/** Steps have an order only by what the engine says of them. */
	const options = () => {
		const steps = explained()?.steps ?? []
		const has = {
			tree: true,
			time: steps.some(({ share }) => share !== undefined),
			rows: steps.some(({ rows, estimatedRows }) => (rows ?? estimatedRows) !== undefined),
			text: true,
		}
		return views.filter(({ id }) => has[id])
	}
	const chosen = () => options().find(({ id }) => id === view())?.id ?? 'tree'
	const order = () => {
		const id = chosen()
		return id === 'text' ? undefined : id
	}
	return (
		<section
			class="plan"
			data-pane=""
			aria-label="Plan"
			onKeyDown={event => {
				if (event.key !== 'Escape' || event.defaultPrevented) return
				event.preventDefault()
				props.onClose()
			}}
		>
			<header class="plan-head">
				<Show when={explained()}>
					{found => (
						<>
							<Segmented label="Show the plan as" options={options()} value={chosen()} onChange={setView} />
							<span class="plan-took" title={found().wasRun ? props.statement : undefined}>
								<Show when={found().wasRun}>
									<Show when={found().tookMs} fallback="Run">
										{ms => (
											<>
												<strong>{tookText(ms())} ms</strong> run
											</>
										)}
									</Show>
								</Show>
							</span>
							<CopyButton label="Copy the plan" size={13} text={() => planText(found())} />
						</>
					)}
				</Show>
				<Show when={!explained()}>
					<span class="grow" />
				</Show>
				<IconButton label="Close the plan" isSmall onClick={() => props.onClose()}>
					<X size={14} />
				</IconButton>
			</header>
			<Failure of={props.explaining} />
			<Switch>
				<Match when={props.explaining.isRunning()}>
					<p class="plan-said">
						<span class="quiet" role="status" title={props.statement}>
							Explaining …
						</span>
						<button type="button" class="button small" onClick={() => props.onClose()}>
							Cancel
						</button>
					</p>
				</Match>
				<Match when={explained()}>
					{found => (
						<>
							<Show when={!found().wasRun}>
								<p class="plan-said">
									<span class="quiet" title={props.statement}>
										{planHead(found())}
									</span>
									<Show when={props.onTry}>
										{run => (
											<button type="button" class="button small" onClick={() => run()()}>
												Try
											</button>
										)}
									</Show>
									<Show when={props.onMeasure}>
										{run => (
											<button type="button" class="button small" onClick={() => run()()}>
												Run and measure
											</button>
										)}
									</Show>
								</p>
							</Show>
							<For each={found().notices}>{notice => <Notice kind="info">{notice}</Notice>}</For>
							<Show
								when={order()}
								fallback={
									<pre class="plan-text" tabindex={0}>
										{planText(found())}
									</pre>
								}
							>
								{order => <Steps explained={found()} order={order()} />}
							</Show>
						</>
					)}
				</Match>
			</Switch>
		</section>
	)
}

function Steps(props: { readonly explained: Explained; readonly order: PlanOrder }): JSX.Element {
	const { rowNoun } = useEngine()
	let body!: HTMLTableSectionElement
	const all = createMemo(() => planSteps(props.explained))
	const [folded, setFolded] = createSignal<ReadonlySet<number>>(new Set())
	const [chosen, setChosen] = createSignal<number>()
	const isTree = () => props.order === 'tree'
	const shown = createMemo(() =>
		isTree() ? all().filter(({ within }) => !within.some(at => folded().has(at))) : inOrder(all(), props.order),
	)
	const current = () => shown().find(({ at }) => at === chosen()) ?? shown()[0]
	const has = (member: 'share' | 'tookMs' | 'rows' | 'estimatedRows' | 'estimatedCost') =>
		props.explained.steps.some(step => step[member] !== undefined)
	const isOff = () => all().some(({ error }) => error !== undefined)
	const longest = () => Math.max(0, ...all().map(({ ownShare = 0 }) => ownShare))
	const fold = (at: number, isFolded: boolean) =>
		setFolded(known => new Set(isFolded ? [...known, at] : [...known].filter(other => other !== at)))

	function move(to: PlanStep | undefined): void {
		if (!to) return
		setChosen(to.at)
		body.querySelector<HTMLElement>(`[data-step="${to.at}"]`)?.focus()
	}
	function onKeyDown(event: KeyboardEvent, { at, hasParts, within }: PlanStep): void {
		const place = shown().findIndex(step => step.at === at)
		const isOpen = hasParts && !folded().has(at)
		switch (event.key) {
			case 'ArrowDown':
				move(shown()[place + 1])
				break
			case 'ArrowUp':
				move(shown()[place - 1])
				break
			case 'Home':
				move(shown()[0])
				break
			case 'End':
				move(shown().at(-1))
				break
			case 'ArrowRight':
				if (isTree() && hasParts && !isOpen) fold(at, false)
				else if (isOpen) move(shown()[place + 1])
				break
			case 'ArrowLeft':
				if (isTree() && isOpen) fold(at, true)
				else move(all()[within.at(-1) ?? -1])
				break
			default:
				return
		}
		event.preventDefault()
	}

	return (
		<>
			<div class="plan-steps">
				{/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: no element is a tree with columns */}
				<table role="treegrid" aria-label="Steps of the plan">
					<thead>
						<tr>
							<th scope="col">Step</th>
							<Show when={has('share')}>
								<th scope="col" class="plan-number">
									{has('tookMs') ? 'Own ms' : 'Own time'}
								</th>
								<th scope="col" aria-label="Share of the time" />
							</Show>
							<Show when={has('estimatedRows')}>
								<th scope="col" class="plan-number">
									Planned
								</th>
							</Show>
							<Show when={has('rows')}>
								<th scope="col" class="plan-number">
									Came
								</th>
							</Show>
							<Show when={isOff()}>
								<th scope="col" class="plan-number">
									Off
								</th>
							</Show>
							<Show when={has('estimatedCost')}>
								<th scope="col" class="plan-number" title="With its parts, in the unit of the planner">
									Cost
								</th>
							</Show>
						</tr>
					</thead>
					<tbody ref={body}>
						<For each={shown()}>
							{line => {
								const { step, at, hasParts, ownMs, ownShare, error } = line
								const isCurrent = () => current()?.at === at
								return (
									<tr
										data-step={at}
										tabindex={isCurrent() ? 0 : -1}
										aria-selected={isCurrent()}
										aria-level={isTree() ? step.depth + 1 : 1}
										aria-expanded={isTree() && hasParts ? !folded().has(at) : undefined}
										onClick={() => setChosen(at)}
										onFocus={() => setChosen(at)}
										onKeyDown={event => onKeyDown(event, line)}
									>
										<td class="plan-step">
											<div style={{ 'padding-left': `${isTree() ? 12 * Math.min(step.depth, 20) : 0}px` }}>
												<Show when={isTree()}>
													<ChevronRight
														size={12}
														class="plan-chevron"
														classList={{ open: !folded().has(at), none: !hasParts }}
														onClick={() => hasParts && fold(at, !folded().has(at))}
													/>
												</Show>
												<span class="plan-name">{step.name}</span>
												<Show when={briefOf(step.detail ?? '')}>
													{brief => (
														<span class="plan-detail" title={step.detail}>
															{brief()}
														</span>
													)}
												</Show>
											</div>
										</td>
										<Show when={has('share')}>
											<td class="plan-number">
												{has('tookMs')
													? timeText(ownMs)
													: ownShare === undefined
														? ''
														: `${Math.round(ownShare * 100)} %`}
											</td>
											<td class="plan-bar">
												<Show when={ownShare !== undefined && longest() > 0}>
													<span
														classList={{ long: (ownShare ?? 0) >= longest() / 2 }}
														style={{ width: `${Math.max(2, Math.round(((ownShare ?? 0) / longest()) * 100))}%` }}
													/>
												</Show>
											</td>
										</Show>
										<Show when={has('estimatedRows')}>
											<td class="plan-number quiet">{numberText(step.estimatedRows)}</td>
										</Show>
										<Show when={has('rows')}>
											<td class="plan-number">{numberText(step.rows)}</td>
										</Show>
										<Show when={isOff()}>
											<td class="plan-number">
												<Show when={error}>
													{wrong => (
														<span
															class="plan-off"
															classList={{ far: wrong().factor >= farOff }}
															title={`${count(Math.round(wrong().factor))} times as ${wrong().cameMore ? 'many' : 'few'} ${rowNoun.many.toLowerCase()} came as were planned`}
														>
															{wrong().cameMore ? '×' : '÷'} {count(Math.round(wrong().factor))}
														</span>
													)}
												</Show>
											</td>
										</Show>
										<Show when={has('estimatedCost')}>
											<td class="plan-number">{numberText(step.estimatedCost)}</td>
										</Show>
									</tr>
								)
							}}
						</For>
					</tbody>
				</table>
			</div>
			<Show when={current()}>{line => <StepDetail line={line()} />}</Show>
		</>
	)
}

/** A wrong estimate of this size often makes the engine choose another plan. */
const farOff = 10

/** All that is known of the chosen step. */
function StepDetail(props: { readonly line: PlanStep }): JSX.Element {
	const numbers = () => {
		const { step, ownMs } = props.line
		return [
			ownMs === undefined ? undefined : `${timeText(ownMs)} ms own`,
			step.tookMs === undefined ? undefined : `${timeText(step.tookMs)} ms with the steps below it`,
			step.loops === undefined || step.loops === 1 ? undefined : `run ${count(step.loops)} times`,
			step.estimatedCost === undefined ? undefined : `cost ${count(step.estimatedCost)}`,
		].filter(text => text !== undefined)
	}
	return (
		<aside class="plan-chosen" aria-label="Chosen step">
			<p>
				<strong>{props.line.step.name}</strong> <span class="quiet">{numbers().join(', ')}</span>
			</p>
			<Show when={props.line.step.detail}>{detail => <p class="plan-whole">{detail()}</p>}</Show>
		</aside>
	)
}

const numberText = (value: number | undefined) => (value === undefined ? '' : count(value))
const timeText = (ms: number | undefined) => (ms === undefined ? '' : milliseconds(ms))
