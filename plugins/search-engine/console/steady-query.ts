import { isJsonObject, type Json } from '@roundhouse/kit'

/** Members whose matches depend on more than the documents of the counted indices, or differ from search to search. */
const unsteady =
	/^(?:random_score|min_score|percolate|indexed_shape|more_like_this|wrapper|pinned|rule|rule_query|knn|semantic|sparse_vector|text_expansion|.*script.*)$/

/**
 * Returns whether a query matches the same documents when the request runs, unless documents change. A query with `now`,
 * a look-up in another document, a random score or a script may match others a moment later.
 */
export function isSteady(query: Json | undefined): boolean {
	if (typeof query === 'string') return !/\bnow\b/i.test(query)
	if (Array.isArray(query)) return query.every(isSteady)
	if (!isJsonObject(query)) return true
	return Object.entries(query).every(([name, value]) => {
		return !unsteady.test(name) && !(name === 'terms' && looksUp(value)) && isSteady(value)
	})
}

/** Terms of a field can be read from a document: `{"user": {"index": …, "id": …, "path": …}}`. */
function looksUp(terms: Json): boolean {
	return isJsonObject(terms) && Object.values(terms).some(isJsonObject)
}

/** Parts of queries that search fields that they do not name. */
const anyField = /"(?:query_string|simple_query_string|multi_match|combined_fields)"|\*/

/** Returns whether a query may read one of these fields. @param q a query string, which names no field for certain */
export function mayRead(fields: readonly string[], query: Json | undefined, q: string | undefined): boolean {
	if (fields.length === 0) return false
	const text = JSON.stringify(query ?? null)
	return (
		q !== undefined || anyField.test(text) || fields.some(field => text.includes(JSON.stringify(field).slice(1, -1)))
	)
}
