import { randomBytes } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { isBlank } from '@roundhouse/sql'
import { eachMember } from '../console/each-member.ts'
import { parse, type Tree } from '../console/parser.ts'
import { isSystemUser, type NamesUsed, namesUsed } from '../judge/names-used.ts'
import { tokensOf } from '../sql/lexer.ts'
import { inQuotes, quoted } from '../sql/names.ts'
import { type Change, changeIn, whyNotChanged } from './changes.ts'
import { type Closure, isSystemKnown, keyOf } from './closure.ts'
import type { Relation } from './relation.ts'
import { type Tokens, whyNoToken } from './tokens.ts'

/**
 * Takes hidden columns out of a statement: each relation with hidden columns becomes a subselect of its other columns. So
 * the column does not exist in what the server resolves, whatever stars, rows, joins and aliases the text has. What could
 * read around the text is refused by name, and the changed text is parsed again as proof. Rejected: finding hidden columns
 * in the result or in the text, because conditions, the order of rows and errors show values too.
 */

export interface Projection {
	/** The statement without hidden columns. */
	readonly sql: string
	readonly tree: Tree
	/** The columns that were left out, for example `customers.email`. */
	readonly withheld: readonly string[]
	/** The columns that have tokens. */
	readonly tokens: readonly string[]
	/** Whether it reads or changes a relation with hidden columns. */
	readonly touches: boolean
	/** Whether it changes rows. */
	readonly isChange: boolean
	/** Statements that set what its transaction needs. */
	readonly settings: readonly string[]
}

type Projected = Projection | { readonly refused: string }

interface Asked {
	readonly sql: string
	readonly tree: Tree
	readonly closure: Closure
	/** Schemas in which the server looks for a name, in order. */
	readonly path: readonly string[]
}

/** The check takes longer than the text grows. */
const longest = 65_536

/** An index with a hidden column would give rows in its order. A bitmap scan of it does not. */
const heapOrder = [
	'set local enable_seqscan to on',
	'set local enable_indexscan to off',
	'set local enable_indexonlyscan to off',
]

class Refusal extends Error {}

const refuse = (reason: string): never => {
	throw new Refusal(reason)
}

/** Returns the statement without hidden columns, or why it cannot run without them. */
export async function project(asked: Asked): Promise<Projected> {
	try {
		return await projected(asked)
	} catch (error) {
		if (error instanceof Refusal) return { refused: error.message }
		throw error
	}
}

async function projected({ sql, tree, closure, path }: Asked): Promise<Projection> {
	if (closure.refused !== undefined) refuse(closure.refused)
	if (sql.length > longest) refuse('The statement is too long to be read without the hidden columns.')
	const [kind = ''] = Object.keys(tree)
	if (kind === 'VariableShowStmt')
		return { sql, tree, withheld: [], tokens: [], touches: false, isChange: false, settings: [] }
	const query = kind === 'ExplainStmt' && isJsonObject(tree.ExplainStmt) ? tree.ExplainStmt.query : tree
	const change = changeIn(tree)
	if (!change && (!isJsonObject(query) || Object.keys(query)[0] !== 'SelectStmt'))
		refuse(
			'This connection hides columns, so AI clients run SELECT, VALUES, SHOW, EXPLAIN of these, INSERT, UPDATE and DELETE only.',
		)
	const found = partsOf(tree, change)
	if (found.odd !== undefined) refuse(`${found.odd} is refused while columns are hidden.`)
	const names = namesUsed(tree)
	requireKnown(names, closure)
	// What a change writes would outlive the key.
	const key = change ? undefined : randomBytes(24).toString('hex')
	const edits: Edit[] = []
	const templates: Relation[] = []
	const views: Relation[] = []
	const offsets = offsetsIn(sql)
	let target: Relation | undefined
	for (const range of found.ranges) {
		const isTarget = range.node === change?.target
		// A WITH query is no table that a statement changes.
		const queries = isTarget ? noQueries : found.queries
		const relation = relationOf(range, { closure, path, queries })
		if (!relation) continue
		const place = placeIn(sql, offsets(range.location))
		const full = `${inQuotes(relation.schema)}.${inQuotes(relation.name)}`
		if (isTarget) {
			target = relation
			requireChangeable(change, relation)
		}
		if (relation.readsBeside) views.push(relation)
		if (isTarget || relation.hidden.size === 0) {
			edits.push({ ...place, text: full })
			continue
		}
		templates.push(relation)
		const alias = range.alias === undefined ? ` as ${inQuotes(range.name)}` : ''
		edits.push({ ...place, text: `(${templateOf(relation, key)})${alias}` })
	}
	if (change && !target) refuse('The table that it changes was not found.')
	requirePlain(found, templates, key)
	if (key !== undefined) requireTokensOnly(tree, tokenNames(templates, found.ranges))
	if (change && found.hasStar && templates.some(({ isSystem }) => !isSystem))
		refuse('Name the columns: a star leaves out the hidden ones.')
	const changed = edits
		.toSorted((one, other) => other.start - one.start)
		.reduce((text, { start, end, text: to }) => `${text.slice(0, start)}${to}${text.slice(end)}`, sql)
	const parsed = await parse(changed)
	const [sent, ...others] = 'statements' in parsed ? parsed.statements : []
	if (!sent || others.length > 0)
		return refuse(
			'It cannot be read without the hidden columns. Write the tables as a plain list, without ONLY or TABLE.',
		)
	await prove(sent, { closure, templates, target, key, queries: found.queries })
	const marked = templates.filter(({ isSystem }) => !isSystem)
	const reads = target && target.hidden.size > 0 ? [...marked, target] : marked
	const touches = reads.length > 0 || views.length > 0
	if (touches && kind === 'ExplainStmt') refuse('The plan of a table with hidden columns could show their values.')
	return {
		sql: changed,
		tree: sent,
		withheld: [...new Set(marked.flatMap(one => namesOf(one, withheldOf(one, key))))],
		tokens: key === undefined ? [] : [...new Set(marked.flatMap(one => namesOf(one, one.counted.keys())))],
		touches,
		isChange: change !== undefined,
		settings: views.length > 0 || reads.some(closure.isIndexed) ? heapOrder : [],
	}
}

