import X from 'lucide-solid/icons/x'
import { For, type JSX } from 'solid-js'
import { type FilterRow, filterWords } from './filters.ts'
import type { Match } from './table-query.ts'

/** The applied filters, while the filter bar is hidden. */
export function FilterChips(props: {
	readonly chips: readonly FilterRow[]
	readonly match: Match
	onOpen(): void
	onDrop(row: FilterRow): void
}): JSX.Element {
	return (
		<ul class="filter-chips" aria-label="Filters">
			<For each={props.chips}>
				{(row, index) => (
					<li class="filter-chip">
						{index() > 0 && <span class="quiet">{props.match === 'all' ? 'and' : 'or'}</span>}
						<span class="filter-chip-body">
							<button type="button" title="Change the filters" onClick={() => props.onOpen()}>
								{filterWords(row)}
							</button>
							<button type="button" aria-label={`Remove ${filterWords(row)}`} onClick={() => props.onDrop(row)}>
								<X size={12} />
							</button>
						</span>
					</li>
				)}
			</For>
		</ul>
	)
}
