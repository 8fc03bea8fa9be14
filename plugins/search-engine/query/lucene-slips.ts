import type { Mapping } from '../mapping/mapping.ts'

/** What a query in Lucene syntax probably does not mean as it is written: other query languages look alike. */

const name = String.raw`(?:\\.|[\p{L}\p{N}_@.*-])+`
const fieldIn = new RegExp(String.raw`(?:^|[\s(!+-])(${name})\s*:`, 'gu')
/** The first 2,000 characters are enough for a message. */
const longestText = 2_000

/** Returns the query without what is in quotes. */
export const withoutQuotes = (text: string) => text.slice(0, longestText).replaceAll(/"(?:\\.|[^"\\])*"?/g, '""')

/** Returns the names before a colon. */
export const fieldsIn = (bare: string) => [
	...new Set([...bare.matchAll(fieldIn)].map(found => (found[1] ?? '').replaceAll(/\\(.)/g, '$1'))),
]

/** Returns a sentence for each slip. */
export function luceneSlips(text: string, { fields }: Mapping): readonly string[] {
	const bare = withoutQuotes(text)
	const names = fieldsIn(bare)
	const nested = names.filter(path => (fields.get(path)?.nestedIn.length ?? 0) > 0)
	const word = /(?<=\S\s)(?:and|or|not)(?=\s)/.exec(bare)?.[0]
	return [
		...(nested.length > 0
			? [`A query in Lucene syntax finds nothing in nested objects: ${nested.join(', ')}. Use a filter instead.`]
			: []),
		...(names.length > 0 && word !== undefined
			? [`"${word}" is a word to search for here. The operator is ${word.toUpperCase()}.`]
			: []),
		...(/[\p{L}\p{N}_]\s+:/u.test(bare)
			? ['A space before the colon separates the field from its value. Remove it.']
			: []),
	]
}
