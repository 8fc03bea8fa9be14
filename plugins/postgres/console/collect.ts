import { isJsonObject, type Json } from '@roundhouse/kit'
import { eachMember } from './each-member.ts'
import type { Tree } from './parser.ts'

/** Names in statements, by what they stand for. */
export interface Names {
	/** Names of called functions, without their schema: the server knows which of that name are volatile. */
	readonly functions: ReadonlySet<string>
	/** Names that are columns, or functions of a row: `orders.total`. */
	readonly attributes: ReadonlySet<string>
	/** Names of fields of expressions, or functions of them: `('a'::text).lower`, and `x.lower` of a function in FROM. */
	readonly fields: ReadonlySet<string>
	readonly operators: ReadonlySet<string>
	/** Names of types that a value is cast to. */
	readonly types: ReadonlySet<string>
	/** Names of tables, views and WITH queries. */
	readonly relations: ReadonlySet<string>
}

export const kindsOfNames = ['functions', 'attributes', 'fields', 'operators', 'types', 'relations'] as const

/** Returns the names that both have, each as the same kind. */
export function namesIn(names: Names, others: Names): readonly string[] {
	return kindsOfNames.flatMap(kind => [...names[kind].intersection(others[kind])])
}

/** Returns the names in all of the statements. */
export function namesOf(trees: readonly Tree[]): Names {
	const all = trees.map(contentsOf)
	return namesBy(kind => new Set(all.flatMap(contents => [...contents[kind]])))
}

/** Returns names that are given by kind. */
export function namesBy(of: (kind: keyof Names) => ReadonlySet<string>): Names {
	return {
		functions: of('functions'),
		attributes: of('attributes'),
		fields: of('fields'),
		operators: of('operators'),
		types: of('types'),
		relations: of('relations'),
	}
}

/** What the tree of a statement contains, wherever it stands. */
export interface Contents extends Names {
	/** Kinds of statements inside, such as `DeleteStmt` of a WITH query. */
	readonly statements: ReadonlySet<string>
	/** Whether a DELETE or UPDATE inside has no condition. */
	readonly hasUnlimited: boolean
	readonly makesTable: boolean
	readonly locksRows: boolean
}

const changing = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'])

export function contentsOf(tree: Tree): Contents {
	const found = {
		functions: new Set<string>(),
		attributes: new Set<string>(),
		fields: new Set<string>(),
		operators: new Set<string>(),
		types: new Set<string>(),
		relations: new Set<string>(),
		statements: new Set<string>(),
		hasUnlimited: false,
		makesTable: false,
		locksRows: false,
	}
	let hasFunctions = false
	eachMember(tree, (key, value, node) => {
		if (key === 'RangeFunction') hasFunctions = true
		// The server finds what is written by words, such as EXTRACT, among its own, under the name of its version.
		if (!(key === 'funcname' && node.funcformat === 'COERCE_SQL_SYNTAX')) note(key, value)
	})
	// The row of a function may be a plain value, of which each name behind a dot is a call.
	if (hasFunctions) for (const name of found.attributes) found.fields.add(name)
	return found

	function note(key: string, value: Json): void {
		if (changing.has(key)) {
			found.statements.add(key)
			if (isJsonObject(value) && value.whereClause === undefined && key !== 'InsertStmt') found.hasUnlimited = true
		}
		if (key === 'funcname') addLast(found.functions, value)
		if (key === 'typeName' && isJsonObject(value)) addLast(found.types, value.names ?? [])
		if (key === 'RangeVar' && isJsonObject(value) && typeof value.relname === 'string')
			found.relations.add(value.relname)
		if (key === 'intoClause') found.makesTable = true
		if (key === 'lockingClause') found.locksRows = true
		if ((key === 'A_Expr' || key === 'SubLink') && isJsonObject(value))
			addLast(found.operators, value.name ?? value.operName ?? [])
		if (key === 'ColumnRef' && isJsonObject(value) && Array.isArray(value.fields) && value.fields.length > 1)
			addLast(found.attributes, value.fields)
		if (key === 'A_Indirection' && isJsonObject(value) && Array.isArray(value.indirection))
			for (const part of value.indirection) addLast(found.fields, [part])
	}
}

/** Adds the last part of a name, which may have a schema before it. */
function addLast(names: Set<string>, list: Json): void {
	const last = Array.isArray(list) ? list.at(-1) : undefined
	const text = isJsonObject(last) && isJsonObject(last.String) ? last.String.sval : undefined
	if (typeof text === 'string') names.add(text)
}
