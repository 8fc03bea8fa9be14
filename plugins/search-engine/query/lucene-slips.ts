import { isText, kindOf } from '../mapping/field-type.ts'
import { type Mapping, nestedPaths } from '../mapping/mapping.ts'
import { misreadComparisons, withoutMisread } from './lucene-comparisons.ts'
import { name, nextWord, opaque, plain, word } from './lucene-syntax.ts'

/** What a query in Lucene syntax probably does not mean as it is written: other query languages look alike. */

const fieldIn = new RegExp(String.raw`(?:^|[\s(!+-])(${name})\s*:`, 'gu')
/** A condition on the elements of a nested object in Kibana's language: `staff:{ name: Ann }`. */
const braced = new RegExp(String.raw`(?<=^|[\s(!+-])(${name})\s*:\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}?`, 'gu')
/** Where a slash is only a character: after a backslash, in quotes, in a regular expression and in a range. */
const withSlashes = new RegExp(opaque, 'gsu')
/** `message: basket locked`. A blank at the colon is how Kibana writes it, so these words are probably one value. */
const severalWords = new RegExp(String.raw`(?<=^|[\s(!+-])(${name})(?:\s+:\s*|:\s+)(${word})\s+${nextWord}`, 'giu')
/** A value with a pattern: `status: 50*`. */
const patterned = new RegExp(String.raw`(?<=^|[\s(!+-])(${name})\s*:\s*(${word})`, 'gu')
export const keywordTypes = new Set(['keyword', 'constant_keyword', 'wildcard'])
/** The first 2,000 characters are enough for a message. */
const longestText = 2_000

/** Returns the query without what is in quotes. */
export const withoutQuotes = (text: string) => text.slice(0, longestText).replaceAll(/"(?:\\.|[^"\\])*"?/g, '""')

/** Returns the fields that the query has conditions on. */
export function fieldsOf(text: string, fields: Mapping['fields']): readonly string[] {
	return fieldsIn(withoutQuotes(withoutMisread(withoutBraced(text.slice(0, longestText), fields), fields)))
}

/** A range has values between its brackets. A time has colons. */
const ranges = /:\s*[[{][^\]}]*[\]}]?/g

/** Returns the names before a colon. */
const fieldsIn = (bare: string) => [
	...new Set([...bare.replaceAll(ranges, ':[]').matchAll(fieldIn)].map(found => plain(found[1] ?? ''))),
]

/** Names with `*`, metadata and what is below an object or a field are fields too. */
function isField(path: string, fields: Mapping['fields']): boolean {
	if (path.includes('*') || path.startsWith('_')) return true
	for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1))
		if (fields.has(path.slice(0, end))) return true
	return [...fields.keys()].some(known => known.startsWith(`${path}.`))
}

/** Returns a sentence for each slip. */
export function luceneSlips(text: string, { fields }: Mapping): readonly string[] {
	const named = fieldsOf(text, fields)
	const unknown = named.filter(path => !isField(path, fields))
	const unfound = named.filter(path => fields.get(path)?.isFindable === false)
	return [
		...(unknown.length > 0 ? [`There is no field ${unknown.join(', ')}.`] : []),
		...unfound.map(path => `${path} is stored but not indexed, so the engine finds no value of it.`),
		...uselessPatterns(text, fields),
		...otherSyntax(text, { fields }),
	]
}

/** A pattern finds texts alone. The engine takes one for a number or a date without an error. */
function uselessPatterns(text: string, fields: Mapping['fields']): readonly string[] {
	for (const [, field = '', value = ''] of withoutQuotes(text).matchAll(patterned)) {
		const path = plain(field)
		const kind = kindOf(fields.get(path)?.type ?? '')
		if (value === '*' || !hasStar(value) || (kind !== 'number' && kind !== 'date')) continue
		const range = kind === 'date' ? '[2026-01-01 TO 2026-01-31]' : '[500 TO 599]'
		return [`${path} has ${kind}s, among which the pattern ${value} finds nothing. Use a range: ${path}:${range}.`]
	}
	return []
}

/** Whether a name or a value has a `*` that is a pattern. */
const hasStar = (text: string) => text.replaceAll(/\\./gs, '').includes('*')

/** Whether a name is that of an object, which has fields and no value. */
export const isObject = (path: string, fields: Mapping['fields']): boolean =>
	!fields.has(path) && [...fields.keys()].some(known => known.startsWith(`${path}.`))

