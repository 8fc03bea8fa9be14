import { isText } from '../mapping/field-type.ts'
import type { Mapping } from '../mapping/mapping.ts'

/** What a query in Lucene syntax probably does not mean as it is written: other query languages look alike. */

const name = String.raw`(?:\\.|[\p{L}\p{N}_@.*-])+`
const fieldIn = new RegExp(String.raw`(?:^|[\s(!+-])(${name})\s*:`, 'gu')
/** `status >= 500` is three words. */
const comparison = new RegExp(String.raw`(?:^|[\s(!+-])(${name})\s*(>=|<=|>|<)\s*([^\s()]*)`, 'gu')
/** A regular expression ends where its word ends. One with a blank has no colon, which begins another condition. */
const expression = String.raw`(?<=^|[\s(:!+-])\/(?:(?:\\.|[^/\\\s])*|(?:\\.|[^/\\:])*[^\s/\\:])\/(?=$|[\s)^~])`
/** Where a slash is only a character: after a backslash, in quotes, in a regular expression and in a range. */
const withSlashes = new RegExp(String.raw`\\.|"(?:\\.|[^"\\])*"?|${expression}|[[{][^\]}]*[\]}]`, 'gsu')
const word = String.raw`(?:\\.|[^\s"(){}[\]:<>\\])+`
const nextWord = String.raw`(?!(?:and|or|not)(?=[\s)]|$)|[+!-]|&&|\|\|)${word}(?=[\s)]|$)(?!\s*[:<>])`
/** `message: basket locked`. A blank at the colon is how Kibana writes it, so these words are probably one value. */
const severalWords = new RegExp(String.raw`(?<=^|[\s(!+-])(${name})(?:\s+:\s*|:\s+)(${word})\s+${nextWord}`, 'giu')
const keywordTypes = new Set(['keyword', 'constant_keyword', 'wildcard'])
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
	const slash = straySlash(text)
	const parted = partedValue(bare, fields)
	return [
		...(fieldsIn(bare).length > 0 && words.length > 0
			? [
					`Operators are in capital letters: ${words.map(word => word.toUpperCase()).join(', ')}. In small letters they are words to search for.`,
				]
			: []),
		...(compared ? [`A comparison needs a colon: ${compared[1]}:${compared[2]}${compared[3]}.`] : []),
		...(slash === undefined ? [] : [slash]),
		...(parted === undefined ? [] : [parted]),
	]
}

/** A slash that belongs to no regular expression is an error of syntax, or makes one of a part of the word. */
function straySlash(text: string): string | undefined {
	const bare = text.slice(0, longestText).replaceAll(withSlashes, found => (found.startsWith('\\') ? found : '""'))
	const words = bare.replaceAll(/\s*:\s*/g, ':').split(/[\s()]+/)
	const found = words.find(word => /^(?:\\.|[^\\/])*\//s.test(word))
	if (found === undefined) return undefined
	const [, before = '', value = found] = new RegExp(`^(${name}:[<>]?=?)(.*)$`, 'su').exec(found) ?? []
	// In quotes, `*` is a character.
	if (value.includes('*')) {
		return `A slash in a value needs a backslash: ${before}${value.replaceAll(/\\.|\//gs, mark => (mark === '/' ? '\\/' : mark))}.`
	}
	return `A ${before === '' ? 'word' : 'value'} with a slash needs quotes: ${before}"${value}".`
}

/** Text and keywords can have values of several words. After a number, more words are another search. */
function partedValue(bare: string, fields: Mapping['fields']): string | undefined {
	for (const [, field = '', first] of bare.matchAll(severalWords)) {
		const type = fields.get(plain(field))?.type
		if (type === undefined || !(isText(type) || keywordTypes.has(type))) continue
		return `In Lucene syntax, only ${first} is searched in ${plain(field)}. The words after it are searched in all fields.`
	}
	return undefined
}
