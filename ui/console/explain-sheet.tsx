import { For, type JSX, Match, Show, Switch } from 'solid-js'
import type { Explained } from '../../host/api/api.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import type { Task } from '../state/task.ts'
import { count } from '../words/format.ts'
import { planHead, planText } from './plan-text.ts'
import { selfShare } from './self-share.ts'

/** What the engine does for a statement: its steps as a tree, with shares of the time and rows against the estimate. */
export function ExplainSheet(props: {
	readonly explaining: Task<readonly [string, boolean], Explained>
	onClose(): void
}): JSX.Element {
	return (
		<Dialog title="Explanation" size="wide" onClose={props.onClose}>
			<div class="dialog-body">
				<Failure of={props.explaining} />
				<Switch>
					<Match when={props.explaining.isRunning()}>
						<p class="quiet" role="status">
							Explaining …
						</p>
					</Match>
					<Match when={props.explaining.error() === undefined && props.explaining.value()}>
						{explained => <Steps explained={explained()} />}
					</Match>
				</Switch>
			</div>
			<footer class="dialog-foot">
				<Show when={props.explaining.value()}>
					{explained => <CopyButton label="Copy the plan" text={() => planText(explained())} />}
				</Show>
				<span class="grow" />
				<button type="button" class="button" onClick={() => props.onClose()}>
					{props.explaining.isRunning() ? 'Cancel' : 'Close'}
				</button>
			</footer>
		</Dialog>
	)
}

function Steps(props: { readonly explained: Explained }): JSX.Element {
	const has = (member: 'share' | 'rows' | 'loops' | 'estimatedRows' | 'estimatedCost') =>
		props.explained.steps.some(step => step[member] !== undefined)
	return (
		<>
			<p class="quiet">{planHead(props.explained)}</p>
			<For each={props.explained.notices}>{notice => <Notice kind="info">{notice}</Notice>}</For>
			<div class="explain-steps" tabindex={0}>
				<table>
					<thead>
						<tr>
							<th scope="col">Step</th>
							<Show when={has('share')}>
								<th scope="col">Own time</th>
								<th scope="col">With its parts</th>
							</Show>
							<Show when={has('loops')}>
								<th scope="col">Loops</th>
							</Show>
							<Show when={has('rows')}>
								<th scope="col">Rows</th>
							</Show>
							<Show when={has('estimatedRows')}>
								<th scope="col">Expected</th>
							</Show>
							<Show when={has('estimatedCost')}>
								<th scope="col" title="With its parts, in the unit of the planner">
									Cost
								</th>
							</Show>
						</tr>
					</thead>
					<tbody>
						<For each={props.explained.steps}>
							{({ name, detail, depth, share, tookMs, loops, rows, estimatedRows, estimatedCost }, at) => (
								<tr>
									<td>
										<div style={{ 'padding-left': `${16 * Math.min(depth, 20)}px` }}>
											{name}
											<Show when={detail}>
												<div class="quiet explain-detail">{detail}</div>
											</Show>
										</div>
									</td>
									<Show when={has('share')}>
										<Share value={selfShare(props.explained.steps, at())} />
										<Share value={share} tookMs={tookMs} />
									</Show>
									<Show when={has('loops')}>
										<Amount value={loops} />
									</Show>
									<Show when={has('rows')}>
										<Amount value={rows} />
									</Show>
									<Show when={has('estimatedRows')}>
										<Amount value={estimatedRows} />
									</Show>
									<Show when={has('estimatedCost')}>
										<Amount value={estimatedCost} />
									</Show>
								</tr>
							)}
						</For>
					</tbody>
				</table>
			</div>
		</>
	)
}

function Amount(props: { readonly value: number | undefined }): JSX.Element {
	return <td class="explain-number">{props.value === undefined ? '' : count(props.value)}</td>
}

function Share(props: { readonly value: number | undefined; readonly tookMs?: number | undefined }): JSX.Element {
	const percent = () => Math.round((props.value ?? 0) * 100)
	return (
		<td class="explain-share">
			<Show when={props.value !== undefined}>
				<span class="explain-bar" style={{ width: `${percent()}%` }} />
				<span>
					{percent()} %{props.tookMs === undefined ? '' : ` · ${props.tookMs} ms`}
				</span>
			</Show>
		</td>
	)
}
