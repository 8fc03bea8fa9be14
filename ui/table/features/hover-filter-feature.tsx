import Minus from 'lucide-solid/icons/minus'
import Plus from 'lucide-solid/icons/plus'
import { createEffect, createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import type { CellPosition } from '../../cells/selection.ts'
import { filterBy } from '../table-filters.tsx'
import type { TableContext, TableFeature } from './feature.ts'

/** Width of both buttons, and of the narrowest column whose value they leave in view: in others they follow its text. */
const [buttonsWidth, narrowest] = [44, 100]
/** Half of what stays free around the middle of a cell. */
const middle = 6

/** A cell, and where its text ends in it. */
interface Pointed extends CellPosition {
	readonly end: number
}

function endOfText(cell: HTMLElement): number {
	const text = document.createRange()
	text.selectNodeContents(cell)
	return text.getBoundingClientRect().right - cell.getBoundingClientRect().left
}

const uses = [
	{ use: 'for', title: 'Filter for this value (=)', Icon: Plus },
	{ use: 'out', title: 'Filter out this value (-)', Icon: Minus },
] as const

/**
 * Two buttons in the cell under the pointer that filter for its value, or filter it out. A table in time is read and
 * narrowed down; in others the pointer is for editing, and the same is in the menu and on two keys.
 */
export function createHoverFilterFeature({ table }: TableContext): TableFeature {
	const { columns, place, scrolling, sheet } = table
	const [pointed, setPointed] = createSignal<Pointed>()
	const hide = () => void setPointed(undefined)

	function onPointerMove(event: PointerEvent): void {
		const target = event.target instanceof Element ? event.target : null
		if (target?.closest('.hover-filter')) return
		const cell = event.buttons === 0 ? target?.closest<HTMLElement>('[data-row] > [data-column]') : null
		const row = Number(cell?.parentElement?.dataset.row)
		const column = Number(cell?.dataset.column)
		const isEdited = scrolling.element()?.querySelector('.cell-editor') !== null
		const now = pointed()
		if (!cell || isEdited) hide()
		else if (now?.row !== row || now.column !== column) setPointed({ row, column, end: endOfText(cell) })
	}
	createEffect(() => {
		const grid = table.isInTime() ? scrolling.element() : undefined
		if (!grid) return
		const listening = new AbortController()
		const { signal } = listening
		grid.addEventListener('pointermove', onPointerMove, { signal })
		for (const event of ['pointerleave', 'scroll', 'keydown']) grid.addEventListener(event, hide, { signal })
		onCleanup(() => {
			listening.abort()
			hide()
		})
	})

	function filter({ row, column }: CellPosition, use: (typeof uses)[number]['use']): void {
		const [found, at] = [sheet.at(row), columns.at(column)]
		if (found && at) filterBy(table, { column: at.column, cell: sheet.cell(found, at), use })
		hide()
		place.toGrid()
	}
	function left({ column, end }: Pointed): number {
		const width = columns.width(column)
		const past = columns.isStuck(column) ? scrolling.left() : 0
		const inside = width - buttonsWidth
		// Beside a short word they cover little of the next cell, which is the next that the pointer goes to. The middle of
		// the cell stays free, where a click selects it.
		const at = width < narrowest ? Math.min(width, Math.max(inside, end, width / 2 + middle)) : inside
		const mostLeft = scrolling.left() + scrolling.size().width - buttonsWidth
		return Math.min(past + (columns.lefts()[column] ?? 0) + at, mostLeft)
	}
	return {
		overRows: (): JSX.Element => (
			<Show when={pointed()}>
				{at => (
					<div
						class="hover-filter"
						// For the pointer alone: the keyboard has keys for both.
						aria-hidden="true"
						style={{
							left: `${left(at())}px`,
							top: `${scrolling.rowTop(at().row)}px`,
						}}
						onMouseDown={event => {
							event.preventDefault()
							event.stopPropagation()
						}}
						onDblClick={event => event.stopPropagation()}
					>
						<For each={uses}>
							{({ use, title, Icon }) => (
								<span title={title} data-filter={use} onClick={() => filter(at(), use)}>
									<Icon size={13} />
								</span>
							)}
						</For>
					</div>
				)}
			</Show>
		),
	}
}
