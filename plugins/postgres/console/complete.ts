import type { Column, Completions, Table } from '@roundhouse/kit'
import { isBlank, type Piece } from '@roundhouse/sql'
import { tokensOf } from '../sql/lexer.ts'
import { inQuotes, literal, placeOf, qualified, quoted } from '../sql/names.ts'
import { split } from '../sql/split.ts'
import { joinConditions, type Reference } from './join-conditions.ts'
import { keywordsAfter } from './keywords.ts'
import { isInFrom, queryAtEnd, type RowSource, sourcesIn, tableWords, type Word, wordsOf } from './row-sources.ts'

/** What may stand at a place of a statement: tables behind FROM, columns of its tables elsewhere. */

/** What the console knows of the database. It reads no more than the tables that the statement names. */
export interface Known {
	tables(): Promise<readonly Table[]>
	columns(table: string): Promise<readonly Column[]>
	functions(): Promise<readonly KnownFunction[]>
	/** Tables and views of `pg_catalog` and `information_schema`. */
	systemTables(): Promise<readonly Table[]>
	references(): Promise<readonly Reference[]>
}

export interface KnownFunction {
	readonly name: string
	/** Type of its result. */
	readonly result: string
	/** Its schema, if that is not on the search path. */
	readonly schema?: string
}

type Option = Completions['options'][number]

const systemSchemas = ['pg_catalog', 'information_schema']

/** Completes a text at an offset. */
export async function complete(text: string, offset: number, known: Known): Promise<Completions> {
	const open = tokensOf(text.slice(0, offset)).at(-1)
	const isString = open?.isUnterminated && open.kind === 'string' && text[open.start] === "'"
	const isName = open?.isUnterminated && open.kind === 'quotedIdentifier'
	const none = { from: offset, options: [] }
	// Nothing to offer inside another text or a comment.
	if (open?.isUnterminated && !isString && !isName) return none
	if (open?.kind === 'comment' && text[open.start] === '-') return none
	if (open?.kind === 'word' && open.end === offset && /[\d.]/.test(text[open.start] ?? '')) return none
	const here = statementAt(text, offset)
	const start = here?.start ?? offset
	const sources = sourcesIn(wordsOf(text.slice(here?.start ?? 0, here?.end ?? 0)))
	const word = /(?:[\p{L}_\u0080-\uffff][\p{L}\p{N}_$\u0080-\uffff]*)?$/u
	const from = open?.isUnterminated ? open.start : offset - (word.exec(text.slice(start, offset))?.[0] ?? '').length
	const words = wordsOf(text.slice(start, from))
	const path = pathBefore(words)
	const found = isString
		? await choices(words, sources.named, known)
		: path.length > 0
			? [
					...(await conditionsBehind(path, words, known)),
					...(await behindDot(path, [...sources.named, ...sources.queries], known)),
				]
			: await freely(words, { ...sources, typed: text.slice(from, offset) }, known)
	const options = fewEnough(isName ? namesInQuotes(found) : found, text.slice(from, offset))
	// The editor may have closed the quote behind the cursor.
	const isClosed = (isString || isName) && text[offset] === text[from]
	return { from, options: isClosed ? options.map(option => ({ ...option, replacesAfter: 1 })) : options }
}

/** The host refuses a longer list. */
const mostOptions = 1_000

function fewEnough(options: readonly Option[], typed: string): readonly Option[] {
	if (options.length <= mostOptions) return options
	const word = typed.toLowerCase()
	return options.filter(({ label }) => label.toLowerCase().includes(word)).slice(0, mostOptions)
}

/** Names as they are typed in quotes, so that the list still matches behind the opening one. */
function namesInQuotes(options: readonly Option[]): readonly Option[] {
	return options
		.filter(({ kind }) => kind === 'column' || kind === 'table' || kind === 'schema')
		.map(option => {
			const { label, insert = label } = option
			const name = insert.startsWith('"') ? insert : inQuotes(label)
			return { ...option, label: name, insert: name }
		})
}

