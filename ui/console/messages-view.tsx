import { For, type JSX, Show } from 'solid-js'
import { type MenuEntry, WithMenu } from '../controls/context-menu.tsx'
import { statusOf } from '../results/answer.ts'
import { Affected } from '../results/result-view.tsx'
import { useEngine } from '../state/engine.tsx'
import { count } from '../words/format.ts'
import { firstLine } from './result-words.ts'
import type { Run } from './run.ts'
import { Begun, isRefusal, Sent } from './run-view.tsx'

/** Outcomes without rows, a line each: the statement, what became of it, the affected rows and the time. */
export function MessagesView(props: {
	readonly runs: readonly Run[]
	/** Whether it is in front. */
	readonly isShown: boolean
	menu(run: Run): readonly (MenuEntry | 'line')[]
}): JSX.Element {
	return (
		<div class="messages" classList={{ hidden: !props.isShown }}>
			<For each={props.runs}>{run => <Message run={run} menu={() => props.menu(run)} />}</For>
		</div>
	)
}

function Message(props: { readonly run: Run; menu(): readonly (MenuEntry | 'line')[] }): JSX.Element {
	const { rowNoun } = useEngine()
	const statement = () => firstLine(props.run.statement)
	return (
		<article class="message" aria-label={statement()}>
			<WithMenu class="message-line" menu={() => ({ label: statement(), entries: props.menu() })}>
				<code class="message-statement" title={props.run.statement}>
					{statement()}
				</code>
				<Show when={props.run.task.value()} fallback={<span class="quiet">Cancelled</span>}>
					{result => (
						<>
							<span class="run-status" classList={{ refused: isRefusal(result()) }}>
								{statusOf(result(), rowNoun)}
							</span>
							<Affected part={result()} />
							<span class="quiet">{count(result().tookMs)} ms</span>
						</>
					)}
				</Show>
				<Begun run={props.run} />
			</WithMenu>
			<Sent run={props.run} />
			<Show when={props.run.stopped()}>{stopped => <p class="message-notice">{stopped()}</p>}</Show>
			<For each={props.run.task.value()?.notices ?? []}>{notice => <p class="quiet message-notice">{notice}</p>}</For>
		</article>
	)
}
