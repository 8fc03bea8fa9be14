import type { JsonObject } from '@roundhouse/kit'
import { isMetaColumn } from '../mapping/columns.ts'
import { resolve } from '../mapping/exact-field.ts'
import type { Mapping } from '../mapping/mapping.ts'

/**
 * Types whose values pass the engine's source filter unchanged. It reprints other numbers: a decimal loses its zeros,
 * and digits that a double cannot hold.
 */
const exactTypes = new Set([
	'text',
	'match_only_text',
	'keyword',
	'constant_keyword',
	'wildcard',
	'ip',
	'version',
	'boolean',
	'date',
	'date_nanos',
	'byte',
	'short',
	'integer',
	'long',
	'unsigned_long',
])

/**
 * Returns the `_source` filter of a search for some columns, or nothing if only the whole document has their exact
 * values. Includes whole top-level members, because the filter drops elements without the field from arrays.
 */
export function chosenSource(columns: readonly string[], mapping: Mapping): JsonObject | undefined {
	const members = new Set<string>()
	for (const column of columns) {
		const field = mapping.fields.get(column)
		if (isMetaColumn(column) || field?.isRuntime) continue
		const real = field && resolve(field, mapping)
		if (real === undefined || !exactTypes.has(real.type) || real.path.includes('*')) return undefined
		members.add(real.path.split('.')[0] ?? '')
	}
	// An empty list would mean the whole document.
	return { includes: members.size > 0 ? [...members] : ['_id'] }
}
