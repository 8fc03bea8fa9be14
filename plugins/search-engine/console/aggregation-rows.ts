import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'

/** A row of a table under construction: values by column. */
export type NamedValues = ReadonlyMap<string, Json | undefined>

/**
 * Aggregations as rows: a column for the key of each level of buckets, `doc_count` of the innermost, and one for each
 * number. `undefined` where two lists of buckets stand side by side, which no one table can hold.
 */
export function aggregationRows(aggregations: JsonObject): NamedValues[] | undefined {
	return rowsOf(aggregations, new Map())
}

function rowsOf(level: JsonObject, outer: NamedValues): NamedValues[] | undefined {
	const results = Object.entries(level).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]))
	const single = results.filter(([, result]) => result.buckets === undefined && typeof result.doc_count === 'number')
	const bucketed = results.filter(([, result]) => result.buckets !== undefined)
	const row = new Map(outer)
	for (const [name, result] of results) for (const [key, value] of numbersOf(name, result)) row.set(key, value)
	const [list] = bucketed
	if (bucketed.length > 1 || single.length > 0) return undefined
	if (list === undefined) return [row]
	const rows: NamedValues[] = []
	for (const bucket of bucketsOf(list[1])) {
		const inner = rowsOf(bucket, new Map([...row, [list[0], keyOf(bucket)], ['doc_count', bucket.doc_count]]))
		if (inner === undefined) return undefined
		rows.push(...inner)
	}
	return rows
}

/** `{value}` is one number, `stats` and its like are several. */
function numbersOf(name: string, result: JsonObject): [string, Json | undefined][] {
	if (result.buckets !== undefined || typeof result.doc_count === 'number') return []
	if ('value' in result) return [[name, result.value_as_string ?? result.value]]
	return Object.entries(result).map(([key, value]) => [`${name}.${key}`, value])
}

function bucketsOf({ buckets }: JsonObject): JsonObject[] {
	if (Array.isArray(buckets)) return buckets.filter(isJsonObject)
	if (!isJsonObject(buckets)) return []
	return Object.entries(buckets).map(([key, bucket]) => ({ key, ...(isJsonObject(bucket) ? bucket : {}) }))
}

function keyOf(bucket: JsonObject): Json | undefined {
	return bucket.key_as_string ?? bucket.key
}
