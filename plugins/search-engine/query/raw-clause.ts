import { DriverError, isJsonObject, type Json, type JsonObject, parseJson } from '@roundhouse/kit'

/** A raw query that is JSON: a clause of the engine's query language, or the body of a search with one. */

/** No query in Lucene syntax begins with a brace, which ends a range there. */
export const isClause = (text: string) => text.trimStart().startsWith('{')

/** Returns the clause. @throws DriverError `invalid_argument` if the text is not a JSON object */
export function clauseIn(text: string): JsonObject {
	const clause = parsed(text)
	if (!isJsonObject(clause)) throw new DriverError('invalid_argument', 'The query is not a complete JSON object.')
	return isJsonObject(clause.query) ? clause.query : clause
}

function parsed(text: string): Json | undefined {
	try {
		return parseJson(text)
	} catch {
		return undefined
	}
}

const occurrences = ['must', 'filter', 'should', 'must_not']
const enclosing = ['filter', 'query', 'positive', 'negative']

/** Says what a clause asks for: `bool (filter: term status, range price)`. */
export function clauseWords(clause: JsonObject): string {
	return Object.entries(clause)
		.map(([name, options]) => `${name}${isJsonObject(options) ? insideWords(name, options) : ''}`)
		.join(', ')
}

function insideWords(name: string, options: JsonObject): string {
	if (name === 'bool') {
		const parts = occurrences.flatMap(key => {
			const inner = [options[key] ?? []].flat().filter(isJsonObject)
			return inner.length === 0 ? [] : [`${key}: ${inner.map(clauseWords).join(', ')}`]
		})
		return ` (${parts.join('; ')})`
	}
	const inner = enclosing.flatMap(key => {
		const found = options[key]
		return isJsonObject(found) ? [clauseWords(found)] : []
	})
	if (inner.length > 0) return ` (${inner.join('; ')})`
	if (typeof options.field === 'string') return ` ${options.field}`
	const [field, ...others] = Object.keys(options).filter(key => key !== 'boost' && key !== '_name')
	return field === undefined || others.length > 0 ? '' : ` ${field}`
}
