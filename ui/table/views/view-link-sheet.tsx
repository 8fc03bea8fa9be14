import { For, type JSX, Show } from 'solid-js'
import { Dialog } from '../../controls/dialog.tsx'
import { filterWords } from '../filter/filters.ts'
import { spans } from '../time/time-range.ts'
import type { LinkedView } from './view-link.ts'

/** Asks before a view of a link opens: a link may be of anyone, and opening it reads rows. */
export function ViewLinkSheet(props: {
	readonly linked: LinkedView
	/** The engine's word for a table. */
	readonly tableNoun: string
	/** Whether a connection has the name that the link says. */
	readonly isKnown: boolean
	onOpen(): void
	onClose(): void
}): JSX.Element {
	const { connection, table, view } = props.linked
	const { raw, rows, match, time } = view.query
	const filters = rows.filter(({ isOn }) => isOn)
	const range = () => {
		if (time?.span === 'between') return `${time.from || 'the beginning'} to ${time.to || 'now'}`
		return spans.find(([span]) => span === time?.span)?.[1] ?? 'All time'
	}
	return (
		<Dialog title={`Open the view “${view.name}”?`} onClose={props.onClose}>
			<div class="dialog-body">
				<dl class="view-link">
					<dt>Connection</dt>
					<dd>{connection}</dd>
					<dt>{props.tableNoun}</dt>
					<dd>{table}</dd>
					<dt>Time</dt>
					<dd>{range()}</dd>
					<Show when={raw !== ''}>
						<dt>Query</dt>
						<dd>{raw}</dd>
					</Show>
					<dt>{filters.length > 1 && match === 'any' ? 'Any of these filters' : 'Filters'}</dt>
					<dd>
						<For each={filters} fallback="None">
							{row => <div>{filterWords(row)}</div>}
						</For>
					</dd>
				</dl>
				<Show when={!props.isKnown}>
					<p role="alert">
						No connection here is named “{connection}”. Name yours like that of your colleague, and open the link again.
					</p>
				</Show>
			</div>
			<footer class="dialog-foot">
				<button type="button" class="button" onClick={() => props.onClose()}>
					Cancel
				</button>
				<button
					type="button"
					class="button primary"
					data-autofocus
					disabled={!props.isKnown}
					onClick={() => props.onOpen()}
				>
					Open the view
				</button>
			</footer>
		</Dialog>
	)
}
