import { createMemo } from 'solid-js'
import type { Row } from '../../host/api/api.ts'
import { cellOf } from '../cells/cell-text.ts'
import type { RowSource } from './source.ts'

const blockLength = 500

/**
 * Rows in memory as the source of a grid. A truncated value cannot be read whole.
 *
 * @param text the text of a cell that is not printed as its value
 */
export function createMemoryRows(rows: () => readonly Row[], text?: NonNullable<RowSource['text']>): RowSource {
	/** What one step of a search looks at. */
	const blocks = createMemo(() =>
		Array.from({ length: Math.ceil(rows().length / blockLength) }, (_, at) => {
			const first = at * blockLength
			return { first, rows: rows().slice(first, first + blockLength) }
		}),
	)
	/** A search by row is rare, and many rows take time. */
	const placeOf = createMemo(() => {
		const now = rows()
		let places: ReadonlyMap<string, number> | undefined
		return (id: string) => {
			places ??= new Map(now.map((row, index) => [row.id, index]))
			return places.get(id)
		}
	})
	return {
		mostAtOnce: Number.POSITIVE_INFINITY,
		count: () => rows().length,
		unnumbered: () => 0,
		at: index => rows()[index],
		cell: (row, { index }) => cellOf(row, index),
		...(text && { text }),
		track: () => {},
		loaded: blocks,
		find(id) {
			const index = placeOf()(id)
			const row = index === undefined ? undefined : rows()[index]
			return row && index !== undefined ? { row, index } : undefined
		},
		show: () => {},
		read: async ({ first, last }) => rows().slice(first, last + 1),
	}
}
