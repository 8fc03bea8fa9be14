import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import type { Tree } from './parser.ts'

/** Which use of a table the columns of a result are from. The server names the table alone. */

export interface TableUses {
	/** Returns how often a statement reads a table. Counts too many rather than too few. */
	count(schema: string, table: string): number
	/** Returns the alias of the table in FROM that a column of the result is from, if the statement says it for certain. */
	aliasOf(column: number): string | undefined
}

/** @param columns the number of columns of the result */
export function usesOf(tree: Tree, columns: number): TableUses {
	const tables: UsedTable[] = []
	collect(tree, 1, { tables, queries: timesRead(tree) })
	const aliases = aliasesOf(tree, columns)
	return {
		count: (schema, table) =>
			tables
				.filter(used => used.table === table && (used.schema ?? schema) === schema)
				.reduce((sum, { times }) => sum + times, 0),
		aliasOf: column => aliases[column],
	}
}

interface UsedTable {
	readonly schema: string | undefined
	readonly table: string
	readonly times: number
}

interface Collected {
	readonly tables: UsedTable[]
	/** How often each query of WITH is read. */
	readonly queries: ReadonlyMap<string, number>
}

function collect(tree: Json, times: number, found: Collected): void {
	if (Array.isArray(tree)) for (const part of tree) collect(part, times, found)
	if (!isJsonObject(tree)) return
	const { relname, schemaname, ctename } = tree
	if (typeof relname === 'string')
		found.tables.push({ schema: typeof schemaname === 'string' ? schemaname : undefined, table: relname, times })
	// What is in a query of WITH is read as often as the query.
	const inside = typeof ctename === 'string' ? times * (found.queries.get(ctename) ?? 1) : times
	for (const part of Object.values(tree)) collect(part, inside, found)
}

function timesRead(tree: Tree): ReadonlyMap<string, number> {
	const named: UsedTable[] = []
	collect(tree, 1, { tables: named, queries: new Map() })
	return new Map([...Map.groupBy(named, ({ table }) => table)].map(([name, uses]) => [name, uses.length]))
}

/** Returns the alias of a table for each column that is written as `alias.column`. */
function aliasesOf({ SelectStmt: select }: Tree, columns: number): readonly (string | undefined)[] {
	if (!isJsonObject(select)) return []
	const targets = listOf(select.targetList)
	// Of `*` only the server knows how many columns it stands for.
	if (targets.length !== columns) return []
	const queries = new Set(
		listOf(memberOf(select.withClause, 'ctes')).map(one => memberOf(one, 'CommonTableExpr', 'ctename')),
	)
	const tables = new Set(
		listOf(select.fromClause)
			.flatMap(tableAliases)
			.filter(([, table]) => !queries.has(table))
			.map(([alias]) => alias),
	)
	return targets.map(target => {
		const [alias, column] = listOf(memberOf(target, 'ResTarget', 'val', 'ColumnRef', 'fields')).map(field =>
			memberOf(field, 'String', 'sval'),
		)
		return typeof alias === 'string' && typeof column === 'string' && tables.has(alias) ? alias : undefined
	})
}

/** Returns the aliases of tables, each with the table unless a schema is named. Queries in brackets are left out. */
function tableAliases(from: Json): readonly (readonly [string, Json | undefined])[] {
	const join = memberOf(from, 'JoinExpr')
	// An alias of the join hides those inside.
	if (isJsonObject(join) && join.alias === undefined)
		return [join.larg, join.rarg].flatMap(part => (part === undefined ? [] : tableAliases(part)))
	const table = memberOf(from, 'RangeVar')
	if (!isJsonObject(table)) return []
	const alias = memberOf(table.alias, 'aliasname') ?? table.relname
	return typeof alias === 'string' ? [[alias, table.schemaname === undefined ? table.relname : undefined]] : []
}

const listOf = (list: Json | undefined): readonly Json[] => (Array.isArray(list) ? list : [])

function memberOf(tree: Json | undefined, ...path: readonly string[]): Json | undefined {
	return path.reduce<Json | undefined>(
		(part, name) => (isJsonObject(part) ? (part as JsonObject)[name] : undefined),
		tree,
	)
}
