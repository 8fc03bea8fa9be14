import { isJsonObject, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit/json'
import { spelledOut } from './shown-text.ts'

/** Rows in an answer of `browse_table`, `query` or `aggregate` (docs/mcp.md, "Results"). */
export interface AnswerRows {
	readonly columns: readonly string[]
	readonly rows: readonly (readonly Json[])[]
	/** The number of all rows; `undefined` where the tool does not count. */
	readonly total: number | undefined
	readonly isTotalExact: boolean
	readonly nextCursor: string | undefined
}

/** Returns the rows of an answer; `undefined` if it has none. */
export function answerRows(answer: JsonObject): AnswerRows | undefined {
	const { columns, rows, total, total_is_exact: isTotalExact, next_cursor: nextCursor } = answer
	if (!Array.isArray(columns) || !Array.isArray(rows)) return undefined
	return {
		columns: columns.map(column => (isJsonObject(column) ? String(column.name) : '')),
		rows: rows.filter(row => Array.isArray(row)),
		total: typeof total === 'number' ? total : undefined,
		isTotalExact: isTotalExact !== false,
		nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined,
	}
}

/** Rows of several pages. */
export interface ShownRows {
	readonly columns: readonly string[]
	readonly rows: readonly (readonly (Json | undefined)[])[]
}

/**
 * Joins the pages of a table. Columns are matched by name, because an engine may order them by the rows of each page. A
 * value is undefined where its page has no such column.
 */
export function joined(pages: readonly AnswerRows[]): ShownRows {
	const [first, ...others] = pages
	if (!first || others.length === 0) return { columns: first?.columns ?? [], rows: first?.rows ?? [] }
	const columns = [...new Set(pages.flatMap(page => page.columns))]
	const rows = pages.flatMap(page => {
		const indices = columns.map(name => page.columns.indexOf(name))
		return page.rows.map(row => indices.map(index => row[index]))
	})
	return { columns, rows }
}

/** Returns what an answer says besides its rows, as sentences. */
export function notesOf({
	cut_cells: cut,
	hint,
	notices,
	next_cursor: cursor,
	totals,
	is_truncated: isCut,
}: JsonObject): readonly string[] {
	const truncated = (Array.isArray(cut) ? cut : []).map(cell => (isJsonObject(cell) ? cell.column : undefined))
	return [
		// The hint to continue with a cursor is for the model.
		...(cursor === undefined ? [hint ?? (isCut && 'There are more.')] : []),
		...(Array.isArray(notices) ? notices : []),
		...(truncated.length > 0 ? [`Cut values: ${[...new Set(truncated)].join(', ')}.`] : []),
		...(totals === undefined ? [] : [`Totals: ${stringifyJson(totals)}.`]),
	]
		.filter(note => typeof note === 'string')
		.map(spelledOut)
}
