import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { eachMember } from '../console/each-member.ts'
import { parse, parseBody, type Tree } from '../console/parser.ts'
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
		const names = language === 'sql' ? await namesInText(text) : await namesInBlock(definition, language)
		if (!names) return undefined
		addNames(all, names)
	}
	return all
}

/** Returns the language of CREATE FUNCTION or DO, and its body if that is a text. */
function bodyOf(tree: Tree): { readonly language: string; readonly text?: string } {
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
		addNames(all, namesUsed(tree))
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

async function namesInBlock(definition: string, language: string): Promise<NamesUsed | undefined> {
	if (language !== 'plpgsql') return undefined
	const parsed = await parseBody(definition)
	if (!('body' in parsed) || !isJsonObject(parsed.body)) return undefined
	const texts: string[] = []
	let isReadable = true
	eachMember(parsed.body, (key, value) => {
		if (unreadable.has(key)) isReadable = false
		if (key === 'PLpgSQL_expr' && isJsonObject(value)) texts.push(statementOf(value))
		if (key === 'PLpgSQL_type' && isJsonObject(value)) texts.push(...typeOf(value))
	})
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

/** Types of variables. A row type names a table or a column, which its statements name too. */
function typeOf({ typname }: JsonObject): readonly string[] {
	const name = String(typname)
	return name === 'UNKNOWN' || name.includes('%') ? [] : [`select null::${name}`]
}
