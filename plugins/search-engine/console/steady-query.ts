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
