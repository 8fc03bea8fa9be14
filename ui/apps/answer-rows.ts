import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit/json'

/** Rows in an answer of `browse_table`, `query` or `aggregate` (docs/mcp.md, "Results"). */
export interface AnswerRows {
	readonly columns: readonly string[]
	readonly rows: readonly (readonly Json[])[]
	/** The number of all rows; `undefined` where the tool does not count. */
	readonly total: number | undefined
	readonly isTotalExact: boolean
	readonly nextCursor: string | undefined
	/** The hint and the notices of the answer. */
	readonly notes: readonly string[]
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
		notes: notesOf(answer),
	}
}

function notesOf({ hint, notices, next_cursor: cursor }: JsonObject): readonly string[] {
	const texts = Array.isArray(notices) ? notices : []
	// The hint to continue with a cursor is for the model.
	return [...(cursor === undefined ? [hint] : []), ...texts].filter(text => typeof text === 'string')
}
