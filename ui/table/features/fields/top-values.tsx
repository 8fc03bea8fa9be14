import { createEffect, For, type JSX, on, Show } from 'solid-js'
import { Portal } from 'solid-js/web'
import type { Cell, Column, Row, RowChoice } from '../../../../host/api/api.ts'
import { cellText } from '../../../cells/cell-text.ts'
import { useEngine } from '../../../state/engine.tsx'
import { useHost } from '../../../state/host.tsx'
import { createTask } from '../../../state/task.ts'
import { count, counted, percent } from '../../../words/format.ts'
import { type TopValue, topOf, topOfRows, topQuery } from '../../statistics/column-statistics.ts'

const mostShown = 8

/** Whether an engine can group rows by a column. */
const isGrouped = ({ isSortable }: Column) => isSortable
/** Whether values of a column can be equal. */
export const hasTopValues = ({ kind, isKey }: Column) => !isKey && kind !== 'json' && kind !== 'binary'

/**
 * The most frequent values of a field under the current filters, beside its line. Each value filters. Those by which the
 * engine cannot group, for example of two types, are counted in the loaded rows.
 */
export function TopValues(props: {
	readonly connection: string
	readonly query: RowChoice
	readonly column: Column & { readonly index: number }
	/** The first loaded rows. */
	readonly loaded: readonly Row[]
	/** Number of all rows, if it is known. */
	readonly all: number | undefined
	/** Its line. */
	readonly beside: DOMRect
	onFilter(value: Cell): void
	onPointerEnter(): void
	onPointerLeave(): void
}): JSX.Element {
	const host = useHost()
	const { rowNoun } = useEngine()
	const top = createTask((call, query: RowChoice, column: Column) =>
		host.call('rows.aggregate', { connection: props.connection, query: topQuery(query, column) }, call),
	)
	createEffect(
		on([() => props.query, () => props.column], ([query, column]) => {
			if (isGrouped(column)) void top.run(query, column)
		}),
	)
	const values = (): readonly TopValue[] | undefined => {
		if (!isGrouped(props.column)) return topOfRows(props.loaded, props.column.index)
		const answer = top.value()
		return answer && topOf(answer, props.all)
	}
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
				<Show when={!isGrouped(props.column)}>
					<p class="quiet">{`Counted in the ${counted(props.loaded.length, rowNoun)} that are loaded.`}</p>
				</Show>
				<Show when={values()} fallback={<Show when={top.isRunning()}>{<p class="quiet">Loading …</p>}</Show>}>
					{values => (
						<ol class="statistics-top">
							<For each={values().slice(0, mostShown)} fallback={<li class="quiet">No values.</li>}>
								{({ value, count: rows, isEstimate, share, ofAll }) => (
									<li>
										<button
											type="button"
											class="statistics-value"
											title="Filter for this"
											onClick={() => props.onFilter(value)}
										>
											<span class="statistics-bar" style={{ width: `${(ofAll ?? share) * 100}%` }} />
											<span class="statistics-text">{cellText(value).text}</span>
											<span class="statistics-count">{`${isEstimate ? '≈ ' : ''}${count(rows)}`}</span>
											<Show when={ofAll !== undefined}>
												<span class="statistics-count">{percent(ofAll ?? 0)}</span>
											</Show>
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
