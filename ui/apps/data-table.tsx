import { For, type JSX, Show } from 'solid-js'
import type { ShownRows } from './answer-rows.ts'
import { FoldedText } from './folded-text.tsx'
import { nameText, resultText } from './shown-text.ts'

/** A longer value is folded. */
const foldedLength = 60

/** The order of one column. */
export interface Order {
	readonly column: string
	readonly direction: 'asc' | 'desc'
}

const arrow = (direction: Order['direction'] | undefined) => (direction ? { asc: ' ↑', desc: ' ↓' }[direction] : '')

interface DataTableProps extends ShownRows {
	readonly caption: string
	readonly order?: Order | undefined
	readonly onSort?: ((order: Order) => void) | undefined
}

/** Rows of a tool's answer. With `onSort` the header sorts. */
export function DataTable(props: DataTableProps): JSX.Element {
	const orderOf = (column: string) => (props.order?.column === column ? props.order.direction : undefined)
	const ariaSort = (column: string) => {
		const direction = orderOf(column)
		return direction === undefined ? undefined : direction === 'asc' ? 'ascending' : 'descending'
	}
	return (
		<section class="data-table" tabindex={0} aria-label={props.caption}>
			<table>
				<thead>
					<tr>
						<For each={props.columns}>
							{column => (
								<th scope="col" aria-sort={ariaSort(column)}>
									<Show when={props.onSort} fallback={nameText(column)}>
										{sort => (
											<button
												type="button"
												onClick={() => sort()({ column, direction: orderOf(column) === 'asc' ? 'desc' : 'asc' })}
											>
												{nameText(column)}
												<span aria-hidden="true">{arrow(orderOf(column))}</span>
											</button>
										)}
									</Show>
								</th>
							)}
						</For>
					</tr>
				</thead>
				<tbody>
					<For each={props.rows}>
						{row => (
							<tr>
								<For each={row}>
									{value => {
										const { text, look } = resultText(value)
										return (
											<td class={`look-${look}`} dir="auto">
												<FoldedText text={text} maxLength={foldedLength} />
											</td>
										)
									}}
								</For>
							</tr>
						)}
					</For>
				</tbody>
			</table>
		</section>
	)
}
