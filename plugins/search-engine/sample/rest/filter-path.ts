import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'

/** `filter_path`: keeps the named parts of an answer. `*` matches one key; arrays are traversed. */
export function filterPath(body: Json, patterns: string): Json {
	return (
		pick(
			body,
			patterns.split(',').map(pattern => pattern.split('.')),
		) ?? {}
	)
}

function pick(value: Json, paths: readonly (readonly string[])[]): Json | undefined {
	if (paths.some(path => path.length === 0)) return value
	if (Array.isArray(value)) {
		const kept = value.map(element => pick(element, paths)).filter(element => element !== undefined)
		return kept.length > 0 ? kept : undefined
	}
	if (!isJsonObject(value)) return undefined
	const kept = Object.entries(value).flatMap(([key, child]): [string, Json][] => {
		const rest = paths.filter(path => path[0] === key || path[0] === '*').map(path => path.slice(1))
		const part = rest.length > 0 ? pick(child, rest) : undefined
		return part === undefined ? [] : [[key, part]]
	})
	return kept.length > 0 ? (Object.fromEntries(kept) satisfies JsonObject) : undefined
}
