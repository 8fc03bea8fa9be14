import { isBlank, type Token } from '@roundhouse/sql'
import { tokensOf } from '../sql/lexer.ts'

/** The sources of rows that a statement names: tables, queries of WITH and queries in brackets. Works on unfinished text. */

/** A word, name or symbol. */
export interface Word {
	readonly text: string
	readonly isName: boolean
}

/** A table by its path, or a query by its columns. */
export interface RowSource {
	readonly alias: string
	/** As SQL: schema and name, or name alone. Empty for a query in brackets. */
	readonly path: readonly string[]
	readonly query?: QueryColumns
}

/** What a query returns, as far as its text says. */
interface QueryColumns {
	readonly names: readonly string[]
	/** Sources whose columns `*` stands for. */
	readonly all: readonly RowSource[]
}

/** Words behind which a table is named. */
export const tableWords = new Set('from join into update table only truncate references view analyze vacuum'.split(' '))
/** Words that may stand behind a table, so they are no alias of it. */
const clauses = new Set(
	'where on using join left right full inner cross natural group order limit offset having union intersect except set values returning as for window fetch default when'.split(
		' ',
	),
)
const ends = new Set(['from', 'union', 'intersect', 'except', 'where', 'order', 'limit'])

/** Words, names and symbols of a text, with names as the server reads them. */
export function wordsOf(text: string): readonly Word[] {
	return tokensOf(text)
		.filter(token => !isBlank(token))
		.map(token => wordOf(text, token))
}

function wordOf(text: string, { kind, start, end }: Token): Word {
	const found = text.slice(start, end)
	if (kind === 'quotedIdentifier') return { text: found.slice(1, -1).replaceAll('""', '"'), isName: true }
	return kind === 'word' ? { text: found.toLowerCase(), isName: true } : { text: found, isName: false }
}

/** Deeper queries in brackets, and those of longer texts, have no columns: each letter reads the text again. */
const deepest = 10
const longestWords = 5_000

/** Returns the sources behind FROM and the like, also in brackets, and the queries of WITH by their names. */
export function sourcesIn(words: readonly Word[]) {
	return sourcesOf(words, words.length > longestWords ? deepest : 0, true)
}

/** @param goesInside whether sources of queries in brackets count too */
function sourcesOf(words: readonly Word[], depth: number, goesInside: boolean) {
	const queries = queriesOfWith(words, depth)
	const named: RowSource[] = []
	for (let at = 0; at < words.length; at++) {
		const word = words[at]?.text ?? ''
		// Behind a join, USING has columns in brackets.
		const isUsing = word === 'using' && words[at + 1]?.isName === true
		const isBehind = isUsing || tableWords.has(word) || (word === ',' && named.length > 0 && isInFrom(words, at))
		if (!isBehind) continue
		const start = words[at + 1]?.text === 'lateral' ? at + 2 : at + 1
		const isQuery = words[start]?.text === '('
		if (isQuery && depth >= deepest) continue
		const source = isQuery ? bracketsAt(words, start, depth) : tableAt(words, start, queries)
		if (!source) continue
		named.push(source.found)
		if (!isQuery || !goesInside) at = source.end
	}
	return { named, queries }
}

/**
 * Returns the words of the query at the end, without those of the queries around it and of closed brackets: their tables
 * cannot be joined there.
 */
export function queryAtEnd(words: readonly Word[]): readonly Word[] {
	const open: { readonly at: number; readonly isQuery: boolean }[] = []
	const closed = new Set<number>()
	for (const [at, { text }] of words.entries()) {
		if (text === '(') open.push({ at, isQuery: /^(?:select|with)$/.test(words[at + 1]?.text ?? '') })
		const from = text === ')' ? open.pop()?.at : undefined
		if (from !== undefined) for (let inside = from + 1; inside < at; inside++) closed.add(inside)
	}
	const start = open.findLast(({ isQuery }) => isQuery)?.at ?? -1
	return words.filter((_, at) => at > start && !closed.has(at))
}

interface FoundSource {
	readonly found: RowSource
	/** Index of its last word. */
	readonly end: number
}

