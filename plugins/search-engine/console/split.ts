import { DriverError, type Statement } from '@roundhouse/kit'

/** Where text stands in a console buffer. */
type Kind = 'plain' | 'string' | 'comment'

/** A stretch of console text: a string in quotes or triple quotes, a comment to the end of its line, or what is neither. */
export interface Stretch {
	readonly kind: Kind
	readonly start: number
	readonly end: number
}

/** None of its parts can fail once it has begun, or a text of quotes and backslashes would be read anew from each of them. */
const stretch = /"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\[^\n])*\\?"?|(?:#|\/\/)[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g

/** Cuts a body into strings, comments and the rest. */
export function* stretchesOf(text: string): Generator<Stretch> {
	let at = 0
	for (const { 0: found, index } of text.matchAll(stretch)) {
		if (index > at) yield { kind: 'plain', start: at, end: index }
		yield { kind: found.startsWith('"') ? 'string' : 'comment', start: index, end: index + found.length }
		at = index + found.length
	}
	if (at < text.length) yield { kind: 'plain', start: at, end: text.length }
}

/** A request begins a line; nothing in JSON looks like it, and within triple quotes it is text. */
const requestLine = /^[ \t]*(?:GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS)[ \t]+\S[^\n]*/gim

/**
 * Splits a console buffer into requests. Lines that begin with `#` or `//` may stand before, between and inside them.
 * @throws DriverError `invalid_argument` naming the line that belongs to no request.
 */
export function splitStatements(text: string): Pick<Statement, 'start' | 'end' | 'text'>[] {
	const starts = requestStarts(text)
	const strayEnd = starts[0] ?? text.length
	const stray = firstContent(text.slice(0, strayEnd))
	if (stray !== undefined) {
		const line = text.slice(0, stray).split('\n').length
		throw new DriverError(
			'invalid_argument',
			`Line ${line}: a request begins with GET, POST, PUT, DELETE or HEAD and a path, for example GET /books/_search.`,
		)
	}
	return starts.map((start, index) => {
		const end = contentEnd(text, start, starts[index + 1] ?? text.length)
		return { start, end, text: text.slice(start, end) }
	})
}

/** Where the requests of a text begin. */
export function requestStarts(text: string): number[] {
	const quoted = [...text.matchAll(/"""[\s\S]*?(?:"""|$)/g)].map(
		match => [match.index, match.index + match[0].length] as const,
	)
	return [...text.matchAll(requestLine)]
		.map(match => match.index + match[0].search(/\S/))
		.filter(start => !quoted.some(([from, to]) => start > from && start < to))
}

/** Where the first thing that is neither space nor comment stands. */
function firstContent(text: string): number | undefined {
	for (const { kind, start, end } of stretchesOf(text)) {
		if (kind === 'comment') continue
		const found = text.slice(start, end).search(/\S/)
		if (found >= 0) return start + found
	}
	return undefined
}

/** The end of a request, without the space and the comments that follow it. */
function contentEnd(text: string, start: number, limit: number): number {
	const lineEnd = text.indexOf('\n', start)
	if (lineEnd < 0 || lineEnd >= limit) return start + text.slice(start, limit).trimEnd().length
	let end = start + text.slice(start, lineEnd).trimEnd().length
	for (const part of stretchesOf(text.slice(lineEnd, limit))) {
		const shown = text.slice(lineEnd + part.start, lineEnd + part.end).trimEnd()
		if (part.kind !== 'comment' && shown !== '') end = lineEnd + part.start + shown.length
	}
	return end
}
