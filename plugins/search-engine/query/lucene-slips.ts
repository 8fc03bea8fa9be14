import type { Mapping } from '../mapping/mapping.ts'

/** What a query in Lucene syntax probably does not mean as it is written: other query languages look alike. */

const name = String.raw`(?:\\.|[\p{L}\p{N}_@.*-])+`
const fieldIn = new RegExp(String.raw`(?:^|[\s(!+-])(${name})\s*:`, 'gu')
/** `status >= 500` is three words. */
const comparison = new RegExp(String.raw`(?:^|[\s(!+-])(${name})\s*(>=|<=|>|<)\s*([^\s()]*)`, 'gu')
/** `path:/cart` is an expression without its end. */
const slashed = new RegExp(String.raw`(${name})\s*:\s*(\/[^/\s()]*)(?=[\s)]|$)`, 'u')
/** The first 2,000 characters are enough for a message. */
const longestText = 2_000

/** Returns a name or a word without its escapes. */
export const plain = (text: string) => text.replaceAll(/\\(.)/g, '$1')

/** Returns the query without what is in quotes. */
export const withoutQuotes = (text: string) => text.slice(0, longestText).replaceAll(/"(?:\\.|[^"\\])*"?/g, '""')

/** Returns the names before a colon. */
export const fieldsIn = (bare: string) => [...new Set([...bare.matchAll(fieldIn)].map(found => plain(found[1] ?? '')))]

/** Names with `*`, metadata and what is below an object or a field are fields too. */
function isField(path: string, fields: Mapping['fields']): boolean {
	if (path.includes('*') || path.startsWith('_')) return true
	for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1))
		if (fields.has(path.slice(0, end))) return true
	return [...fields.keys()].some(known => known.startsWith(`${path}.`))
}

/** Returns a sentence for each slip. */
export function luceneSlips(text: string, { fields }: Mapping): readonly string[] {
	const bare = withoutQuotes(text)
	const names = fieldsIn(bare)
	const nested = names.filter(path => (fields.get(path)?.nestedIn.length ?? 0) > 0)
	const unknown = names.filter(path => !isField(path, fields))
	return [
		...(unknown.length > 0 ? [`There is no field ${unknown.join(', ')}.`] : []),
		...(nested.length > 0
			? [`A query in Lucene syntax finds nothing in nested objects: ${nested.join(', ')}. Use a filter instead.`]
			: []),
		...otherSyntax(text, { fields }),
	]
}

/** Returns a sentence for each mark of a language that is not Lucene syntax. */
export function otherSyntax(text: string, { fields }: Pick<Mapping, 'fields'>): readonly string[] {
	const bare = withoutQuotes(text)
	const words = [...new Set(Array.from(bare.matchAll(/(?<=^|[\s(])(?:and|or|not)(?=[\s(])/g), ([word]) => word))]
	const compared = Array.from(bare.matchAll(comparison)).find(found => fields.has(found[1] ?? ''))
	const unclosed = slashed.exec(bare)
	return [
		...(fieldsIn(bare).length > 0 && words.length > 0
			? [
					`Operators are in capital letters: ${words.map(word => word.toUpperCase()).join(', ')}. In small letters they are words to search for.`,
				]
			: []),
		...(compared ? [`A comparison needs a colon: ${compared[1]}:${compared[2]}${compared[3]}.`] : []),
		...(unclosed ? [`A value that begins with a slash needs quotes: ${unclosed[1]}:"${unclosed[2]}".`] : []),
	]
}
