import type { Cell, RowExport } from '@roundhouse/kit'
import type { RawRow, TextRow } from '../text/session.ts'
import type { CellRows } from './cell-rows.ts'
import { ChunkedExport } from './chunked-export.ts'

/** Rows of a query, and how they are written. */
interface WrittenRows<Row extends RawRow> {
	/** Reads rows one by one. `take` returns a promise if no more rows are wanted before it resolves. */
	readEach(take: (row: Row) => Promise<void> | undefined, signal: AbortSignal): Promise<unknown>
	cellsOf(row: Row): readonly Cell[]
	readonly rows: CellRows
	readonly isArray: boolean
	/** Called when no more rows are needed. */
	release(): void
}

/** Exports rows as an engine sends them. It waits for a slow reader. */
export function exportRows<Row extends RawRow = TextRow>(written: WrittenRows<Row>): RowExport {
	const { readEach, cellsOf, rows, isArray, release } = written
	let resumed = Promise.withResolvers<void>()
	let isPaused = false
	return new ChunkedExport({
		header: rows.header,
		isArray,
		send: ({ pieces, begin, end }, signal) =>
			readEach(row => {
				if (!begin()) return undefined
				pieces.add(rows.line(cellsOf(row)))
				end()
				return isPaused ? resumed.promise : undefined
			}, signal),
		pause() {
			if (isPaused) return
			isPaused = true
			resumed = Promise.withResolvers()
		},
		resume() {
			isPaused = false
			resumed.resolve()
		},
		release,
	})
}
