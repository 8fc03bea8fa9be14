import type { Json, JsonObject } from '@roundhouse/kit'
import type { Field } from '../mapping/field.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { objectOf } from '../transport/answer.ts'
import { refused } from './cell-value.ts'

/**
 * Fields that an index knows and `_source` does not hold. The engine writes a document anew from its `_source`, whoever
 * asks for the edit, and so would take them out of the index without a word.
 *
 * @throws DriverError `invalid_argument` naming them.
 */
export function refuseWithheld(index: string, { definition, fields }: Mapping) {
	// A row id of a foreign hand may name an alias.
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
	return `${index} leaves ${withheld.slice(0, 3).join(', ')}${more} out of _source, so an edit would drop it from the index; send the whole document from the console instead`
}

function patterns(value: Json | undefined): string[] {
	return (Array.isArray(value) ? value : typeof value === 'string' ? [value] : []).map(String)
}

/** A pattern covers what lies below it. */
function matchesAny(path: string, all: readonly string[]): boolean {
	return all.some(pattern => matches(path, pattern) || matches(path, `${pattern}.*`))
}

/** `*` stands for anything. No expression: one of many stars would try all the ways to share a long name out among them. */
function matches(path: string, pattern: string): boolean {
	const [first = '', ...others] = pattern.split('*')
	const last = others.pop()
	if (last === undefined) return path === first
	if (!path.startsWith(first) || !path.endsWith(last)) return false
	let at = first.length
	for (const part of others) {
		const found = path.indexOf(part, at)
		if (found < 0) return false
		at = found + part.length
	}
	return at <= path.length - last.length
}
