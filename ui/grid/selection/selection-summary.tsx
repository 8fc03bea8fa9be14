import { createDeferred, type JSX, Show } from 'solid-js'
import type { Cell } from '../../../host/api/api.ts'
import { sumWords } from '../../cells/range-summary.ts'
import { cellCount } from '../../cells/selection.ts'
import { count } from '../../words/format.ts'
import type { GridModel } from '../model.ts'

/** More cells are counted, and not added. */
const mostAdded = 10_000

/** How many cells are selected, and the sum of their numbers: `4 cells`, `sum 10.5, average 2.625`. */
export function SelectionSummary(props: { readonly grid: GridModel }): JSX.Element {
	const { source, columns, place } = props.grid
	const { rectangle } = place
	/** The selected cells, unless they are many or not all loaded. */
	function selected(): readonly Cell[] | undefined {
		const { top, bottom, left, right } = rectangle()
		if (cellCount(rectangle()) > mostAdded) return undefined
		const cells: Cell[] = []
		for (let row = top; row <= bottom; row++) {
			const shown = source.at(row)
			if (!shown) return undefined
			for (let column = left; column <= right; column++) {
				const at = columns.at(column)
				if (at) cells.push(source.cell(shown, at))
			}
		}
		return cells
	}
	/** Adding many numbers takes longer than a key is held. */
	const words = createDeferred(
		() => {
			const cells = cellCount(rectangle()) > 1 ? selected() : undefined
			return cells && sumWords(cells)
		},
		{ timeoutMs: 500 },
	)
	return (
		<Show when={cellCount(rectangle()) > 1}>
			<span>{count(cellCount(rectangle()))} cells</span>
			<Show
				when={cellCount(rectangle()) > mostAdded}
				fallback={<Show when={words()}>{words => <span>{words()}</span>}</Show>}
			>
				<span class="quiet">no sum of more than {count(mostAdded)}</span>
			</Show>
		</Show>
	)
}
