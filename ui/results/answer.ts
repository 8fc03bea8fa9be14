import type { ConsoleResult, ResultPart } from '../../host/api/api.ts'
import { counted } from '../words/format.ts'
import { chartColumns, type ResultRows } from './chart-columns.ts'

export type ResultView = 'rows' | 'chart' | 'json' | 'text'

/** A result and, for the first of a statement, the whole answer. */
export type Answer = ResultPart & Pick<ConsoleResult, 'raw' | 'rawCutFrom'>

/** Whether a result has several parts with names, of which one is shown at a time. */
export const hasTitledParts = ({ title, more = [] }: ConsoleResult) =>
	title !== undefined && more.length > 0 && more.every(part => part.title !== undefined)

/** The views of a result, the initial one first (contract, part B, "Console output"). */
export function viewsOf({ body, raw }: Answer): readonly ResultView[] {
	if (body.view !== 'rows') return [body.view]
	return [
		'rows',
		...(chartColumns(body) ? (['chart'] as const) : []),
		...(raw ? [body.rawView ?? ('json' as const)] : []),
	]
}

/** Returns the status with how much of the result was read: `SELECT, first 2,000 rows`. */
export function statusOf(
	{ status, body }: Pick<ResultPart, 'status' | 'body'>,
	noun: Parameters<typeof counted>[1],
): string {
	const isCut = body.view === 'rows' && body.isTruncated
	return isCut ? `${status}, first ${counted(body.rows.length, noun)}` : status
}

/** Returns which rows a result has: `first 2,000 rows`, or `rows` if it has all. */
export function scopeOf({ rows, isTruncated }: ResultRows, noun: Parameters<typeof counted>[1]): string {
	return isTruncated ? `first ${counted(rows.length, noun)}` : noun.many
}

/** The whole answer as it came. */
export function answerOf({ body, raw }: Answer): Uint8Array {
	if (raw) return raw
	return new TextEncoder().encode(body.view === 'json' ? body.json : body.view === 'text' ? body.text : '')
}
