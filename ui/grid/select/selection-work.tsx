import { type JSX, Show } from 'solid-js'
import { Notice } from '../../controls/notice.tsx'
import { ProgressBar } from '../../controls/progress-bar.tsx'
import type { SelectedRows } from './selected-rows.ts'

/** How far the reading of the selected rows is, with a way to give it up; then what became of it. */
export function SelectionWork(props: { readonly selected: SelectedRows }): JSX.Element {
	return (
		<>
			<Show when={props.selected.progress()}>
				{progress => (
					<div class="selection-work" role="status" aria-label="Reading the selected rows">
						<ProgressBar progress={progress()} unit="rows" label="Reading the selected rows" />
						<button type="button" class="button small" onClick={() => props.selected.cancel()}>
							Cancel
						</button>
					</div>
				)}
			</Show>
			<Show when={props.selected.said()}>{said => <Notice kind={said().kind}>{said().text}</Notice>}</Show>
		</>
	)
}
