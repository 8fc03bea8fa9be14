import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { isBlank } from '@roundhouse/sql'
import { eachMember } from '../console/each-member.ts'
import { parse, parseBody, type Tree } from '../console/parser.ts'
import { tokensOf } from '../sql/lexer.ts'
import { inQuotes } from '../sql/names.ts'
import { addNames, type NamesUsed, namesUsed, noNames } from './names-used.ts'

/**
 * Names in the body of a function, procedure, trigger or DO block in SQL or PL/pgSQL. `undefined`: the body can do what no
 * rollback undoes, or what cannot be read.
 */
export async function namesInRoutine(definition: string): Promise<NamesUsed | undefined> {
	const parsed = await parse(definition)
	if (!('statements' in parsed)) return undefined
	const all = noNames()
	for (const tree of parsed.statements) {
		// Types and defaults of the arguments, and a body that PostgreSQL has parsed.
		addNames(all, namesUsed(tree))
		const { language, text } = bodyOf(tree)
		if (text === undefined) continue
		const names = language === 'sql' ? await namesInText(text) : await namesInBlock(definition, { language, text })
		if (!names) return undefined
		addNames(all, names)
	}
	return all
}

interface Body {
	readonly language: string
	readonly text: string
}

/** Returns the language of CREATE FUNCTION or DO, and its body if that is a text. */
function bodyOf(tree: Tree): Pick<Body, 'language'> & Partial<Body> {
	const body = tree.CreateFunctionStmt ?? tree.DoStmt
	const options = isJsonObject(body) ? (body.options ?? body.args) : undefined
	let language = 'plpgsql'
	let text: string | undefined
	for (const option of Array.isArray(options) ? options : []) {
		const element = isJsonObject(option) && isJsonObject(option.DefElem) ? option.DefElem : {}
		const [value = ''] = stringsIn(element.arg)
		if (element.defname === 'language') language = value
		if (element.defname === 'as') text = value
	}
	return { language, ...(text !== undefined && { text }) }
}

function stringsIn(json: Json | undefined): readonly string[] {
	if (Array.isArray(json)) return json.flatMap(stringsIn)
	if (!isJsonObject(json)) return []
	if (isJsonObject(json.String) && typeof json.String.sval === 'string') return [json.String.sval]
	return isJsonObject(json.List) ? stringsIn(json.List.items) : []
}

/** Statements that a rollback undoes whole. */
const undone = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'])

/** Returns the names in the statements of a text. */
async function namesInText(text: string): Promise<NamesUsed | undefined> {
	const parsed = await parse(text)
	if (!('statements' in parsed)) return undefined
	const all = noNames()
	for (const tree of parsed.statements) {
		if (!undone.has(Object.keys(tree)[0] ?? '') || /"intoClause"/.test(JSON.stringify(tree))) return undefined
		addNames(all, namesUsed(tree, { hasArguments: true }))
	}
	return all
}

/** Parts of PL/pgSQL whose statement is made when it runs, and those that end the transaction. */
const unreadable = new Set([
	'PLpgSQL_stmt_dynexecute',
	'PLpgSQL_stmt_dynfors',
	'PLpgSQL_stmt_commit',
	'PLpgSQL_stmt_rollback',
	'PLpgSQL_stmt_call',
	'dynquery',
])

async function namesInBlock(definition: string, { language, text }: Body): Promise<NamesUsed | undefined> {
	if (language !== 'plpgsql') return undefined
	const parsed = await parseBody(definition)
	if (!('body' in parsed) || !isJsonObject(parsed.body)) return undefined
	const texts: string[] = []
	const records = new Set<string>()
	let isReadable = true
	eachMember(parsed.body, (key, value) => {
		if (unreadable.has(key)) isReadable = false
		if (key === 'PLpgSQL_rec' && isJsonObject(value)) records.add(String(value.refname))
		if (key === 'PLpgSQL_expr' && isJsonObject(value)) texts.push(statementOf(value))
		if (key === 'PLpgSQL_type' && isJsonObject(value)) texts.push(...typeOf(value))
	})
	if (hasValueAtStart(text, records)) return undefined
	const all = noNames()
	for (const text of isReadable ? texts : []) {
		const names = await namesInText(text)
		if (!names) return undefined
		addNames(all, names)
	}
	return isReadable ? all : undefined
}

/** As RawParseMode of PostgreSQL: 0 is a statement, 2 an expression, 3 and more an assignment to a name of 1 to 3 parts. */
function statementOf({ query, parseMode }: JsonObject): string {
	const text = String(query)
	if (parseMode === 0 || parseMode === undefined) return text
	if (parseMode === 2) return `select ${text}`
	// The target may have subscripts, which are expressions.
	const assigned = /^(\s*[\w$."]+\s*)((?:\[[^[\]]*\]\s*)*):?=(.*)$/s.exec(text)
	if (!assigned) return 'unreadable'
	const [, , subscripts = '', value = ''] = assigned
	return `select ${subscripts === '' ? '' : `(null::text[])${subscripts.trim()}, `}(${value})`
}

/** Types of variables, also those of a column (`%type`) or a table (`%rowtype`), whose checks an assignment runs. */
function typeOf({ typname }: JsonObject): readonly string[] {
	const name = String(typname)
	if (name === 'UNKNOWN') return []
	if (!name.includes('%')) return [`select null::${name}`]
	// The parser gives it without quotes, so a dot may be part of a name.
	const parts = name.slice(0, name.lastIndexOf('%')).trim().split('.')
	if (parts.length > mostParts) return ['unreadable']
	return parts.flatMap((_, from) =>
		parts.slice(from).map((_, more) => `select null::${inQuotes(parts.slice(from, from + more + 1).join('.'))}`),
	)
}

const mostParts = 5

/**
 * Whether a variable among these has a value in its declaration. The parser leaves that out for records, and takes each
 * type that it does not know for one. A name at the start of a statement of PL/pgSQL is declared, or is assigned to.
 */
function hasValueAtStart(text: string, variables: ReadonlySet<string>): boolean {
	const folded = new Set([...variables].map(name => name.toLowerCase()))
	const tokens = tokensOf(text).filter(token => !isBlank(token))
	const wordAt = (at: number) => {
		const { start = 0, end = 0, kind } = tokens[at] ?? {}
		const word = text.slice(start, end).toLowerCase()
		return kind === 'quotedIdentifier' ? word.slice(1, -1).replaceAll('""', '"') : word
	}
	// One that is truncated, or has escapes, is another text here.
	const isOne = (at: number) => {
		const word = wordAt(at)
		return (
			folded.has(word) || Buffer.byteLength(word) > longestName || text.startsWith('&', (tokens[at]?.start ?? 0) + 1)
		)
	}
	return tokens.some((_, at) => {
		const before = at === 0 ? ';' : wordAt(at - 1)
		if (!(before === ';' || before === 'declare') || !isOne(at)) return false
		if (isAssignment(wordAt(at + 1)) || wordAt(at + 1) === '.' || wordAt(at + 1) === '[') return false
		for (let next = at + 1; next < tokens.length && wordAt(next) !== ';'; next++)
			if (isAssignment(wordAt(next)) || wordAt(next) === 'default') return true
		return false
	})
}

/** In bytes. */
const longestName = 63

const isAssignment = (word: string | undefined) => word === ':' || word === '='
