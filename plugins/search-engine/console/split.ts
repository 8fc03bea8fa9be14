import type { Statement } from '@roundhouse/kit'
import { tokensOf } from './scan.ts'

/**
 * Splits a console buffer into requests. Comments may occur before, between and inside requests: `#` and `//` to the
 * end of the line, and text between slash-star and star-slash. Each stretch of other text is a statement too, so that
 * its fault can be shown while the others run. A line that begins with a source command of ES|QL begins a query.
 */
export function splitStatements(text: string): Pick<Statement, 'start' | 'end' | 'text'>[] {
	return partsOf(text).map(({ start, end }) => ({ start, end, text: text.slice(start, end) }))
}

/** A request, or a stretch of text outside of requests. */
export interface Part {
	readonly start: number
	/** Excludes trailing white space and comments. */
	readonly end: number
	/** End of its first line, where its body begins, or `undefined` for text that is no such request. */
	readonly lineEnd: number | undefined
	/** Whether it is a query of ES|QL. */
	readonly isQuery: boolean
}

/** Returns the parts of a text, in order. */
export function partsOf(text: string): Part[] {
	const parts: { start: number; end: number; lineEnd: number | undefined; isQuery: boolean }[] = []
	let [depth, hasValue] = [0, false]
	for (const { kind, start, end, isFirst } of tokensOf(text)) {
		if (kind === 'comment') continue
		const last = parts.at(-1)
		const isRequest = kind === 'request'
		const isQuery =
			kind === 'query' && (last === undefined || last.isQuery || hasValue || isApart(text, last.end, start))
		const isOther = isFirst && hasValue && isStray(text.slice(start, end))
		if (isRequest || isQuery || isOther || last === undefined || last.isQuery) {
			parts.push({ start, end, lineEnd: isRequest ? end : undefined, isQuery })
			;[depth, hasValue] = [0, false]
			continue
		}
		last.end = end
		if (kind !== 'bracket') continue
		depth += text[start] === '{' || text[start] === '[' ? 1 : -1
		hasValue = depth <= 0 && last.lineEnd !== undefined
	}
	return parts
}

/**
 * Returns whether an empty line is between two places. Without one, the line of a query is part of what precedes it: of
 * a statement in SQL, or of the body of a request, which without a body could change all documents.
 */
function isApart(text: string, end: number, start: number): boolean {
	return /\n[^\S\n]*\n/.test(text.slice(end, start))
}

/**
 * Returns whether a line after a complete value cannot belong to the body. Directly after the line of a request it
 * counts as the body, because `_update_by_query` without a body would change all documents.
 */
function isStray(word: string): boolean {
	return /^[\p{L}_/<]/u.test(word) && !/^(?:true|false|null)\b/.test(word)
}