const noQueries: ReadonlySet<string> = new Set()

/** @throws Refusal if a client must not make a change of a table */
function requireChangeable(change: Change, relation: Relation): void {
	if (relation.isSystem) refuse(`${relation.name} belongs to the server.`)
	const reason = relation.takesNoChanges ?? whyNotChanged(change, relation)
	if (reason !== undefined) refuse(reason)
}

const namesOf = ({ name, columns }: Relation, attributes: Iterable<number>) =>
	[...attributes].map(attribute => `${quoted(name)}.${quoted(columns.get(attribute) ?? '')}`)

/** Returns the hidden columns that have no token either. @param key of the tokens, if the statement may have any */
const withheldOf = ({ hidden, counted }: Relation, key: string | undefined) =>
	[...hidden].filter(attribute => key === undefined || !counted.has(attribute))

/** @param key of the tokens, if the statement may have any */
function templateOf({ schema, name, columns, hidden, counted }: Relation, key: string | undefined): string {
	const shown = [...columns].flatMap(([attribute, column]) => {
		if (!hidden.has(attribute)) return [inQuotes(column)]
		const isDecimal = counted.get(attribute)
		return key === undefined || isDecimal === undefined
			? []
			: [`${tokenOf(inQuotes(column), isDecimal, key)} as ${inQuotes(column)}`]
	})
	return `select ${shown.join(', ')} from ${inQuotes(schema)}.${inQuotes(name)}`
}

/** Returns SQL of a text that equal values have, as a type that has no text functions. Without the key it says nothing of the value. */
function tokenOf(column: string, isDecimal: boolean, key: string): string {
	const value = isDecimal ? `pg_catalog.trim_scale(${column})` : column
	const text = `'${key}' operator(pg_catalog.||) ${value}::pg_catalog.text`
	const digest = `pg_catalog.sha256(pg_catalog.convert_to(${text}, pg_catalog.getdatabaseencoding()))`
	return `pg_catalog.left(pg_catalog.encode(${digest}, 'hex'), 32)::pg_catalog.uuid`
}

interface Edit {
	readonly start: number
	readonly end: number
	readonly text: string
}

/** A relation that a statement names. */
interface Range {
	readonly schema: string | undefined
	readonly database: string | undefined
	readonly name: string
	readonly alias: JsonObject | undefined
	/** In bytes. */
	readonly location: number
	/** In the tree. */
	readonly node: JsonObject
}

interface Parts {
	readonly ranges: readonly Range[]
	/** Names of WITH queries. */
	readonly queries: ReadonlySet<string>
	/** The last parts of references without a table before them. */
	readonly plain: ReadonlySet<string>
	readonly hasStar: boolean
	readonly comparesRows: boolean
	readonly usesPlaces: boolean
	/** Whether columns of a table, a join, or a query with a star get names by their place. */
	readonly renamesTable: boolean
	readonly renamesQuery: boolean
	readonly isNatural: boolean
	/** What no statement may have while columns are hidden. */
	readonly odd: string | undefined
}

const textIn = (json: Json | undefined) => (typeof json === 'string' ? json : undefined)