/** Returns the statement at an offset, or the one before it if only blanks are between. */
function statementAt(text: string, offset: number): Piece | undefined {
	const last = split(text).findLast(({ start }) => start <= offset)
	if (!last || offset <= last.end) return last
	return tokensOf(text.slice(last.end, offset)).every(isBlank) ? last : undefined
}

/** Returns the names before a dot at the end: `a.b.` */
function pathBefore(words: readonly Word[]): readonly string[] {
	const path: string[] = []
	for (let at = words.length - 1; at > 0 && words[at]?.text === '.'; at -= 2) path.unshift(words[at - 1]?.text ?? '')
	return path
}

/** Returns the rest of the conditions of a join that begin with a name: `on c.` */
async function conditionsBehind(
	[name = '', ...more]: readonly string[],
	words: readonly Word[],
	known: Known,
): Promise<readonly Option[]> {
	if (more.length > 0 || words.at(-3)?.text !== 'on') return []
	const before = `${quoted(name)}.`
	const found = joinConditions(sourcesIn(queryAtEnd(words.slice(0, -2))).named, await known.references(), name)
	return found.map(option => ({ ...option, label: option.label.slice(before.length) }))
}

async function behindDot(
	path: readonly string[],
	named: readonly RowSource[],
	known: Known,
): Promise<readonly Option[]> {
	const [name = ''] = path
	if (path.length > 1) return []
	const target = named.find(({ alias }) => alias === name)
	const columns = target ? await columnsOf(target, known) : []
	const tables = (await tablesFor({ schema: name }, known)).filter(table => placeOf(table.name).schema === name)
	const functions = columns.length > 0 ? [] : (await known.functions()).filter(({ schema }) => schema === name)
	return [
		...columns,
		...tables.map(table => tableOption(table, false)),
		...functions.map(found => functionOption(found, false)),
	]
}

async function freely(
	words: readonly Word[],
	{ named, queries, typed }: ReturnType<typeof sourcesIn> & { readonly typed: string },
	known: Known,
): Promise<readonly Option[]> {
	const last = words.at(-1)?.text ?? ''
	/** The sources of the query at the cursor that are named before it. */
	const before = () => sourcesIn(queryAtEnd(words)).named
	const plain = keywordsAfter(words).map(label => ({ label, kind: 'keyword' }) as const)
	if (words.length === 0) return plain
	if (tableWords.has(last) || (last === ',' && isInFrom(words, words.length - 1))) {
		const tables = await known.tables()
		const schemas = [...new Set(tables.map(({ name }) => placeOf(name).schema)), ...systemSchemas]
		const own = queries.map(({ alias }) => sourceOption(alias, 'with'))
		// pg_catalog is on every search path. Its many tables are in the way of others.
		const system = typed.startsWith('pg_') ? await known.systemTables() : []
		const ofCatalog = system.filter(({ name }) => placeOf(name).schema === 'pg_catalog')
		const joined = last === 'join' ? joinedTables(tables, before(), await known.references()) : []
		const found = [
			...joined,
			...tables.map(table => tableOption(table, true)),
			...ofCatalog.map(table => tableOption(table, false)),
		]
		return unique([...own, ...found, ...schemas.map(schemaOption)])
	}
	const values = await choices(words, named, known)
	const columns = (await Promise.all(named.map(target => columnsOf(target, known)))).flat()
	const aliases = named.map(({ alias, path }) => sourceOption(alias, path.join('.') || 'query'))
	const functions = (await known.functions()).map(found => functionOption(found, true))
	const canJoin = last === 'on' || plain.some(({ label }) => label === 'on')
	const joins = canJoin ? joinConditions(before(), await known.references()) : []
	const conditions = last === 'on' ? joins : joins.map(join => ({ ...join, label: `on ${join.label}` }))
	// With the word alone, a list would close as soon as it is typed.
	const keywords = conditions.length === 0 ? plain : plain.filter(({ label }) => label !== 'on')
	return unique([...conditions, ...values, ...columns, ...aliases, ...keywords, ...functions])
}

