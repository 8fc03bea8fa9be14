import type { Statement } from '@roundhouse/kit'
import { piecesOf } from './scan.ts'

/**
 * Splits a console buffer into requests. Comments may stand before, between and inside them: `#` and `//` to the end of
 * the line, and what is between slash-star and star-slash. What belongs to no request is a statement too, one for each
 * stretch of it, so that it can be shown with its fault while the others run.
 */
export function splitStatements(text: string): Pick<Statement, 'start' | 'end' | 'text'>[] {
	return partsOf(text).map(({ start, end }) => ({ start, end, text: text.slice(start, end) }))
}

/** A request, or a stretch of text that belongs to none. */
export interface Part {
	readonly start: number
	/** Without the space and the comments that follow it. */
	readonly end: number
	/** Where its first line ends, and its body begins; `undefined` for what is no request. */
	readonly lineEnd: number | undefined
}

/** The parts of a text, in their order. */
export function partsOf(text: string): Part[] {
	const parts: { start: number; end: number; lineEnd: number | undefined }[] = []
	let [depth, hasValue] = [0, false]
	for (const { kind, start, end, isFirst } of piecesOf(text)) {
		if (kind === 'comment') continue
		const last = parts.at(-1)
		const isRequest = kind === 'request'
		if (isRequest || last === undefined || (isFirst && hasValue && isStray(text.slice(start, end)))) {
			parts.push({ start, end, lineEnd: isRequest ? end : undefined })
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
 * What can be no part of a body, at the beginning of a line behind a whole value. Right behind the line of a request it
 * belongs to that: without its body, `_update_by_query` would go to all documents.
 */
function isStray(word: string): boolean {
	return /^[\p{L}_/<]/u.test(word) && !/^(?:true|false|null)\b/.test(word)
}
