import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { eachMember } from '../console/each-member.ts'
import type { Tree } from '../console/parser.ts'

/** What a statement names that the server could resolve to code. */
export interface NamesUsed {
	readonly functions: Set<string>
	/** Words that call something in this grammar. An older server takes them for names of functions. */
	readonly keywords: Set<string>
	/** Names behind a dot: columns, or functions of a row. */
	readonly attributes: Set<string>
	/**
	 * Names behind the dot of an expression: `('a'::text).lower` is a call, whatever its type. So is `x.lower` where `x` is a
	 * function in FROM, or an argument of a function in SQL.
	 */
	readonly fields: Set<string>
	readonly operators: Set<string>
	/** And of operator classes, whose functions an index calls. */
	readonly types: Set<string>
	/** Each as JSON of its schema, which may be empty, and its name. */
	readonly relations: Set<string>
	/** Those of them whose rows are changed, by a statement or by one of a routine. */
	readonly changed: Set<string>
}

export const noNames = (): NamesUsed => ({
	functions: new Set(),
	keywords: new Set(),
	attributes: new Set(),
	fields: new Set(),
	operators: new Set(),
	types: new Set(),
	relations: new Set(),
	changed: new Set(),
})

/** Adds names to others. @returns whether one is new */
export function addNames(to: NamesUsed, names: NamesUsed): boolean {
	let isNew = false
	for (const kind of Object.keys(names) as readonly (keyof NamesUsed)[])
		for (const name of names[kind]) {
			isNew ||= !to[kind].has(name)
			to[kind].add(name)
		}
	return isNew
}

/** Nodes of words that PostgreSQL 13 does not know, and takes for functions. */
const calls = new Map(
	Object.entries({
		JsonFuncExpr: ['json_exists', 'json_query', 'json_value'],
		JsonScalarExpr: ['json_scalar'],
		JsonSerializeExpr: ['json_serialize'],
		JsonParseExpr: ['json'],
		JsonObjectConstructor: ['json_object'],
		JsonArrayConstructor: ['json_array'],
		JsonArrayQueryConstructor: ['json_array'],
		JsonObjectAgg: ['json_objectagg'],
		JsonArrayAgg: ['json_arrayagg'],
		JsonTable: ['json_table'],
		MergeSupportFunc: ['merge_action'],
	}),
)

/** Whether a query makes a table of its rows. */
export const makesTable = (tree: Tree | undefined): boolean =>
	/"(?:intoClause|CreateTableAsStmt)"/.test(JSON.stringify(tree ?? {}))

/** Operators that stand in no text: BETWEEN, CASE with a value, and joins by the name of a column. */
const ordered = ['<', '<=', '>', '>=']

/** @param hasArguments whether a name before a dot may be an argument of the function whose text this is. Default: `false` */
export function namesUsed(tree: Tree, { hasArguments = false } = {}): NamesUsed {
	const found = noNames()
	let hasValues = hasArguments
	eachMember(tree, note)
	if (hasValues) for (const name of found.attributes) found.fields.add(name)
	return found

	function note(key: string, value: Json): void {
		for (const word of calls.get(key) ?? []) found.keywords.add(word)
		if (key === 'names' || key === 'opclass') add(found.types, value)
		if (key === 'RangeTableSample' && isJsonObject(value) && !isBuiltInSample(value.method))
			add(found.functions, value.method)
		if (key === 'useOp') add(found.operators, value)
		if (!isJsonObject(value)) return
		// Its row is a plain value.
		if (key === 'RangeFunction') hasValues = true
		// Before version 16 it is a name: in FROM, that of a table.
		if (key === 'FuncCall' && isSystemUser(value)) found.relations.add('["","system_user"]')
		if (key === 'FuncCall' || key === 'funccall')
			add(value.funcformat === 'COERCE_SQL_SYNTAX' ? found.keywords : found.functions, value.funcname)
		// Of a change it stands without its kind.
		if (typeof value.relname === 'string') found.relations.add(relationOf(value))
		if (changing.has(key) && isJsonObject(value.relation)) found.changed.add(relationOf(value.relation))
		if (key === 'A_Expr') noteOperator(value)
		if (key === 'SubLink') add(found.operators, value.operName ?? [{ String: { sval: '=' } }])
		if (key === 'CaseExpr' && value.arg !== undefined) found.operators.add('=')
		if (key === 'JoinExpr' && (value.usingClause !== undefined || value.isNatural === true)) found.operators.add('=')
		if (key === 'ColumnRef' && Array.isArray(value.fields) && value.fields.length > 1)
			add(found.attributes, value.fields)
		if (key === 'A_Indirection' && Array.isArray(value.indirection))
			for (const part of value.indirection) add(found.fields, [part])
	}

	function noteOperator({ kind, name }: JsonObject): void {
		if (typeof kind === 'string' && kind.includes('BETWEEN')) for (const one of ordered) found.operators.add(one)
		else add(found.operators, name)
	}
}

const changing = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'])

const relationOf = ({ schemaname, relname }: JsonObject) => JSON.stringify([schemaname ?? '', relname ?? ''])

/** The two of PostgreSQL take an argument that no statement can give, so they are no functions of a statement. */
const isBuiltInSample = (method: Json | undefined) =>
	/^\[\{"String":\{"sval":"(?:bernoulli|system)"\}\}\]$/.test(JSON.stringify(method ?? null))

/** Whether a call is the word SYSTEM_USER. */
export const isSystemUser = ({ funcname, funcformat }: JsonObject) =>
	funcformat === 'COERCE_SQL_SYNTAX' && JSON.stringify(funcname ?? null).includes('"system_user"')

/** Adds the last part of a name, which may have a schema before it. */
function add(names: Set<string>, list: Json | undefined): void {
	const last = Array.isArray(list) ? list.at(-1) : undefined
	const text = isJsonObject(last) && isJsonObject(last.String) ? last.String.sval : undefined
	if (typeof text === 'string') names.add(text)
}
