import ArrowDown from 'lucide-solid/icons/arrow-down'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import KeyRound from 'lucide-solid/icons/key-round'
import { Index, type JSX, Match, Show, Switch } from 'solid-js'
import { columnStyle, type GridColumns } from '../columns/grid-columns.ts'

const ariaSort = { asc: 'ascending', desc: 'descending', none: 'none' } as const

/** The names of the columns in view: a click sorts, with Shift beside other columns; the right edge resizes. */
export function GridHeader(props: {
	readonly columns: GridColumns
	readonly slots: readonly number[]
	/** Of all columns, in pixels. */
	readonly width: number
}): JSX.Element {
	return (
		<div class="grid-head" role="row" style={{ width: `${props.width}px` }}>
			<Index each={props.slots}>
				{index => (
					<Show when={props.columns.at(index())}>
						{at => {
							const direction = () => props.columns.sorted(at().column.name)
							return (
								<div
									class="grid-header"
									role="columnheader"
									aria-colindex={index() + 1}
									aria-sort={ariaSort[direction() ?? 'none']}
									style={columnStyle(props.columns, index())}
									title={[...new Set([at().column.name, at().column.type, at().column.note])]
										.filter(Boolean)
										.join(' · ')}
									onClick={event => props.columns.toggleSort(at().column.name, event.shiftKey)}
								>
									<Show when={at().column.isKey}>
										<KeyRound size={12} />
									</Show>
									<span class="grid-header-name">{at().column.name}</span>
									<span class="grid-header-type">{at().column.type === at().column.name ? '' : at().column.type}</span>
									<Switch>
										<Match when={direction() === 'asc'}>
											<ArrowUp size={13} />
										</Match>
										<Match when={direction() === 'desc'}>
											<ArrowDown size={13} />
										</Match>
									</Switch>
									<span
										class="grid-resizer"
										onMouseDown={event => props.columns.resizeHandler(at().column.name)?.(event)}
										onClick={event => event.stopPropagation()}
									/>
								</div>
							)
						}}
					</Show>
				)}
			</Index>
		</div>
	)
}
