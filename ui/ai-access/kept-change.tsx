import { createUniqueId, For, type JSX, Show } from 'solid-js'
import type { KeptRowView } from '../../host/api/api.ts'
import { Failure } from '../controls/failure.tsx'
import { useHost } from '../state/host.tsx'
import { createReading } from '../state/task.ts'
import { count, counted } from '../words/format.ts'

const rowNoun = { one: 'row', many: 'rows' }
const verbs = { insert: 'inserted', update: 'updated', delete: 'deleted' } as const

interface KeptChangeProps {
	readonly connection: string
	readonly change: string
	readonly isOpen: boolean
	onToggle(): void
	/** Shows what an undo would do. */
	undo(): void
}

/** A button that shows what a change replaced, with its undo. */
export function KeptChange(props: KeptChangeProps): JSX.Element {
	const id = createUniqueId()
	return (
		<>
			<button
				type="button"
				class="button"
				aria-expanded={props.isOpen}
				aria-controls={id}
				onClick={() => props.onToggle()}
			>
				{props.isOpen ? 'Hide before and after' : 'Before and after'}
			</button>
			<div id={id} class="kept-change">
				<Show when={props.isOpen}>
					<Replaced {...props} />
				</Show>
			</div>
		</>
	)
}

function Replaced(props: KeptChangeProps): JSX.Element {
	const host = useHost()
	const reading = createReading(call =>
		host.call('undo.change', { connection: props.connection, change: props.change }, call),
	)
	return (
		<>
			<Failure of={reading} />
			<Show when={reading.value() === null}>
				<p class="quiet">What it replaced is not kept any more.</p>
			</Show>
			<Show when={reading.value()}>
				{kept => (
					<>
						<table class="kept-rows">
							<caption>
								{counted(kept().count, rowNoun)} of <strong>{kept().table}</strong>
								<Show when={kept().undone > 0}>
									{' '}
									· {kept().undone === kept().count ? 'undone' : `${count(kept().undone)} undone`}
								</Show>
							</caption>
							<thead>
								<tr>
									<th scope="col">Column</th>
									<th scope="col">Before</th>
									<th scope="col">After</th>
								</tr>
							</thead>
							<For each={kept().rows}>{row => <RowOfChange row={row} />}</For>
						</table>
						<Show when={kept().count > kept().rows.length}>
							<p class="quiet">And {counted(kept().count - kept().rows.length, rowNoun)} more.</p>
						</Show>
						<Show when={kept().canUndo}>
							<button type="button" class="button" onClick={() => props.undo()}>
								Undo …
							</button>
						</Show>
					</>
				)}
			</Show>
		</>
	)
}

function RowOfChange(props: { readonly row: KeptRowView }): JSX.Element {
	const state = () => (props.row.isUndone ? ' · undone' : '')
	return (
		<tbody>
			<tr class="kept-row">
				<th scope="rowgroup" colspan={3}>
					{verbs[props.row.kind]} <span class="kept-id">{props.row.id}</span>
					{state()}
					<Show when={!props.row.isUndone && props.row.cannot}>
						{why => <span class="quiet"> · cannot be undone: {why()}</span>}
					</Show>
				</th>
			</tr>
			<For each={props.row.values}>
				{({ name, before, after }) => (
					<tr>
						<th scope="row">{name}</th>
						<td class="kept-before">{before}</td>
						<td class="kept-after">{after}</td>
					</tr>
				)}
			</For>
			<Show when={props.row.isCut}>
				<tr>
					<td colspan={3} class="quiet">
						More columns are not shown.
					</td>
				</tr>
			</Show>
		</tbody>
	)
}
