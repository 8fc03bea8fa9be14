import { type Access, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { contentsOf, type Names, namesIn } from './collect.ts'
import type { Tree } from './parser.ts'

/** What a statement may do, by its grammar and by what the server says of its functions. */

/** Finds the names among these that stand for a volatile function, except those of PostgreSQL that change nothing. */
export type FindVolatile = (names: Names) => Promise<Names>

/** Functions that belong to a plain insertion. */
const numbering = new Set(['nextval', 'currval', 'lastval'])

/**
 * Statements that make something new, or change a session alone. All that is not listed may destroy data or a definition,
 * or gives rights away.
 */
const writing = new Set(
	'CreateStmt CreateSchemaStmt CreateSeqStmt CreateEnumStmt CreateDomainStmt CompositeTypeStmt CreateRangeStmt IndexStmt CreateStatsStmt CommentStmt VacuumStmt RefreshMatViewStmt ReindexStmt TransactionStmt VariableSetStmt DiscardStmt ListenStmt UnlistenStmt NotifyStmt ClosePortalStmt FetchStmt DeallocateStmt CheckPointStmt ConstraintsSetStmt'.split(
		' ',
	),
)

/** Parts of ALTER TABLE that lose no data. A removed default has no `def`. */
const adding = new Set([
	'AT_AddColumn',
	'AT_ColumnDefault',
	'AT_SetNotNull',
	'AT_AddConstraint',
	'AT_ValidateConstraint',
])

/** Returns what the statement may do at most. @param volatile at least those of its names that are volatile */
export function accessOf(tree: Tree, volatile: Names): Access {
	const [[kind = '', body] = []] = Object.entries(tree)
	if (!isJsonObject(body)) return 'destructive'
	if (kind === 'VariableShowStmt') return 'read'
	if (kind === 'ExplainStmt') {
		const inner = treeIn(body.query)
		// What EXECUTE plans is in no text.
		if (inner?.ExecuteStmt !== undefined) return 'destructive'
		if (!isRun(body.options)) return 'read'
		return inner ? accessOf(inner, volatile) : 'destructive'
	}
	if (kind === 'CreateTableAsStmt' || kind === 'DeclareCursorStmt' || kind === 'PrepareStmt' || kind === 'ViewStmt') {
		const inner = treeIn(body.query)
		const access = inner ? accessOf(inner, volatile) : 'destructive'
		return body.replace === true || access === 'destructive' ? 'destructive' : 'write'
	}
	// The former source of a function is lost, and a trigger that runs it then does something else.
	if (kind === 'CreateFunctionStmt') return body.replace === true || loadsCode(body) ? 'destructive' : 'write'
	// A new column takes its default in each row.
	if (kind === 'AlterTableStmt') return onlyAdds(body.cmds) && !calls(tree, volatile) ? 'write' : 'destructive'
	// With rows from the client, as an insertion.
	if (kind === 'CopyStmt' && body.is_from === true && !('filename' in body))
		return calls(tree, volatile) ? 'destructive' : 'write'
	// It may give rights away, or make a trigger.
	if (kind === 'CreateSchemaStmt' && Array.isArray(body.schemaElts))
		return body.schemaElts.every(part => isJsonObject(part) && accessOf(part, volatile) === 'write')
			? 'write'
			: 'destructive'
	if (writing.has(kind)) return 'write'
	const isQuery = kind === 'SelectStmt' || kind === 'InsertStmt' || kind === 'UpdateStmt'
	return isQuery ? accessOfQuery(kind, tree, volatile) : 'destructive'
}

function accessOfQuery(kind: string, tree: Tree, volatile: Names): Access {
	const contents = contentsOf(tree)
	const { statements, hasUnlimited, makesTable, locksRows } = contents
	if (statements.has('DeleteStmt') || statements.has('MergeStmt') || hasUnlimited) return 'destructive'
	const isChange = statements.size > 0
	const isAllowed = (name: string) => isChange && numbering.has(name)
	if (!namesIn(contents, volatile).every(isAllowed)) return 'destructive'
	return kind !== 'SelectStmt' || isChange || makesTable || locksRows ? 'write' : 'read'
}

/** Languages that run nothing when a function is made. Another one may load a library, or run parts of the source. */
const passive = new Set(['sql', 'plpgsql', 'internal'])

/** Whether CREATE FUNCTION may run code of the server. */
export function loadsCode({ options }: JsonObject): boolean {
	const languages = (Array.isArray(options) ? options : []).flatMap(option => {
		const { defname, arg } = (isJsonObject(option) && isJsonObject(option.DefElem) && option.DefElem) || {}
		return defname === 'language' ? [arg] : []
	})
	return !languages.every(arg => isJsonObject(arg) && isJsonObject(arg.String) && passive.has(String(arg.String.sval)))
}

function onlyAdds(commands: Json | undefined): boolean {
	if (!Array.isArray(commands)) return false
	return commands.every(command => {
		const { subtype, def } =
			(isJsonObject(command) && isJsonObject(command.AlterTableCmd) && command.AlterTableCmd) || {}
		return typeof subtype === 'string' && adding.has(subtype) && (subtype !== 'AT_ColumnDefault' || def !== undefined)
	})
}

/** Whether a name stands for a volatile function, other than those that number rows. */
const calls = (tree: Tree, volatile: Names) => namesIn(contentsOf(tree), volatile).some(name => !numbering.has(name))

const treeIn = (json: Json | undefined): Tree | undefined => (isJsonObject(json) ? json : undefined)

/** Whether EXPLAIN runs its statement. `analyze` may have a value that means no. */
export function isRun(options: Json | undefined): boolean {
	if (!Array.isArray(options)) return false
	return options.some(option => {
		const { defname, arg } = (isJsonObject(option) && isJsonObject(option.DefElem) && option.DefElem) || {}
		if (defname !== 'analyze') return false
		return !/"(false|off|0)"|"ival":\{\}/.test(JSON.stringify(arg ?? null))
	})
}

/** Returns whether a query has one condition and no further clauses. */
export function isOnlyCondition(tree: Tree): boolean {
	const { SelectStmt: select } = tree
	if (!isJsonObject(select)) return false
	const known = new Set(['fromClause', 'whereClause', 'limitOption', 'op', 'targetList'])
	return (
		select.op === 'SETOP_NONE' &&
		select.limitOption === 'LIMIT_OPTION_DEFAULT' &&
		Object.keys(select).every(key => known.has(key))
	)
}
