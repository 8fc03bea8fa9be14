import { createEffect, on } from 'solid-js'
import type { Table } from '../../host/api/api.ts'
import { at } from '../cells/selection.ts'
import { rowHeight } from '../state/appearance.ts'
import type { ChosenTables } from './chosen-tables.ts'
import { type Line, namesOf } from './table-rows.ts'
import type { TablesModel } from './tables-model.ts'

/**
 * Keeps the current line while lines come and go. A reload has other tables: after it, the current line is where it was
 * in the view. If it was out of view, the first line in view is where it was.
 */
export function keepPlace({ grid, lines }: TablesModel, tables: () => readonly Table[]): void {
	const { place, scrolling } = grid
	/** The id of the line that the user reached. If it goes, the line at its index becomes the current one. */
	let current: string | undefined
	createEffect(
		on(
			place.moves,
			() => {
				current = lines()[place.selection().focus.row]?.id
			},
			{ defer: true },
		),
	)
	function keepView(before: readonly Line[], now: readonly Line[], was: number): void {
		const first = Math.ceil(scrolling.top() / rowHeight())
		const isInView = was >= first && was <= first + scrolling.pageRows()
		// At the very top, new lines before the first one are shown.
		if (!isInView && first === 0) return
		const indices = new Map(now.map(({ id }, index) => [id, index]))
		// A line that is gone gives its place to the next one that stays.
		for (const [index, { id }] of before.entries()) {
			const next = index < (isInView ? was : first) ? undefined : indices.get(id)
			if (next !== undefined) return scrolling.scrollTo(scrolling.top() + (next - index) * rowHeight())
		}
	}
	createEffect(
		on([lines, tables], ([now, read], before) => {
			if (!before) return
			const [linesBefore, readBefore] = before
			const { row, column } = place.selection().focus
			const was = current === undefined ? -1 : linesBefore.findIndex(({ id }) => id === current)
			const next = now.findIndex(({ id }) => id === current)
			if (current !== undefined && next !== row && now.length > 0) {
				place.setSelection(at({ row: next < 0 ? Math.min(row, now.length - 1) : next, column }))
			}
			if (read !== readBefore) keepView(linesBefore, now, was)
		}),
	)
}

/** Shows the line of a table that was chosen from outside. The list may still be read, and its tab be out of view. */
export function showRevealed({ grid, lines }: TablesModel, chosen: ChosenTables): void {
	const { place, scrolling } = grid
	createEffect(() => {
		const name = chosen.revealed()
		const row = lines().findIndex(line => name !== undefined && namesOf(line).includes(name))
		if (row < 0 || scrolling.size().height === 0) return
		chosen.endReveal()
		place.setSelection(at({ row, column: 0 }))
		// A reload may move the line until then.
		requestAnimationFrame(() => {
			const { row } = place.selection().focus
			scrolling.scrollTo((row + 0.5) * rowHeight() - scrolling.size().height / 2)
		})
	})
}
