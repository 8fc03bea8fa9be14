import type { Cell, Column, ConsoleResult } from '@roundhouse/kit'

type RowsBody = Extract<ConsoleResult['body'], { readonly view: 'rows' }>

/** The host takes 64 MiB of an answer. What stands beside the rows has the rest. In bytes. */
const mostBytes = 48 * 1024 * 1024

interface ReadRows {
	readonly columns: readonly Column[]
	readonly rows: readonly (readonly Cell[])[]
	/** Whether there are more. */
	readonly isTruncated: boolean
}

/**
 * Returns the rows that fit an answer as the body of a result, and a notice if they are fewer than were asked for.
 * @param maxRows that were asked for
 */
export function fittingRows(
	{ columns, rows, isTruncated }: ReadRows,
	maxRows: number,
): { readonly body: RowsBody; readonly notices: readonly string[] } {
	let bytes = 0
	const end = rows.findIndex(row => {
		bytes += Buffer.byteLength(JSON.stringify(row)) + 1
		return bytes > mostBytes
	})
	const fitting = end < 0 ? rows : rows.slice(0, end)
	const isCut = isTruncated || fitting.length < rows.length
	const count = fitting.length.toLocaleString('en')
	const notice = `Only the first ${count} rows are shown, because all that were asked for are too large together. Choose fewer columns, or export the rows.`
	return {
		body: { view: 'rows', columns, rows: fitting, isTruncated: isCut },
		notices: isCut && fitting.length < maxRows ? [notice] : [],
	}
}
