import { For, type JSX, Show } from 'solid-js'
import { useEngine } from '../../state/engine.tsx'
import { count, counted } from '../../words/format.ts'
import type { Rows } from '../rows/rows.ts'
import { type CellSelection, cellCount } from '../select/selection.ts'

/** The line under the grid: how many, where, how long it took, and what the person should know of the page. */
export function GridStatus(props: { readonly rows: Rows; readonly selection: CellSelection }): JSX.Element {
	const { rowNoun } = useEngine()
	return (
		<footer class="grid-status" aria-live="polite">
			<Show when={props.rows.total()} fallback={<span>{props.rows.failure() ? 'Not loaded' : 'Loading …'}</span>}>
				{total => (
					<span>
						{total().value === 0
							? `No ${rowNoun.many}`
							: total().isExact
								? counted(total().value, rowNoun)
								: `${count(total().value, false)} ${rowNoun.many}`}
					</span>
				)}
			</Show>
			<Show when={(props.rows.total()?.value ?? 0) > 0}>
				<span>
					Row {count(props.selection.focus.row + 1)}
					{cellCount(props.selection) > 1 ? ` · ${count(cellCount(props.selection))} cells` : ''}
				</span>
			</Show>
			<For each={props.rows.notices()}>{notice => <span class="warn">{notice}</span>}</For>
			<span class="grow" />
			<Show when={props.rows.isLoading()}>
				<span>Loading …</span>
			</Show>
			<Show when={props.rows.tookMs() !== undefined}>
				<span>{props.rows.tookMs()} ms</span>
			</Show>
		</footer>
	)
}
