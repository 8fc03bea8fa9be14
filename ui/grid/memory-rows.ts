import { createMemo } from 'solid-js'
import type { Row } from '../../host/api/api.ts'
import { cellOf } from '../cells/cell-text.ts'
import type { RowSource } from './source.ts'

/**
 * Rows in memory as the source of a grid. A truncated value cannot be read whole.
 *
 * @param text the text of a cell that is not printed as its value
 */
export function createMemoryRows(rows: () => readonly Row[], text?: NonNullable<RowSource['text']>): RowSource {
	const places = createMemo(() => new Map(rows().map((row, index) => [row.id, index])))
	return {
		mostAtOnce: Number.POSITIVE_INFINITY,
		count: () => rows().length,
		unnumbered: () => 0,
		at: index => rows()[index],
		cell: (row, { index }) => cellOf(row, index),
		...(text && { text }),
		track: () => {},
		loaded: () => [{ first: 0, rows: rows() }],
		find(id) {
			const index = places().get(id)
			const row = index === undefined ? undefined : rows()[index]
			return row && index !== undefined ? { row, index } : undefined
		},
		show: () => {},
		read: async ({ first, last }) => rows().slice(first, last + 1),
	}
}
