import type { Column, Completions, Table } from '@roundhouse/kit'
import { type Token, tokensOf } from '../sql/lexer.ts'
import { placeOf, quoted } from '../sql/names.ts'
import { isBlank, type Piece, split } from '../sql/split.ts'

/** What may stand at a place of a statement: tables behind FROM, columns of its tables elsewhere. */

/** What the console knows of the database. It reads no more than the tables that the statement names. */
export interface Known {
	tables(): Promise<readonly Table[]>
	columns(table: string): Promise<readonly Column[]>
	functions(): Promise<readonly { readonly name: string; readonly result: string }[]>
}

type Option = Completions['options'][number]

const tableWords = new Set([
	'from',
	'join',
	'into',
	'update',
	'table',
	'only',
	'truncate',
	'references',
	'view',
	'analyze',
	'vacuum',
])
/** Words that may stand behind a table, so they are no alias of it. */
const clauses = new Set(
	'where on using join left right full inner cross natural group order limit offset having union intersect except set values returning as for window fetch default when'.split(
		' ',
	),
)
const keywords =
	'select from where group by order having limit offset join left inner on using as and or not in is null like ilike between exists distinct union all case when then else end insert into values update set delete returning with recursive create table view index alter drop truncate explain analyze begin commit rollback asc desc nulls first last true false cast coalesce over partition filter lateral interval'.split(
		' ',
	)

/** Completes a text at an offset. */
export async function complete(text: string, offset: number, known: Known): Promise<Completions> {
	const open = tokensOf(text.slice(0, offset)).at(-1)
	const here = statementAt(text, offset)
	const before = text.slice(here?.start ?? offset, offset)
	const none = { from: offset, options: [] }
	// Nothing to offer inside a text or a comment.
	if (open?.isUnterminated && open.kind !== 'quotedIdentifier') return none
	if (open?.kind === 'comment' && text[open.start] === '-') return none
	const typed = /(?:"(?:[^"]|"")*|[\p{L}_\u0080-\uffff][\p{L}\p{N}_$\u0080-\uffff]*)?$/u.exec(before)?.[0] ?? ''
	const from = offset - typed.length
	const words = wordsOf(before.slice(0, before.length - typed.length))
	const named = tablesIn(wordsOf(text.slice(here?.start ?? 0, here?.end ?? 0)))
	const path = pathBefore(words)
	const options = path.length > 0 ? await behindDot(path, named, known) : await freely(words, named, known)
	return { from, options }
}

/** Returns the statement at an offset, or the one before it if only blanks are between. */
function statementAt(text: string, offset: number): Piece | undefined {
	const last = split(text).findLast(({ start }) => start <= offset)
	if (!last || offset <= last.end) return last
	return tokensOf(text.slice(last.end, offset)).every(isBlank) ? last : undefined
}

interface Word {
	readonly text: string
	readonly isName: boolean
}

/** Words, names and symbols of a text, with names as the server reads them. */
function wordsOf(text: string): readonly Word[] {
	return tokensOf(text)
		.filter(token => !isBlank(token))
		.map(token => wordOf(text, token))
}

function wordOf(text: string, { kind, start, end }: Token): Word {
	const found = text.slice(start, end)
	if (kind === 'quotedIdentifier') return { text: found.slice(1, -1).replaceAll('""', '"'), isName: true }
	return kind === 'word' ? { text: found.toLowerCase(), isName: true } : { text: found, isName: false }
}

/** Returns the names before a dot at the end: `a.b.` */
function pathBefore(words: readonly Word[]): readonly string[] {
	const path: string[] = []
	for (let at = words.length - 1; at > 0 && words[at]?.text === '.'; at -= 2) path.unshift(words[at - 1]?.text ?? '')
	return path
}

interface Named {
	readonly alias: string
	/** As SQL: schema and name, or name alone. */
	readonly path: readonly string[]
}

