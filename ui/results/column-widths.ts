import { createSignal, type JSX, onCleanup, onMount } from 'solid-js'
import { cellText } from '../cells/cell-text.ts'
import { followPointer } from '../controls/follow-pointer.ts'
import { fontScale } from '../state/appearance.ts'
import type { ResultRows } from './answer.ts'

const [narrowest, widest] = [40, 2_000]
/** About the width of a character, and the space around a text, in pixels. */
const [characterWidth, cellRoom] = [7, 20]
/** The width that a text takes by itself at most, and the cells that are looked at for it. */
const [widestText, mostLooked] = [320, 100_000]

/** Returns about the width that the texts of each column need, within limits. */
function textWidths({ columns, rows }: ResultRows): readonly number[] {
	const looked = rows.slice(0, Math.ceil(mostLooked / columns.length))
	const longest = columns.map(() => 0)
	for (const row of looked) {
		for (const [at, cell] of row.entries()) longest[at] = Math.max(longest[at] ?? 0, cellText(cell).text.length)
	}
	return longest.map(length => Math.min(widestText, cellRoom + characterWidth * fontScale() * length))
}

/**
 * The widths of the columns, in pixels, with that of the row numbers first. The browser decides them by the first rows,
 * and longer texts of others widen them. After that they stay, because other rows would move them while the user
 * scrolls. A single column may grow.
 */
export function createColumnWidths(table: () => HTMLTableElement | undefined, rows: () => ResultRows) {
	const [all, setAll] = createSignal<readonly number[]>()
	const cells = () => [...(table()?.tHead?.rows[0]?.cells ?? [])]
	onMount(() => {
		// A result that is hidden has no widths.
		const drawn = table()
		if (!drawn) return
		const observer = new ResizeObserver(() => {
			if (drawn.offsetWidth === 0) return
			observer.disconnect()
			if (cells().length <= 2) return
			const texts = [0, ...textWidths(rows())]
			setAll(cells().map(({ offsetWidth }, at) => Math.max(offsetWidth, texts[at] ?? 0)))
		})
		observer.observe(drawn)
		onCleanup(() => observer.disconnect())
	})
	const set = (index: number, width: number) =>
		setAll(known =>
			(known ?? cells().map(({ offsetWidth }) => offsetWidth)).map((before, at) =>
				at === index ? Math.round(Math.min(widest, Math.max(narrowest, width))) : before,
			),
		)
	return {
		all,
		table: (): JSX.CSSProperties => {
			const known = all()
			if (!known) return {}
			return { 'table-layout': 'fixed', width: `${known.reduce((sum, width) => sum + width, 0)}px` }
		},
		/** Changes a width by the line at the right of a header. */
		drag(event: MouseEvent, index: number): void {
			event.preventDefault()
			const start = { x: event.clientX, width: cells()[index]?.offsetWidth ?? 0 }
			followPointer(({ clientX }) => set(index, start.width + clientX - start.x))
		},
		/** Fits a column to the rows that have elements. */
		fit(index: number): void {
			const own = [...(table()?.rows ?? [])].flatMap(row => row.cells[index] ?? [])
			set(index, narrowest)
			set(index, Math.max(...own.map(({ scrollWidth }) => scrollWidth)) + 2)
		},
	}
}
