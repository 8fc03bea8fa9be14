import { type Access, isJsonObject, type Json } from '@roundhouse/kit'
import { type Contents, contentsOf } from './collect.ts'
import type { Tree } from './parser.ts'

/** What a statement may do, by its grammar and by what the server says of its functions. */

/** Finds the names among these that stand for a volatile function. */
export type FindVolatile = (
	names: Pick<Contents, 'functions' | 'attributes' | 'operators'>,
) => Promise<readonly string[]>

/** Volatile functions of PostgreSQL that change nothing: time, chance and waiting. */
const harmless = new Set(
	'random random_normal clock_timestamp timeofday gen_random_uuid uuidv4 uuidv7 pg_sleep pg_sleep_for pg_sleep_until setseed txid_current_if_assigned pg_current_xact_id_if_assigned pg_backend_pid pg_stat_get_activity pg_lock_status pg_cursor pg_prepared_statement pg_show_all_settings pg_show_all_file_settings pg_stat_get_wal_receiver pg_stat_get_archiver pg_last_committed_xact pg_stat_get_progress_info pg_timezone_names pg_timezone_abbrevs pg_prepared_xact pg_available_extensions pg_available_extension_versions pg_extension_update_paths'.split(
		' ',
	),
)
/** Functions that belong to a plain insertion. */
const numbering = new Set(['nextval', 'currval', 'lastval'])

/** Statements that make something new, or change a session alone. All that is not listed may destroy data. */
const writing = new Set(
	'CreateStmt CreateSchemaStmt CreateSeqStmt CreateEnumStmt CreateDomainStmt CompositeTypeStmt CreateRangeStmt IndexStmt CreateStatsStmt CommentStmt VacuumStmt RefreshMatViewStmt ReindexStmt TransactionStmt VariableSetStmt DiscardStmt ListenStmt UnlistenStmt NotifyStmt ClosePortalStmt FetchStmt DeallocateStmt CheckPointStmt ConstraintsSetStmt'.split(
		' ',
	),
)

/** Returns what the statement may do at most. */
export async function accessOf(tree: Tree, findVolatile: FindVolatile): Promise<Access> {
	const [[kind = '', body] = []] = Object.entries(tree)
	if (!isJsonObject(body)) return 'destructive'
	if (kind === 'VariableShowStmt') return 'read'
	if (kind === 'ExplainStmt') {
		const inner = treeIn(body.query)
		if (!isRun(body.options)) return 'read'
		return inner ? accessOf(inner, findVolatile) : 'destructive'
	}
	if (kind === 'CreateTableAsStmt' || kind === 'DeclareCursorStmt' || kind === 'PrepareStmt' || kind === 'ViewStmt') {
		const inner = treeIn(body.query)
		const access = inner ? await accessOf(inner, findVolatile) : 'destructive'
		return body.replace === true || access === 'destructive' ? 'destructive' : 'write'
	}
	if (writing.has(kind)) return 'write'
	const isQuery = kind === 'SelectStmt' || kind === 'InsertStmt' || kind === 'UpdateStmt'
	return isQuery ? accessOfQuery(kind, contentsOf(tree), findVolatile) : 'destructive'
}

async function accessOfQuery(kind: string, contents: Contents, findVolatile: FindVolatile): Promise<Access> {
	const { statements, hasUnlimited, makesTable, locksRows } = contents
	if (statements.has('DeleteStmt') || statements.has('MergeStmt') || hasUnlimited) return 'destructive'
	const isChange = statements.size > 0
	const volatile = (await findVolatile(contents)).filter(name => !harmless.has(name))
	const isAllowed = (name: string) => isChange && numbering.has(name)
	if (!volatile.every(isAllowed)) return 'destructive'
	return kind !== 'SelectStmt' || isChange || makesTable || locksRows ? 'write' : 'read'
}

const treeIn = (json: Json | undefined): Tree | undefined => (isJsonObject(json) ? json : undefined)

/** Whether EXPLAIN runs its statement. `analyze` may have a value that means no. */
function isRun(options: Json | undefined): boolean {
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
