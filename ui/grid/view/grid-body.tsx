import { Index, type JSX, onCleanup, Show } from 'solid-js'
import type { Cell } from '../../../host/api/api.ts'
import type { Move } from '../../cells/moves.ts'
import { cellCount } from '../../cells/selection.ts'
import { rowHeight } from '../../state/appearance.ts'
import { CellEditor } from '../edit/cell-editor.tsx'
import type { Editing } from './cell-editing.ts'
import type { GridProps } from './grid-props.ts'
import { GridRow } from './grid-row.tsx'

/** The rows in view, and the editor of a cell over them. */
export function GridBody(props: {
	readonly grid: GridProps
	/** The cell that is edited in place. */
	readonly editing: Editing | undefined
	onDone(next?: Cell, isForAll?: boolean): void
	onMove(step: Move): void
}): JSX.Element {
	const { sheet, columns, edits, scrolling } = props.grid
	return (
		<div
			class="grid-body"
			role="rowgroup"
			style={{ height: `${scrolling.spacer()}px`, width: `${columns.totalWidth()}px` }}
		>
			<Index each={scrolling.rowSlots()}>
				{index => (
					<GridRow
						index={index()}
						sheet={sheet}
						columns={columns}
						scrolling={scrolling}
						edits={edits}
						isActive={props.grid.isActive}
						searchText={props.grid.find.searchText()}
						selection={props.grid.selection}
						selected={cellCount(props.grid.rectangle) > 1 ? props.grid.rectangle : undefined}
					/>
				)}
			</Index>
			<Show when={props.editing} keyed>
				{({ place, at, cell, typed }) => (
					<CellEditor
						column={at.column}
						cell={cell}
						place={place}
						typed={typed}
						left={(columns.lefts()[place.column] ?? 0) + (columns.isStuck(place.column) ? scrolling.left() : 0)}
						top={place.row * rowHeight() - scrolling.shift()}
						width={columns.width(place.column)}
						visible={scrolling.visible(columns.isStuck(place.column))}
						selectedCount={cellCount(props.grid.rectangle)}
						onDone={props.onDone}
						onMove={props.onMove}
						ref={finish => {
							edits.setEditor(finish)
							onCleanup(() => edits.setEditor(undefined))
						}}
					/>
				)}
			</Show>
		</div>
	)
}
