/** A place in a request body: the keys that lead to it, and the word being typed. */
export interface BodyContext {
	readonly keys: readonly string[]
	/** For each enclosing object from outside: the value of its member `type`, if that is before the place. */
	readonly types: readonly (string | undefined)[]
	readonly expects: 'key' | 'value'
	readonly word: string
	/** Whether a quote precedes the word. */
	readonly isQuoted: boolean
	/** Whether the word is a text in three quotes. */
	readonly isLong: boolean
	/** Number of enclosing braces and brackets. */
	readonly depth: number
}

interface Level {
	readonly isObject: boolean
	/** In an object: the key of the current value, and whether its colon has been read. */
	key: string
	hasColon: boolean
	type: string | undefined
}

/**
 * One token of a body: a text in three quotes or one, a comment, a mark, or a word. An open text ends with the input.
 */
const token =
	/"""([\s\S]*?)("""|$)|"((?:[^"\\\n]|\\[^\n])*)("|(?=\n)|\\?$)|(?:#|\/\/)[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[{}[\]:,]|[^\s{}[\]:,"#/]+|\//g

/**
 * Reads a body up to the place of typing. The body may be invalid. Returns `undefined` inside of comments.
 */
export function bodyContextAt(body: string): BodyContext | undefined {
	const levels: Level[] = []
	for (const match of body.matchAll(token)) {
		const [found, longText = '', longEnd, text = '', end] = match
		const isLast = match.index + found.length === body.length
		if (/^(#|\/\/|\/\*)/.test(found)) {
			if (isLast && !found.endsWith('*/')) return undefined
		} else if (longEnd !== undefined) {
			if (longEnd === '') return { ...placeOf(levels, longText, true), isLong: true }
			setKey(levels.at(-1), '')
		} else if (end !== undefined) {
			if (isLast && end !== '"') return placeOf(levels, text, true)
			setKey(levels.at(-1), text)
		} else if (/^[{}[\]:,]$/.test(found)) {
			punctuate(levels, found)
		} else if (isLast) {
			return placeOf(levels, found, false)
		}
	}
	return placeOf(levels, '', false)
}

function punctuate(levels: Level[], mark: string) {
	const level = levels.at(-1)
	if (mark === '{' || mark === '[') levels.push({ isObject: mark === '{', key: '', hasColon: false, type: undefined })
	else if (mark === '}' || mark === ']') levels.pop()
	else if (level !== undefined) level.hasColon = mark === ':'
}

function setKey(level: Level | undefined, text: string) {
	if (level === undefined) return
	if (!level.hasColon) level.key = text
	else if (level.key === 'type') level.type = text
}

function placeOf(levels: readonly Level[], word: string, isQuoted: boolean): BodyContext {
	const last = levels.at(-1)
	const isValue = last === undefined || !last.isObject || last.hasColon
	const keys = levels.filter(level => level.isObject && (level !== last || level.hasColon)).map(level => level.key)
	const types = levels.filter(({ isObject }) => isObject).map(({ type }) => type)
	return { keys, types, expects: isValue ? 'value' : 'key', word, isQuoted, isLong: false, depth: levels.length }
}
