import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import type { NamedValues } from './aggregation-rows.ts'

/** An ES|QL answer: columns, and the values of each row or of each column. */
export interface EsqlAnswer {
	/** The engine's type of each column, by name. */
	readonly types: ReadonlyMap<string, string>
	readonly rows: readonly NamedValues[]
}

/** Returns `undefined` for any other answer. @param isColumnar whether the request asked for columns, if known */
export function esqlAnswer({ columns, values }: JsonObject, isColumnar: boolean | undefined): EsqlAnswer | undefined {
	if (!Array.isArray(columns) || !Array.isArray(values) || !columns.every(isJsonObject) || columns.length === 0)
		return undefined
	const names = columns.map(({ name }) => String(name))
	const lists = values.map((list): readonly Json[] => (Array.isArray(list) ? list : []))
	const rows = (isColumnar ?? seemsColumnar(lists, names.length)) ? turned(lists) : lists
	return {
		types: new Map(columns.map(({ name, type }) => [String(name), String(type)])),
		rows: rows.map(row => new Map(names.map((name, index) => [name, row[index]]))),
	}
}

/** The answer of a stored query does not say whether columns were requested. */
function seemsColumnar(lists: readonly (readonly Json[])[], columns: number): boolean {
	return lists.length === columns && lists.some(list => list.length !== columns)
}

function turned(columns: readonly (readonly Json[])[]): Json[][] {
	return Array.from(columns[0] ?? [], (_, row) => columns.map(column => column[row] ?? null))
}

const taskId = /^[\w+/=-]{1,500}$/

/** Returns notices about missing rows and a running query. */
export function esqlWarnings({ is_partial, is_running, id }: JsonObject): string[] {
	const more = typeof id === 'string' && taskId.test(id) ? `; GET /_query/async/${id} shows the progress` : ''
	return [
		...(is_running === true ? [`The query is still running${more}.`] : []),
		...(is_partial === true && is_running !== true ? ['The answer is not complete; rows are missing.'] : []),
	]
}