/** Returns a name of several fields with the backslash that Lucene syntax wants before its `*`. */
export const escapedPattern = (name: string) =>
	name === '*' ? name : name.replaceAll(/\\.|\*/gs, mark => (mark === '*' ? '\\*' : mark))

/** Returns a sentence for each mark of a language that is not Lucene syntax, and for nested objects, which it lacks. */
export function otherSyntax(given: string, { fields }: Pick<Mapping, 'fields'>): readonly string[] {
	const text = given.slice(0, longestText)
	const bare = withoutQuotes(text)
	const words = [...new Set(Array.from(bare.matchAll(/(?<=^|[\s(])(?:and|or|not)(?=[\s(])/g), ([word]) => word))]
	const names = fieldsOf(text, fields)
	const misread = misreadComparisons(text, fields)
	const rest = withoutMisread(text, fields)
	const compared = misread.find(({ field }) => field === undefined || !isNested(plain(field), fields))
	const slash = straySlash(rest)
	const parted = partedValue(withoutQuotes(rest), fields)
	return [
		...nestedSlips(text, names, fields),
		...namedSlips(text, bare, fields),
		...(names.length > 0 && words.length > 0
			? [
					`Operators are in capital letters: ${words.map(word => word.toUpperCase()).join(', ')}. In small letters they are words to search for.`,
				]
			: []),
		...(names.length > 0 && mixesOperators(bare)
			? ['AND and OR stand side by side. Lucene syntax gives neither the first place: put one of them in parentheses.']
			: []),
		...(compared ? [`Lucene syntax reads this comparison otherwise. Write it as ${compared.meant}.`] : []),
		...(slash === undefined ? [] : [slash]),
		...(parted === undefined ? [] : [parted]),
	]
}

/** Whether AND and OR stand in the same parentheses. The engine then takes neither as people mean it. */
function mixesOperators(bare: string): boolean {
	const seen: Set<string>[] = [new Set()]
	for (const [mark] of bare.matchAll(/[()]|(?<=[\s)])(?:AND|OR)(?=[\s(])/g)) {
		if (mark === '(') seen.push(new Set())
		else if (mark === ')') seen.pop()
		else if (seen.at(-1)?.add(mark).size === 2) return true
	}
	return false
}

function nestedSlips(text: string, names: readonly string[], fields: Mapping['fields']): readonly string[] {
	const bracedNames = Array.from(text.matchAll(braced), found => plain(found[1] ?? ''))
	return [...new Set([...bracedNames, ...names])]
		.filter(path => isNested(path, fields))
		.map(path => {
			const inside = fields.get(path)?.nestedIn.at(-1)
			const what = inside === undefined ? 'is a nested object' : `is in the nested object ${inside}`
			return `${path} ${what}. Lucene syntax finds nothing there. Use a filter.`
		})
}

/** Returns sentences about names that only the other language takes: an object with braces, and one with `*`. */
function namedSlips(text: string, bare: string, fields: Mapping['fields']): readonly string[] {
	const objects = Array.from(text.matchAll(braced), found => plain(found[1] ?? '')).filter(path =>
		isObject(path, fields),
	)
	const pattern = Array.from(bare.matchAll(fieldIn), ([, found = '']) => found).find(
		found => found !== '*' && hasStar(found),
	)
	return [
		...objects
			.slice(0, 1)
			.map(path => `${path} is an object. Lucene syntax has no braces there: name its fields as ${path}.FIELD.`),
		...(pattern === undefined ? [] : [`A * in the name of a field needs a backslash: ${escapedPattern(pattern)}.`]),
	]
}

function isNested(path: string, fields: Mapping['fields']): boolean {
	const field = fields.get(path)
	return field !== undefined && nestedPaths(field).length > 0
}

/** Returns the text without conditions in the braces of an object, in which names have no path. */
function withoutBraced(text: string, fields: Mapping['fields']): string {
	return text.replaceAll(braced, (found, field: string) => {
		if (isNested(plain(field), fields)) return ''
		return isObject(plain(field), fields) ? `${field}:""` : found
	})
}

/** A slash that belongs to no regular expression is an error of syntax, or makes one of a part of the word. */
function straySlash(text: string): string | undefined {
	const bare = text.replaceAll(withSlashes, found => (found.startsWith('\\') ? found : '""'))
	const words = bare.replaceAll(/\s*:\s*/g, ':').split(/[\s()]+/)
	const found = words.find(word => /^(?:\\.|[^\\/])*\//s.test(word))
	if (found === undefined) return undefined
	const [, before = '', value = found] = new RegExp(`^(${name}:)(.*)$`, 'su').exec(found) ?? []
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
