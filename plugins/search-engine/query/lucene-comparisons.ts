import type { Mapping } from '../mapping/mapping.ts'
import { name, nextWord, opaque, plain, quotedText, typedText } from './lucene-syntax.ts'

/**
 * Comparisons such as `status >= 500`. Lucene syntax knows `status:>=500`, where the value is one word directly after
 * the sign. It reads `status:>="500"` and `status:>= 500` as a comparison with nothing, and searches for the value in
 * all fields.
 */

/** A comparison that Lucene syntax reads with another meaning. */
export interface MisreadComparison {
	/** Where it is in the query, from the field if it has one. */
	readonly start: number
	readonly end: number
	/** The field as it is typed, if the comparison is not one of several in parentheses after a field. */
	readonly field: string | undefined
	/** Whether the field is followed by the sign without a colon, as in other languages. */
	readonly lacksColon: boolean
	/** What it means, in Lucene syntax. */
	readonly meant: string
}

const sign = String.raw`(?<sign>[<>]=?)(?<blank>\s*)(?<value>${quotedText}|(?:\\.|[^\s()"\\])+)`
const ofField = String.raw`(?<=^|[\s(!+-])(?!(?:and|or|not)\s)(?<field>${name})\s*(?<colon>:?)\s*${sign}`
const inParentheses = String.raw`(?<=:\s*\([^()]*)${sign.replaceAll('?<', '?<group_')}`
const pieces = new RegExp(`${ofField}|${inParentheses}|${opaque}`, 'gisu')

/** Returns the comparisons with another meaning. Without a colon, only the name of a field begins a comparison. */
export function misreadComparisons(text: string, fields: Mapping['fields']): readonly MisreadComparison[] {
	return [...text.matchAll(pieces)].flatMap(({ index, 0: piece, groups = {} }) => {
		const typed = groups.value ?? groups.group_value
		if (typed === undefined) return []
		const { field, sign = groups.group_sign ?? '' } = groups
		const lacksColon = field !== undefined && groups.colon === ''
		if (lacksColon && !fields.has(plain(field))) return []
		const isWord = /^(?:\\.|[^"\\:/])+$/su.test(typed)
		const isRead = isWord && (groups.blank ?? groups.group_blank) === ''
		if (isRead && !lacksColon) return []
		const condition = isWord ? `${sign}${typed}` : comparedWith(sign, typedText(typed))
		const meant = field === undefined ? condition : `${field}:${condition}`
		return [{ start: index, end: index + piece.length, field, lacksColon, meant }]
	})
}

/** Returns the query with each comparison as it was meant; `undefined` if it is not clear where a value ends. */
export function withComparisons(text: string, fields: Mapping['fields']): string | undefined {
	let [fixed, at] = ['', 0]
	for (const { start, end, lacksColon, meant } of misreadComparisons(text, fields)) {
		if (lacksColon && followingWord.test(text.slice(end))) return undefined
		fixed += text.slice(at, start) + meant
		at = end
	}
	return fixed + text.slice(at)
}

const followingWord = new RegExp(String.raw`^\s+${nextWord}`, 'iu')

/** Returns the text without the values of comparisons that have another meaning. */
export function withoutMisread(text: string, fields: Mapping['fields']): string {
	return misreadComparisons(text, fields).reduceRight(
		(rest, { start, end, field }) =>
			`${rest.slice(0, start)}${field === undefined ? '' : `${field}:`}""${rest.slice(end)}`,
		text,
	)
}

/** Returns the condition on a field, without the field: a range, in which a value can have blanks and colons. */
export function comparedWith(sign: string, value: string): string {
	// A range ends a quoted text at the wrong quote after a backslash, and has no end at "*".
	if (/["\\*]/.test(value)) return sign + value.replaceAll(/[\s"\\*?:/+\-!(){}[\]^~&|]/g, '\\$&')
	switch (sign) {
		case '>=':
			return `["${value}" TO *]`
		case '>':
			return `{"${value}" TO *]`
		case '<=':
			return `[* TO "${value}"]`
		default:
			return `[* TO "${value}"}`
	}
}
