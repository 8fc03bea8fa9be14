import type { Json, JsonObject } from '@roundhouse/kit'
import type { Field } from '../mapping/field.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { objectOf } from '../transport/answer.ts'
import { matchesPattern } from '../transport/pattern.ts'
import { refused } from './cell-value.ts'

/**
 * Rejects edits of an index with fields that `_source` does not contain. The engine rewrites a document from its
 * `_source` on every update, and so would silently remove these fields from the index.
 *
 * @throws DriverError `invalid_argument` that names the fields, or says that the mapping may not be read.
 */
export function refuseWithheld(index: string, { definition, fields, isInferred }: Mapping) {
	if (isInferred) {
		throw refused(
			`This credential may not read the mapping of ${index}, so an edit could drop fields that _source excludes. Use one with the privilege view_index_metadata, or send the whole document from the console`,
		)
	}
	// A row id from outside may name an alias.
	const indices = definition[index] === undefined ? Object.values(definition) : [definition[index]]
	for (const one of indices) {
		const source = objectOf(objectOf(objectOf(one).mappings)._source)
		if (String(source.enabled) === 'false')
			throw refused(`${index} keeps no _source, so its documents cannot be edited`)
		const withheld = withheldBy(source, fields.values())
		if (withheld.length > 0) throw refused(reason(index, withheld))
	}
}

function withheldBy(source: JsonObject, fields: Iterable<Field>): string[] {
	const [includes, excludes] = [patterns(source.includes), patterns(source.excludes)]
	if (includes.length === 0 && excludes.length === 0) return []
	return [...fields]
		.filter(field => !field.isRuntime && field.aliasOf === undefined)
		.map(field => field.path)
		.filter(path => (includes.length > 0 && !matchesAny(path, includes)) || matchesAny(path, excludes))
}

function reason(index: string, withheld: readonly string[]): string {
	const more = withheld.length > 3 ? ` and ${withheld.length - 3} more` : ''
	return `${index} excludes ${withheld.slice(0, 3).join(', ')}${more} from _source, so an edit would drop it from the index. Send the whole document from the console instead`
}

function patterns(value: Json | undefined): string[] {
	return (Array.isArray(value) ? value : typeof value === 'string' ? [value] : []).map(String)
}

/** A pattern covers the fields below it. */
function matchesAny(path: string, all: readonly string[]): boolean {
	return all.some(pattern => matchesPattern(path, pattern) || matchesPattern(path, `${pattern}.*`))
}
