import { createEffect } from 'solid-js'
import type { GridColumns } from './columns/grid-columns.ts'
import { createGridFind } from './find/grid-find.ts'
import { createPlace } from './selection/place.ts'
import { createSelectedRows } from './selection/selected-rows.ts'
import type { RowSource } from './source.ts'
import { createScrolling } from './view/scrolling.ts'

/** A word of the engine: `document`, `documents`. */
interface Noun {
	readonly one: string
	readonly many: string
}

export type GridModel = ReturnType<typeof createGridModel>

/** The state of one grid: its rows and columns, what is in view, what is selected, and the search in loaded rows. */
export function createGridModel({
	source,
	columns,
	nouns,
	whyLost,
}: {
	readonly source: RowSource
	readonly columns: GridColumns
	/** The engine's words. */
	readonly nouns: { readonly row: Noun; readonly column: Noun }
	/** The message if other rows took the place of the selected ones: no action applies to them then. */
	whyLost?(): string | undefined
}) {
	const scrolling = createScrolling(source.count, columns)
	const place = createPlace(source, columns, scrolling)
	const selected = createSelectedRows(source, place.rectangle, whyLost)
	const find = createGridFind({ source, columns, place, reveal: scrolling.reveal })
	createEffect(() => {
		const range = scrolling.inView()
		if (range) source.show(...range)
	})
	return { source, columns, nouns, scrolling, place, selected, find }
}