/** Returns the tables that a statement names, with their aliases. */
function tablesIn(words: readonly Word[]): readonly Named[] {
	const tables: Named[] = []
	for (let at = 0; at < words.length; at++) {
		const word = words[at]?.text ?? ''
		const isTable = tableWords.has(word) || (word === ',' && tables.length > 0 && isInFrom(words, at))
		if (!isTable || !words[at + 1]?.isName) continue
		const path = [words[at + 1]?.text ?? '']
		for (at += 2; words[at]?.text === '.' && words[at + 1]?.isName; at += 2) path.push(words[at + 1]?.text ?? '')
		if (words[at]?.text === 'as') at++
		const next = words[at]
		const isAlias = next?.isName && !clauses.has(next.text)
		tables.push({ alias: isAlias ? next.text : (path.at(-1) ?? ''), path })
		if (!isAlias) at--
	}
	return tables
}

/** Whether a comma separates tables: the last clause before it is FROM. */
function isInFrom(words: readonly Word[], at: number): boolean {
	const clause = words
		.slice(0, at)
		.findLast(({ text }) => ['from', 'select', 'where', 'order', 'group', 'set', 'on'].includes(text))
	return clause?.text === 'from'
}

async function behindDot(path: readonly string[], named: readonly Named[], known: Known): Promise<readonly Option[]> {
	const [name = ''] = path
	const target = path.length === 1 ? named.find(({ alias }) => alias === name) : undefined
	const columns = target ? await columnsOf(target, known) : []
	const tables = await known.tables()
	const inSchema = path.length === 1 ? tables.filter(table => placeOf(table.name).schema === name) : []
	return [...columns, ...inSchema.map(table => tableOption(table, false))]
}

async function freely(words: readonly Word[], named: readonly Named[], known: Known): Promise<readonly Option[]> {
	const last = words.at(-1)?.text ?? ''
	const tables = await known.tables()
	if (tableWords.has(last) || (last === ',' && isInFrom(words, words.length - 1))) {
		const schemas = [...new Set(tables.map(({ name }) => placeOf(name).schema))]
		return [...tables.map(table => tableOption(table, true)), ...schemas.map(schemaOption)]
	}
	const columns = (await Promise.all(named.map(target => columnsOf(target, known)))).flat()
	const aliases = named.map(
		({ alias, path }) => ({ label: alias, kind: 'table', detail: path.join('.'), insert: quoted(alias) }) as const,
	)
	const words_ = keywords.map(label => ({ label, kind: 'keyword' }) as const)
	if (words.length === 0) return words_
	const functions = (await known.functions()).map(({ name, result }) => {
		return { label: name, kind: 'function', detail: result, insert: `${quoted(name)}(` } as const
	})
	return unique([...columns, ...aliases, ...words_, ...functions])
}

async function columnsOf({ path }: Named, known: Known): Promise<readonly Option[]> {
	const [table = '', schema] = path.toReversed()
	const found = (await known.tables()).filter(({ name }) => {
		const place = placeOf(name)
		return place.table === table && (schema === undefined || place.schema === schema)
	})
	// Without a schema, `public` is on the path of a session.
	const target = found.find(({ name }) => placeOf(name).schema === (schema ?? 'public')) ?? found[0]
	if (!target) return []
	return (await known.columns(target.name)).map(({ name, type, note }) => ({
		...{ label: name, kind: 'column', detail: type, insert: quoted(name) },
		...(note !== undefined && { info: note }),
	}))
}

function tableOption({ name, kind = 'table' }: Table, isQualified: boolean): Option {
	const { schema, table, database } = placeOf(name)
	const isPlain = !isQualified || (schema === 'public' && database === undefined)
	const insert = isPlain ? quoted(table) : `${quoted(schema)}.${quoted(table)}`
	return { label: isPlain ? table : `${schema}.${table}`, kind: 'table', detail: kind, insert }
}

const schemaOption = (name: string): Option => ({
	label: name,
	kind: 'schema',
	detail: 'schema',
	insert: `${quoted(name)}.`,
})

const unique = (options: readonly Option[]) => [
	...new Map(options.map(option => [`${option.kind} ${option.label}`, option])).values(),
]
