import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import type { NamedValues } from './aggregation-rows.ts'

/** What a bulk request did, by action. The engine answers 200 also if actions failed. */
export interface BulkAnswer {
	readonly rows: readonly NamedValues[]
	readonly notices: readonly string[]
}

/** Returns `undefined` if the response is not one of `_bulk`. */
export function bulkAnswer({ items, errors }: JsonObject): BulkAnswer | undefined {
	if (!Array.isArray(items) || typeof errors !== 'boolean') return undefined
	const rows = items.map(rowOf)
	if (!rows.every(row => row !== undefined)) return undefined
	const failed = rows.filter(row => row.has('error')).length
	const notice = `${failed.toLocaleString('en')} of ${rows.length.toLocaleString('en')} actions failed.`
	return { rows, notices: failed === 0 ? [] : [notice] }
}

function rowOf(item: Json): NamedValues | undefined {
	const [action, answer] = isJsonObject(item) ? (Object.entries(item)[0] ?? []) : []
	if (action === undefined || !isJsonObject(answer)) return undefined
	const { _index, _id, status, result, error } = answer
	const shown = { action, _index, _id, status, result, error: errorText(error) }
	return new Map(Object.entries(shown).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

function errorText(error: Json | undefined): string | undefined {
	if (!isJsonObject(error)) return typeof error === 'string' ? error : undefined
	return [error.type, error.reason].filter(part => typeof part === 'string').join(': ')
}
