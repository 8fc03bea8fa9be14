import { createEffect, For, type JSX, on, Show } from 'solid-js'
import { Portal } from 'solid-js/web'
import type { Cell, Column, RowChoice } from '../../../../host/api/api.ts'
import { cellText } from '../../../cells/cell-text.ts'
import { useHost } from '../../../state/host.tsx'
import { createTask } from '../../../state/task.ts'
import { count } from '../../../words/format.ts'
import { topOf, topQuery } from '../../statistics/column-statistics.ts'

const mostShown = 8

/** Whether an engine can group rows by a column. */
export const hasTopValues = ({ kind, isSortable }: Column) => isSortable && kind !== 'json' && kind !== 'binary'

/** The most frequent values of a field under the current filters, beside its line. Each value filters. */
export function TopValues(props: {
	readonly connection: string
	readonly query: RowChoice
	readonly column: Column
	/** Its line. */
	readonly beside: DOMRect
	onFilter(value: Cell): void
	onPointerEnter(): void
	onPointerLeave(): void
}): JSX.Element {
	const host = useHost()
	const top = createTask((call, query: RowChoice, column: Column) =>
		host.call('rows.aggregate', { connection: props.connection, query: topQuery(query, column) }, call),
	)
	createEffect(on([() => props.query, () => props.column], ([query, column]) => void top.run(query, column)))
	return (
		<Portal>
			<section
				class="hover-card top-values"
				aria-label={`Top values of ${props.column.name}`}
				style={{
					left: `${props.beside.right}px`,
					top: `${Math.min(props.beside.top, innerHeight - 300)}px`,
				}}
				onPointerEnter={() => props.onPointerEnter()}
				onPointerLeave={() => props.onPointerLeave()}
			>
				<header class="top-values-head">
					<strong>{props.column.name}</strong>
					<span class="quiet">{props.column.type}</span>
				</header>
				<Show when={top.error()}>{message => <p class="quiet">{message()}</p>}</Show>
				<Show when={top.value()} fallback={<Show when={top.isRunning()}>{<p class="quiet">Loading …</p>}</Show>}>
					{answer => (
						<ol class="statistics-top">
							<For each={topOf(answer()).slice(0, mostShown)} fallback={<li class="quiet">No values.</li>}>
								{({ value, count: rows, isEstimate, share }) => (
									<li>
										<button
											type="button"
											class="statistics-value"
											title="Filter for this"
											onClick={() => props.onFilter(value)}
										>
											<span class="statistics-bar" style={{ width: `${share * 100}%` }} />
											<span class="statistics-text">{cellText(value).text}</span>
											<span class="statistics-count">{`${isEstimate ? '≈ ' : ''}${count(rows)}`}</span>
										</button>
									</li>
								)}
							</For>
						</ol>
					)}
				</Show>
			</section>
		</Portal>
	)
}
