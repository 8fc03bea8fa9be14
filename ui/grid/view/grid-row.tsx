import ChevronRight from 'lucide-solid/icons/chevron-right'
import { createMemo, Index, type JSX, Show } from 'solid-js'
import type { Rectangle } from '../../cells/selection.ts'
import { count } from '../../words/format.ts'
import type { GridFeature } from '../feature.ts'
import type { GridModel } from '../model.ts'
import { GridCell } from './grid-cell.tsx'
import { markOf } from './marks.ts'

/** A pooled row: its index changes while scrolling, and only differences are written. */
export function GridRow(props: {
	readonly index: number
	readonly grid: GridModel
	readonly features: readonly GridFeature[]
	/** Its current cell has an id: two visible grids have one such cell. */
	readonly isActive: boolean
	/** The selection, if it is more than one cell. */
	readonly selected: Rectangle | undefined
}): JSX.Element {
	const { source, columns, scrolling, place } = props.grid
	/** A slot may be beyond the last row. */
	const isInTable = () => props.index < source.count()
	const isNew = () => props.index < source.unnumbered()
	const row = createMemo(() => (isInTable() ? source.at(props.index) : undefined))
	const marking = props.features.filter(feature => feature.rowMark)
	const Head = props.features.find(feature => feature.rowHead)?.rowHead?.View
	const unfolding = props.features.find(feature => feature.unfolding)?.unfolding
	const number = () => (isNew() ? 'new' : count(props.index + 1 - source.unnumbered()))
	const mark = createMemo(() => {
		const shown = row()
		return shown && markOf(marking, feature => feature.rowMark?.(shown))
	})
	const currentColumn = createMemo(() => {
		const { focus } = place.selection()
		return focus.row === props.index ? focus.column : undefined
	})
	/** The first and the last selected column. */
	const span = createMemo(
		() => {
			const { selected } = props
			return selected && props.index >= selected.top && props.index <= selected.bottom
				? ([selected.left, selected.right] as const)
				: undefined
		},
		undefined,
		{ equals: (a, b) => a?.[0] === b?.[0] && a?.[1] === b?.[1] },
	)
	const isSelected = (column: number) => {
		const columns = span()
		return columns !== undefined && column >= columns[0] && column <= columns[1]
	}
	const Cell = (cell: { readonly column: number; readonly isPinned?: boolean }) => (
		<GridCell
			rowIndex={props.index}
			column={cell.column}
			row={row()}
			grid={props.grid}
			features={props.features}
			isCurrent={cell.column === currentColumn()}
			isActive={props.isActive}
			isSelected={isSelected(cell.column)}
			isPinned={cell.isPinned ?? false}
		/>
	)
	return (
		<div
			class="grid-row"
			classList={{
				current: currentColumn() !== undefined,
				new: isNew(),
				waiting: isInTable() && row() === undefined,
				...mark()?.classList,
			}}
			role="row"
			aria-rowindex={props.index + 2}
			aria-selected={mark()?.isChosen}
			title={mark()?.title}
			data-row={props.index}
			style={{
				transform: `translateY(${scrolling.rowTop(props.index)}px)`,
				display: isInTable() ? '' : 'none',
			}}
		>
			<div
				class="grid-number"
				classList={{ selected: span() !== undefined }}
				role="rowheader"
				aria-expanded={unfolding?.isUnfolded(props.index)}
				style={{ width: `${columns.gutter()}px` }}
			>
				<Show when={row() && !isNew() && unfolding?.tip(props.index)}>
					{tip => (
						// For the pointer alone: the keyboard has a key.
						<span
							class="grid-unfold"
							aria-hidden="true"
							title={tip()}
							onMouseDown={event => {
								event.preventDefault()
								event.stopPropagation()
							}}
							onClick={() => unfolding?.toggle(props.index)}
						>
							<ChevronRight size={12} />
						</span>
					)}
				</Show>
				{Head ? <Head row={row()} /> : number()}
			</div>
			<Index each={scrolling.pinnedSlots()}>{column => <Cell column={column()} isPinned />}</Index>
			<Index each={scrolling.columnSlots()}>{column => <Cell column={column()} />}</Index>
		</div>
	)
}