/** Returns the tables that a foreign key joins to those before, each also with its condition. */
function joinedTables(
	tables: readonly Table[],
	before: readonly RowSource[],
	references: readonly Reference[],
): readonly Option[] {
	return tables.flatMap(table => {
		const { schema, table: alias } = placeOf(table.name)
		const conditions = joinConditions([...before, { alias, path: [schema, alias] }], references)
		if (conditions.length === 0) return []
		const option = tableOption(table, true)
		const { label, insert = label } = option
		const whole = conditions.map(({ label: condition }) => ({
			...option,
			label: `${label} on ${condition}`,
			detail: 'foreign key',
			insert: `${insert} on ${condition}`,
		}))
		return [option, ...whole]
	})
}

async function columnsOf(source: RowSource, known: Known): Promise<readonly Option[]> {
	if (source.query) {
		const { names, all } = source.query
		const own = names.map(label => ({ label, kind: 'column', detail: source.alias, insert: quoted(label) }) as const)
		return [...own, ...(await Promise.all(all.map(one => columnsOf(one, known)))).flat()]
	}
	return (await columnsOfTable(source, known)).map(({ name, type, note }) => ({
		label: name,
		kind: 'column',
		detail: type,
		insert: quoted(name),
		...(note !== undefined && { info: note }),
	}))
}

/** Returns the tables among which a name is found, with the catalogs only if it may be of them. */
async function tablesFor(
	{ schema, table = '' }: { readonly schema: string | undefined; readonly table?: string },
	known: Known,
): Promise<readonly Table[]> {
	const isSystem = schema === undefined ? table.startsWith('pg_') : systemSchemas.includes(schema)
	return isSystem ? [...(await known.tables()), ...(await known.systemTables())] : known.tables()
}

async function columnsOfTable({ path }: RowSource, known: Known): Promise<readonly Column[]> {
	const [table = '', schema] = path.toReversed()
	const found = (await tablesFor({ schema, table }, known)).filter(({ name }) => {
		const place = placeOf(name)
		return place.table === table && (schema === undefined || place.schema === schema)
	})
	// Without a schema, `public` is on the path of a session.
	const target = found.find(({ name }) => placeOf(name).schema === (schema ?? 'public')) ?? found[0]
	return target ? known.columns(target.name) : []
}

/** Returns the values of an enumeration that is compared at the end of these words: `status = `, `status in ('new', `. */
async function choices(words: readonly Word[], named: readonly RowSource[], known: Known): Promise<readonly Option[]> {
	const at = comparedAt(words)
	const name = words[at]
	if (!name?.isName) return []
	const of = words[at - 1]?.text === '.' ? words[at - 2]?.text : undefined
	const sources = named.filter(({ alias }) => of === undefined || alias === of)
	const columns = (await Promise.all(sources.map(source => columnsOfTable(source, known)))).flat()
	const found = columns.find(column => column.name === name.text && column.choices)
	return (found?.choices ?? []).map(value => ({
		label: literal(value),
		kind: 'keyword',
		detail: found?.type ?? '',
	}))
}

/** Returns the index of the last word of the compared column, or -1. */
function comparedAt(words: readonly Word[]): number {
	const last = words.at(-1)?.text ?? ''
	if (['=', '<>', '!='].includes(last)) return words.length - 2
	let open = words.length - 1
	while (open > 0 && (words[open]?.text === ',' || words[open]?.text.startsWith("'"))) open--
	if (words[open]?.text !== '(' || words[open - 1]?.text !== 'in') return -1
	return words[open - 2]?.text === 'not' ? open - 3 : open - 2
}

const sourceOption = (label: string, detail: string) =>
	({ label, kind: 'table', detail, insert: quoted(label) }) as const

function functionOption({ name, result, schema }: KnownFunction, isQualified: boolean): Option {
	const isPlain = schema === undefined || !isQualified
	return {
		label: isPlain ? name : `${schema}.${name}`,
		kind: 'function',
		detail: result,
		insert: `${isPlain ? quoted(name) : `${quoted(schema)}.${quoted(name)}`}(`,
	}
}

function tableOption({ name, kind = 'table' }: Table, isQualified: boolean): Option {
	const { schema, table, database } = placeOf(name)
	const isPlain = !isQualified || (schema === 'public' && database === undefined)
	const insert = isPlain ? quoted(table) : qualified({ schema, table })
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
