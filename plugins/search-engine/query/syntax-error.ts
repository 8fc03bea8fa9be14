import { DriverError } from '@roundhouse/kit'
import type { Mapping } from '../mapping/mapping.ts'
import { quoted } from '../transport/engine-words.ts'
import { expression, name, plain, quotedText } from './lucene-syntax.ts'

/**
 * Errors of syntax that Lucene syntax and Kibana's language share. Texts that the engine may accept have none: it reads
 * what this file does not, and has the last word.
 */

export interface SyntaxFault {
	/** Offset in the text. */
	readonly at: number
	/** What is wrong, as a part of a sentence. */
	readonly what: string
	/** Whether text after the end can complete the query. */
	readonly isIncomplete: boolean
}

/** What has no marks in it: an escaped character, a quoted text, a regular expression or a range. */
const opaque = new RegExp(String.raw`\\.|${quotedText}|${expression}|[[{](?:"[^"]*"|[^\]}"])*[\]}]`, 'gsu')
const afterOperator = String.raw`(?=[\s()]|$)`
const end = String.raw`(?=$|\)|(?:AND|OR|NOT)${afterOperator})`
const nameless = new RegExp(String.raw`:\s*${end}`, 'u')
const compared = new RegExp(String.raw`[<>]=?\s*${end}`, 'giu')
const nameBefore = new RegExp(String.raw`(${name})\s*:?\s*$`, 'u')
const withoutRight = new RegExp(
	String.raw`(?<=^|[\s()])(?:AND|OR|NOT)(?:\s*(?=$|\))|\s+(?=(?:AND|OR)${afterOperator}))`,
)
const withoutLeft = new RegExp(String.raw`(?<=(?:^|\()\s*)(?:AND|OR)${afterOperator}`)
const longestName = 300
const longestNear = 30

/** Returns the first error of syntax that is certain. */
export function syntaxErrorIn(given: string, { fields }: Pick<Mapping, 'fields'>): SyntaxFault | undefined {
	const text = given.trimEnd()
	// Of the same length, so that an offset is one of the text.
	const marks = text.replaceAll(opaque, found => 'x'.repeat(found.length))
	const open = (at: number, mark: string) => ({ at, what: `the ${mark} is not closed`, isIncomplete: true })
	const stray = marks.search(/["/[{]/)
	if (marks[stray] === '"') return open(stray, 'quotation mark')
	// What a slash or an unusual range ends is for the engine to say.
	if (stray >= 0)
		return marks[stray] === '/' || /[\]}]/.test(text.slice(stray))
			? undefined
			: open(stray, marks[stray] === '{' ? 'brace' : 'bracket')
	return parenthesisIn(marks, open) ?? valueMissing(text, marks, fields) ?? operandMissing(marks)
}

function parenthesisIn(marks: string, open: (at: number, mark: string) => SyntaxFault): SyntaxFault | undefined {
	const begun: number[] = []
	for (const { index, 0: mark } of marks.matchAll(/[()]/g)) {
		if (mark === '(') begun.push(index)
		else if (begun.pop() === undefined)
			return { at: index, what: 'the parenthesis closes nothing', isIncomplete: false }
	}
	const last = begun.at(-1)
	return last === undefined ? undefined : open(last, 'parenthesis')
}

function valueMissing(text: string, marks: string, fields: Mapping['fields']): SyntaxFault | undefined {
	const empty = /\(\s*\)/.exec(marks)
	if (empty) return { at: empty.index, what: 'nothing is between the parentheses', isIncomplete: false }
	const error = ({ index, 0: found }: RegExpExecArray) => {
		const field = fieldBefore(text, index)
		const isIncomplete = index + found.length === marks.length
		return { at: index - (field?.length ?? 0), what: 'a value is missing', isIncomplete }
	}
	const colon = nameless.exec(marks)
	if (colon) return error(colon)
	// Without a field before it, a sign is a word to search for.
	const isOfField = ({ index }: RegExpExecArray) => {
		const [, field] = nameBefore.exec(fieldBefore(text, index) ?? '') ?? []
		return field !== undefined && fields.has(plain(field))
	}
	const sign = [...marks.matchAll(compared)].find(isOfField)
	return sign && error(sign)
}

/** Returns the name of a field that ends before an offset, with the blanks and the colon after it. */
function fieldBefore(text: string, at: number): string | undefined {
	return nameBefore.exec(text.slice(Math.max(0, at - longestName), at))?.[0]
}

function operandMissing(marks: string): SyntaxFault | undefined {
	const right = withoutRight.exec(marks)
	if (right) {
		const [found] = right
		const isIncomplete = right.index + found.length === marks.length
		return { at: right.index, what: `${found.trimEnd()} has nothing after it`, isIncomplete }
	}
	const left = withoutLeft.exec(marks)
	return left ? { at: left.index, what: `${left[0]} has nothing before it`, isIncomplete: false } : undefined
}

/** @throws DriverError `invalid_argument` for a text with an error of syntax */
export function refuseSyntaxError(text: string, mapping: Mapping): void {
	const error = syntaxErrorIn(text, mapping)
	if (error) throw new DriverError('invalid_argument', syntaxErrorWords(text, error), { at: error.at })
}

/** Returns the error as a sentence, with its place counted from 1. */
export function syntaxErrorWords(text: string, { at, what }: SyntaxFault): string {
	return `Syntax error at character ${at + 1}, near ${quoted(text.slice(at), longestNear)}: ${what}.`
}