/** Members with a query that only reads. */
const queryKeys = new Set(['SelectStmt', 'ExplainStmt', 'stmt', 'selectStmt'])

function partsOf(tree: Tree, change: Change | undefined): Parts {
	const ranges: Range[] = []
	const queries = new Set<string>()
	const plain = new Set<string>()
	let [hasStar, comparesRows, usesPlaces, isNatural] = [false, false, false, false]
	let [renamesTable, renamesQuery] = [false, false]
	let odd: string | undefined
	eachMember(tree, (key, value) => {
		if (key === 'intoClause') odd = 'SELECT INTO'
		if (key === 'lockingClause') odd = 'A lock of rows'
		if (key === 'CurrentOfExpr') odd = 'WHERE CURRENT OF'
		if (key === 'A_Star') hasStar = true
		if (key === 'isNatural' && value === true) isNatural = true
		if (key === 'distinctClause' || (key === 'op' && typeof value === 'string' && /^SETOP_[UIE]/.test(value)))
			comparesRows = true
		if ((key === 'sortClause' || key === 'groupClause') && /"A_Const":\{"ival"/.test(JSON.stringify(value)))
			usesPlaces = true
		if (/Stmt$/.test(key) && !queryKeys.has(key) && value !== change?.body) odd = key
		if (!isJsonObject(value)) return
		// Before version 16 it is the name of a column or a table.
		if (key === 'FuncCall' && isSystemUser(value)) odd = 'SYSTEM_USER'
		const isRenamed =
			value.aliascolnames !== undefined || (isJsonObject(value.alias) && value.alias.colnames !== undefined)
		if (isRenamed && (key === 'RangeSubselect' || key === 'CommonTableExpr')) renamesQuery = true
		// The columns of a function are its own.
		else if (isRenamed && key !== 'RangeFunction' && key !== 'RangeTableFunc' && key !== 'JsonTable')
			renamesTable = true
		if (key === 'CommonTableExpr') queries.add(textIn(value.ctename) ?? '')
		if (key === 'ColumnRef' && Array.isArray(value.fields) && value.fields.length === 1) {
			const [field] = value.fields
			const name = isJsonObject(field) && isJsonObject(field.String) ? textIn(field.String.sval) : undefined
			if (name !== undefined) plain.add(name)
		}
		const name = textIn(value.relname)
		if (name === undefined) return
		ranges.push({
			name,
			schema: textIn(value.schemaname),
			database: textIn(value.catalogname),
			alias: isJsonObject(value.alias) ? value.alias : undefined,
			location: typeof value.location === 'number' ? value.location : 0,
			node: value,
		})
	})
	return { ranges, queries, plain, hasStar, comparesRows, usesPlaces, renamesTable, renamesQuery, isNatural, odd }
}

/** @throws Refusal if a name can stand for a built-in function that reads what it was not given */
function requireKnown(names: NamesUsed, { denied, deniedOfRow }: Closure): void {
	for (const name of [...names.functions, ...names.keywords, ...names.fields])
		if (denied.has(name)) refuse(`The function ${quoted(name)} could show values of hidden columns.`)
	for (const name of names.attributes)
		if (deniedOfRow.has(name))
			refuse(`${quoted(name)} is also a function of a row that could show values of hidden columns.`)
}

interface Resolving {
	readonly closure: Closure
	readonly path: readonly string[]
	readonly queries: ReadonlySet<string>
}

/** Returns the relation of a name, or `undefined` for a WITH query. @throws Refusal */
function relationOf({ schema, database, name }: Range, { closure, path, queries }: Resolving): Relation | undefined {
	const schemas = schema === undefined ? path : [schema]
	const found =
		database === undefined || database === closure.database
			? schemas.map(one => closure.relations.get(keyOf(one, name))).find(one => one !== undefined)
			: undefined
	if (schema === undefined && queries.has(name)) {
		if (found && (found.hidden.size > 0 || found.readsBeside || found.refused !== undefined || found.isSystem))
			refuse(`Rename the WITH query ${quoted(name)}: a table with hidden columns has its name.`)
		return undefined
	}
	if (!found) return refuse(`There is no table ${quoted(name)}.`)
	if (found.refused !== undefined) refuse(found.refused)
	if (found.isSystem && !isSystemKnown(found)) refuse(`${found.name} could show values of hidden columns.`)
	return found
}

/** Refuses what would mean another column, or none, without the hidden ones. @throws Refusal */
function requirePlain(found: Parts, templates: readonly Relation[], key: string | undefined): void {
	if (templates.length === 0) return
	const hidden = new Set(
		templates.flatMap(one => withheldOf(one, key).map(attribute => one.columns.get(attribute) ?? '')),
	)
	for (const name of found.plain)
		if (hidden.has(name))
			refuse(`${quoted(name)} is hidden by the user. If another table has this column too, write its name before it.`)
	const marked = templates.some(({ isSystem }) => !isSystem)
	if (!marked) return
	if (found.isNatural) refuse('NATURAL JOIN is refused with a table that has hidden columns.')
	if (found.renamesTable || (found.renamesQuery && found.hasStar))
		refuse('Columns cannot be renamed by place beside a table that has hidden columns.')
	if (found.hasStar && (found.comparesRows || found.usesPlaces))
		refuse('Name the columns: a star leaves out the hidden ones.')
}

/** Returns the names of columns with tokens, and the names of the tables that have other columns of these names. */
function tokenNames(templates: readonly Relation[], ranges: readonly Range[]): Tokens {
	const counted = templates.filter(one => one.counted.size > 0)
	const tables = new Set(counted.map(({ name }) => name))
	const aliased = ranges.map(({ name, alias }) => [textIn(alias?.aliasname) ?? name, tables.has(name)] as const)
	return {
		columns: new Set(
			counted.flatMap(one => [...one.counted.keys()].map(attribute => one.columns.get(attribute) ?? '')),
		),
		others: new Set(
			aliased
				.filter(([alias, has]) => !has && !aliased.some(one => one[1] && one[0] === alias))
				.map(([alias]) => alias),
		),
	}
}

/** @throws Refusal if a statement would sort or compare tokens otherwise than with each other */
function requireTokensOnly(tree: Tree, tokens: Tokens): void {
	const reason = tokens.columns.size > 0 ? whyNoToken(tree, tokens) : undefined
	if (reason !== undefined) refuse(reason)
}

/** Returns what converts an offset in bytes into one in UTF-16 units. */
function offsetsIn(sql: string): (bytes: number) => number {
	const whole = Buffer.from(sql)
	return bytes => whole.subarray(0, bytes).toString().length
}

/** Returns where the name is that begins there: words, and the dots between them. @throws Refusal */
function placeIn(sql: string, start: number): Pick<Edit, 'start' | 'end'> {
	const tokens = tokensOf(sql).filter(token => !isBlank(token))
	const first = tokens.findIndex(token => token.start === start)
	if (first < 0) return refuse('The place of a table in the statement was not found.')
	let last = first
	const isDot = (at: number) => tokens[at] !== undefined && sql.slice(tokens[at].start, tokens[at].end) === '.'
	while (isDot(last + 1)) last += 2
	const end = tokens[last]?.end
	return end === undefined ? refuse('The place of a table in the statement was not found.') : { start, end }
}

interface Proving {
	readonly closure: Closure
	readonly templates: readonly Relation[]
	/** The table that it changes. */
	readonly target: Relation | undefined
	readonly key: string | undefined
	readonly queries: ReadonlySet<string>
}

const withoutPlaces = (json: Json) =>
	JSON.stringify(json, (key, value) => (key === 'location' || key.startsWith('list_') ? undefined : value))

/**
 * Checks a changed statement by its tree alone, whatever changed its text: each relation is named with its schema and has no
 * hidden columns, or stands in a subselect that is equal to its template. @throws Refusal
 */
async function prove(tree: Tree, { closure, templates, target, key, queries }: Proving): Promise<void> {
	const change = changeIn(tree)
	const { relname, schemaname } = change?.target ?? {}
	if (relname !== target?.name || schemaname !== target?.schema) refuse('It would change another table.')
	const proven = new Set<string>()
	for (const sql of new Set(templates.map(one => templateOf(one, key)))) {
		const parsed = await parse(sql)
		const [one] = 'statements' in parsed ? parsed.statements : []
		if (one) proven.add(withoutPlaces(one))
	}
	const isTemplate = (key: string, value: Json) =>
		key === 'RangeSubselect' &&
		isJsonObject(value) &&
		value.lateral !== true &&
		proven.has(withoutPlaces(value.subquery ?? null))
	const check = (_: string, value: Json) => {
		if (isJsonObject(value) && typeof value.relname === 'string') requireProven(value, closure, queries)
	}
	eachMember(tree, check, (key, value) => value === change?.target || isTemplate(key, value))
}

function requireProven(range: JsonObject, { relations }: Closure, queries: ReadonlySet<string>): void {
	const name = textIn(range.relname) ?? ''
	const schema = textIn(range.schemaname)
	if (schema === undefined && queries.has(name)) return
	const relation = schema === undefined ? undefined : relations.get(keyOf(schema, name))
	if (!relation || relation.hidden.size > 0 || relation.refused !== undefined)
		refuse('A table with hidden columns was left in the statement.')
}
