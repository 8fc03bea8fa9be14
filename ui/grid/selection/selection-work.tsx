import { type JSX, Show } from 'solid-js'
import { Notice } from '../../controls/notice.tsx'
import { ProgressBar } from '../../controls/progress-bar.tsx'
import type { SelectedRows } from './selected-rows.ts'

/** The progress of reading the selected rows, with a cancel button, and then the outcome. */
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