function tableAt(words: readonly Word[], start: number, queries: readonly RowSource[]): FoundSource | undefined {
	if (!words[start]?.isName) return undefined
	const path = [words[start].text]
	let at = start
	for (; words[at + 1]?.text === '.' && words[at + 2]?.isName; at += 2) path.push(words[at + 2]?.text ?? '')
	const query = path.length === 1 ? queries.find(({ alias }) => alias === path[0])?.query : undefined
	const { alias, end } = aliasAt(words, at + 1)
	return { found: { alias: alias ?? path.at(-1) ?? '', path, ...(query && { query }) }, end }
}

function bracketsAt(words: readonly Word[], start: number, depth: number): FoundSource | undefined {
	const close = closeOf(words, start)
	const { alias, end } = aliasAt(words, close + 1)
	if (alias === undefined) return undefined
	return { found: { alias, path: [], query: columnsOf(words.slice(start + 1, close), depth + 1) }, end }
}

function aliasAt(words: readonly Word[], at: number): { readonly alias?: string; readonly end: number } {
	const first = words[at]?.text === 'as' ? at + 1 : at
	const alias = words[first]
	return alias?.isName && !clauses.has(alias.text) ? { alias: alias.text, end: first } : { end: at - 1 }
}

/** `with a as (…), b (x, y) as (…)`. */
function queriesOfWith(words: readonly Word[], depth: number): readonly RowSource[] {
	const found: RowSource[] = []
	if (words[0]?.text !== 'with' || depth >= deepest) return found
	for (let at = words[1]?.text === 'recursive' ? 2 : 1; words[at]?.isName; at++) {
		const alias = words[at]?.text ?? ''
		const listed = words[at + 1]?.text === '(' ? closeOf(words, at + 1) : at
		const names = words.slice(at + 1, listed).filter(({ isName }) => isName)
		at = listed + 1
		if (words[at]?.text !== 'as') return found
		while (at < words.length && words[at]?.text !== '(') at++
		const close = closeOf(words, at)
		const columns = columnsOf(words.slice(at + 1, close), depth + 1, found)
		const query = names.length > 0 ? { names: names.map(({ text }) => text), all: [] } : columns
		found.push({ alias, path: [alias], query })
		at = close + 1
		if (words[at]?.text !== ',') return found
	}
	return found
}

/** Returns the index of the bracket that closes one, or the end of the text. */
function closeOf(words: readonly Word[], open: number): number {
	let depth = 0
	for (let at = open; at < words.length; at++) {
		if (words[at]?.text === '(') depth++
		if (words[at]?.text === ')' && --depth === 0) return at
	}
	return words.length
}

function columnsOf(words: readonly Word[], depth: number, queries: readonly RowSource[] = []): QueryColumns {
	const select = words.findIndex(({ text }) => text === 'select')
	const items = select < 0 ? [] : itemsOf(words.slice(select + 1))
	const { named } = sourcesOf(words, depth, false)
	// A query of WITH may read those before it.
	const sources = named.map(source => queries.find(({ alias }) => alias === source.path.join('.')) ?? source)
	const names: string[] = []
	const all: RowSource[] = []
	for (const item of items) {
		if (item.at(-1)?.text === '*') {
			const of = item.at(-2)?.text === '.' ? item.at(-3)?.text : undefined
			all.push(...sources.filter((_, index) => of === undefined || named[index]?.alias === of))
			continue
		}
		const name = nameOf(item)
		if (name !== undefined) names.push(name)
	}
	return { names, all }
}

/** The elements of a list of SELECT. */
function itemsOf(words: readonly Word[]): readonly (readonly Word[])[] {
	const items: Word[][] = [[]]
	let depth = 0
	for (const word of words) {
		if (word.text === '(') depth++
		if (word.text === ')') depth--
		if (depth === 0 && ends.has(word.text)) break
		if (depth === 0 && word.text === ',') items.push([])
		else items.at(-1)?.push(word)
	}
	return items
}

/** The server names a column by its alias, its column or its function. */
function nameOf(item: readonly Word[]): string | undefined {
	const last = item.at(-1)
	if (last?.isName) return last.text
	return last?.text === ')' && item[1]?.text === '(' && item[0]?.isName ? item[0].text : undefined
}

/** Whether a comma separates tables: the last clause before it is FROM. */
export function isInFrom(words: readonly Word[], at: number): boolean {
	const clause = words
		.slice(0, at)
		.findLast(({ text }) => ['from', 'using', 'select', 'where', 'order', 'group', 'set', 'on'].includes(text))
	return clause?.text === 'from' || clause?.text === 'using'
}
