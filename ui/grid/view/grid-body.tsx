import { Index, type JSX } from 'solid-js'
import type { Move } from '../../cells/moves.ts'
import { cellCount } from '../../cells/selection.ts'
import type { GridFeature } from '../feature.ts'
import type { GridModel } from '../model.ts'
import { GridRow } from './grid-row.tsx'

/** The rows in view, and what features draw over them. */
export function GridBody(props: {
	readonly grid: GridModel
	readonly features: readonly GridFeature[]
	readonly isActive: boolean
	onMove(step: Move): void
}): JSX.Element {
	const { columns, scrolling, place } = props.grid
	const selected = () => (cellCount(place.rectangle()) > 1 ? place.rectangle() : undefined)
	return (
		<div
			class="grid-body"
			role="rowgroup"
			style={{ height: `${scrolling.spacer()}px`, width: `${columns.scrollWidth()}px` }}
		>
			<Index each={scrolling.rowSlots()}>
				{index => (
					<GridRow
						index={index()}
						grid={props.grid}
						features={props.features}
						isActive={props.isActive}
						selected={selected()}
					/>
				)}
			</Index>
			{props.features.map(feature => feature.overRows?.(props.onMove))}
		</div>
	)
}
