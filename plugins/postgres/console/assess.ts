import { type Assessment, type Effect, faultOf, isDriverError, isJsonObject, type Json } from '@roundhouse/kit'
import { isChangedMeanwhile } from '../judge/judge.ts'
import { makesTable } from '../judge/names-used.ts'
import { type Loss, type Lost, readEventTriggers, readLost } from '../rehearsal/held.ts'
import { literal, quoted } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import { eachMember } from './each-member.ts'
import type { Tree } from './parser.ts'

/** The effect of a statement before the user agrees: a rehearsal where rows change, a look-up where a definition is lost. */

interface Assessed {
	readonly tree: Tree | undefined
	/** Whether the host allows a rehearsal. */
	readonly rehearses: boolean
	/** Returns why a rollback does not undo the statement, or `undefined`. */
	judge(): Promise<string | undefined>
	/**
	 * Returns why a part of the statement is not known to act on nothing, or `undefined`. @param isEverywhere whether it
	 * maintains tables that it does not name
	 */
	judgePart(part: Tree, isEverywhere: boolean): Promise<string | undefined>
	/** Runs the statement and rolls it back. */
	rehearse(): Promise<Effect>
	/** Opens a session as the run does, with the path of the user, and closes it. */
	using<T>(work: (session: Session) => Promise<T>): Promise<T>
}

/** Statements whose effect is rows, which a rehearsal counts. */
const changing = new Set(
	'InsertStmt UpdateStmt DeleteStmt MergeStmt SelectStmt ExplainStmt CreateTableAsStmt CopyStmt DoStmt CallStmt'.split(
		' ',
	),
)

/**
 * Definitions that evaluate expressions, for rows that are there or for a bound, and cursors. They lock the table, or are
 * no part of a transaction, so they are not rehearsed.
 */
const evaluating = new Set(
	'AlterTableStmt IndexStmt RefreshMatViewStmt ReindexStmt VacuumStmt ClusterStmt DeclareCursorStmt CreateStmt CreateForeignTableStmt CreateSchemaStmt'.split(
		' ',
	),
)

/**
 * Members of a new table that the server evaluates at once: it computes the constants in bounds, in partition keys and in
 * the expressions of indexes, also of those that it copies from another table.
 */
const evaluatedMembers = new Set(['partbound', 'partspec', 'inhRelations', 'TableLikeClause', 'IndexStmt'])

/** Maintenance, which is that of all tables if it names none. */
const maintaining = new Set(['VacuumStmt', 'ClusterStmt', 'ReindexStmt'])

/** Statements beside changes of rows for which the server fires no event trigger. */
const eventless = new Set(
	'VacuumStmt ClusterStmt TruncateStmt VariableSetStmt VariableShowStmt DiscardStmt TransactionStmt ListenStmt UnlistenStmt NotifyStmt CheckPointStmt PrepareStmt DeallocateStmt DeclareCursorStmt ClosePortalStmt FetchStmt ConstraintsSetStmt LockStmt'.split(
		' ',
	),
)

/** The kinds of ALTER DOMAIN that add a check, or validate one. The names of the tables are not in the text. */
const checksStored: ReadonlySet<unknown> = new Set(['C', 'V', 'AD_AddConstraint', 'AD_ValidateConstraint'])

/** Returns what a definition evaluates. Defaults and checks of a new table, and new defaults, wait for the next row. */
function evaluatedBy(kind: string, tree: Tree): Tree {
	const parts: Json[] = []
	eachMember(tree, (key, value) => {
		const isPart =
			kind === 'AlterTableStmt'
				? key === 'AlterTableCmd' && isJsonObject(value) && value.subtype !== 'AT_ColumnDefault'
				: evaluatedMembers.has(key) ||
					(key === 'Constraint' && isJsonObject(value) && value.contype === 'CONSTR_EXCLUSION')
		if (isPart) parts.push(value)
	})
	if (kind === 'AlterTableStmt') return parts.length === 0 ? {} : tree
	return kind === 'CreateStmt' || kind === 'CreateSchemaStmt' ? { List: parts } : tree
}

export async function assess(assessed: Assessed, signal: AbortSignal): Promise<Assessment> {
	const [[kind = '', body] = []] = Object.entries(assessed.tree ?? {})
	// The server may know what this grammar does not.
	if (!isJsonObject(body)) return { unrehearsed: 'This driver cannot read the statement.' }
	// A rollback undoes neither a file nor what a program does.
	if (kind === 'CopyStmt' && (body.filename !== undefined || body.is_program === true))
		return { unrehearsed: `It uses a ${body.is_program === true ? 'program' : 'file'} of the server.` }
	if (kind === 'AlterDomainStmt' && checksStored.has(body.subtype))
		return { unrehearsed: 'It runs the checks of the domain on all values that are stored.' }
	const loss = lossOf(assessed.tree)
	const isDefinition = changing.has(kind) ? makesTable(assessed.tree) : !eventless.has(kind) && !loss
	const events = isDefinition ? await assessed.using(session => readEventTriggers(session, signal)) : []
	if (events.length > 0)
		return { unrehearsed: `It runs what event triggers do, which was not tried: ${namedFirst(events)}.` }
	if (assessed.rehearses && changing.has(kind)) return rehearsed(assessed, { kind, signal })
	try {
		if (evaluating.has(kind)) {
			const isEverywhere = maintaining.has(kind) && body.relation === undefined && body.rels === undefined
			const unrehearsed = await assessed.judgePart(evaluatedBy(kind, assessed.tree ?? {}), isEverywhere)
			return unrehearsed === undefined ? {} : { unrehearsed }
		}
		if (loss) return await ofTables(assessed, loss, signal)
		const schemas = schemasDroppedBy(assessed.tree)
		if (schemas.length > 0) return await assessed.using(session => ofSchemas(session, schemas, signal))
	} catch (error) {
		// The statement's own error is more helpful.
		if (!isDriverError(error) || error.code === 'not_connected') throw error
	}
	return changing.has(kind) ? { unrehearsed: 'Its effect was not tried.' } : {}
}

/** SQLSTATEs of a limit of the rehearsal: a lock that another session holds, and a statement that takes too long. */
const limits = new Map([
	['55P03', 'Another session has locked its rows, so its effect was not tried.'],
	['57014', 'It takes too long to be tried first.'],
])

async function rehearsed(
	assessed: Assessed,
	{ kind, signal }: { readonly kind: string; readonly signal: AbortSignal },
): Promise<Assessment> {
	const unrehearsed = await assessed.judge()
	if (unrehearsed !== undefined) return { unrehearsed }
	try {
		const effect = await assessed.rehearse()
		const catalog = effect.tables.find(({ table }) => table.startsWith('pg_catalog.'))
		if (catalog) return { unrehearsed: `It changes ${catalog.table}, which the server itself works by.` }
		const [table, ...others] = effect.tables
		const isInsertion = kind === 'InsertStmt' && table && others.length === 0 && table.updated + table.deleted === 0
		return { effect, ...(isInsertion && { scope: `${effect.place} ${table.table}`.slice(0, longestScope) }) }
	} catch (error) {
		signal.throwIfAborted()
		if (!isDriverError(error) || isChangedMeanwhile(error)) throw error
		const limit = limits.get(error.engineCode ?? '')
		if (limit !== undefined) return { unrehearsed: limit }
		if (error.code === 'unsupported') return { unrehearsed: error.message }
		if (error.code === 'not_connected') throw error
		return { fault: faultOf(error) }
	}
}

const longestScope = 1_000

/** What a statement without a condition destroys, and `isHeld`: whether its run can look at it under a lock. */
type TextualLoss = Loss & { readonly isHeld: boolean }

/** Returns the tables that a statement destroys or changes as a whole. */
export function lossOf(tree: Tree | undefined): TextualLoss | undefined {
	const [[kind = '', body] = []] = Object.entries(tree ?? {})
	if (!isJsonObject(body)) return undefined
	const isCascade = body.behavior === 'DROP_CASCADE'
	if ((kind === 'DeleteStmt' || kind === 'UpdateStmt') && body.whereClause === undefined)
		return { kind: 'truncate', names: namesIn(body.relation), isCascade, isHeld: false }
	if (kind === 'TruncateStmt') return { kind: 'truncate', names: namesIn(body.relations), isCascade, isHeld: true }
	if (kind === 'DropStmt' && body.removeType === 'OBJECT_TABLE')
		return { kind: 'drop', names: namesIn(body.objects), isCascade, isHeld: true }
	return undefined
}

async function ofTables({ using, judgePart }: Assessed, loss: TextualLoss, signal: AbortSignal): Promise<Assessment> {
	const { held, named, others, triggers, emptied } = await using(session => lookUp(session, loss, signal))
	if (named.length === 0) return {}
	// The server makes their indexes again, and computes the constants in them.
	const tables = emptied.map(({ schema, table }) => ({ RangeVar: { schemaname: schema, relname: table } }))
	const reason = loss.kind === 'truncate' && loss.isHeld ? await judgePart({ List: tables }, false) : undefined
	const verb = loss.kind === 'drop' ? 'the table' : 'all rows of'
	const { rows } = loss.isHeld ? held : {}
	const names = named.map(({ name, estimate }) =>
		rows === undefined && estimate > 0 ? `${verb} ${name}, about ${rowsText(estimate)}` : `${verb} ${name}`,
	)
	const parts = [
		`${names.join('; ')}${rows === undefined ? '' : `, ${rowsText(rows)}`}`,
		...(loss.isCascade && loss.kind === 'drop' ? ['and all that depends on it, in other tables too'] : []),
		...(loss.isCascade && others.length > 0 ? [`with all rows of ${namedFirst(others)}`] : []),
		...(triggers.length > 0 ? [`and what its triggers do, which was not tried: ${namedFirst(triggers)}`] : []),
	]
	if (reason !== undefined) parts.push(`and more, which was not tried: ${reason}`)
	return { destroys: parts.join('; '), ...(loss.isHeld && { held }) }
}

/** Returns the schemas that a statement drops with all that they contain. Without CASCADE, the server refuses one that contains something. */
function schemasDroppedBy(tree: Tree | undefined): readonly string[] {
	const body = tree?.DropStmt
	if (!isJsonObject(body) || body.removeType !== 'OBJECT_SCHEMA' || body.behavior !== 'DROP_CASCADE') return []
	const objects = Array.isArray(body.objects) ? body.objects : []
	return objects.flatMap(object =>
		isJsonObject(object) && isJsonObject(object.String) && typeof object.String.sval === 'string'
			? object.String.sval
			: [],
	)
}

const isOneOf = (kinds: string) => `c.relkind operator(pg_catalog.=) any ('{${kinds}}'::pg_catalog."char"[])`

/** A partition is a part of its table, whose rows are those of its partitions. */
const schemasSql = (names: readonly string[]) => `
select n.nspname, pg_catalog.count(*) filter (where ${isOneOf('r,p,f,m')} and not c.relispartition),
	pg_catalog.sum(greatest(c.reltuples, 0::pg_catalog.float4)) filter (where ${isOneOf('r,f,m')}),
	pg_catalog.count(*) filter (where ${isOneOf('v')}),
	(select pg_catalog.count(*) from pg_catalog.pg_proc p where p.pronamespace operator(pg_catalog.=) n.oid)
from pg_catalog.pg_namespace n left join pg_catalog.pg_class c on c.relnamespace operator(pg_catalog.=) n.oid
where n.nspname operator(pg_catalog.=) any (array[${names.map(literal).join(', ')}]::pg_catalog.name[])
group by n.oid, n.nspname order by 1`

async function ofSchemas(session: Session, names: readonly string[], signal: AbortSignal): Promise<Assessment> {
	const { rows } = await session.query({ sql: schemasSql(names) }, signal)
	if (rows.length === 0) return {}
	const texts = rows.map(([name, tables, estimate, views, routines]) => {
		const [lost, about] = [Number(tables), Number(estimate ?? 0)]
		const parts = [
			...(lost > 0 ? [`${counted(lost, 'table')}${about > 0 ? ` with about ${rowsText(about)}` : ''}`] : []),
			...(Number(views) > 0 ? [counted(Number(views), 'view')] : []),
			...(Number(routines) > 0 ? [counted(Number(routines), 'routine')] : []),
		]
		return [`the schema ${quoted(name ?? '')}`, ...parts].join(', ')
	})
	return { destroys: `${texts.join('; ')}; and all that depends on it, in other schemas too` }
}

const counted = (number: number, noun: string) => `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`

const rowsText = (rows: number) => counted(rows, 'row')

/** Names in a question beside those of the statement. */
const mostNamed = 10

const namedFirst = (names: readonly string[]) =>
	`${names.slice(0, mostNamed).join(', ')}${names.length > mostNamed ? ' and others' : ''}`

/** A question does not wait for a lock or for a long count. */
async function lookUp(session: Session, loss: TextualLoss, signal: AbortSignal): Promise<Lost> {
	await session.command('set lock_timeout to 200; set statement_timeout to 2000', signal)
	try {
		return await readLost(session, loss, signal, { counts: loss.isHeld })
	} catch (error) {
		if (!isDriverError(error) || !limits.has(error.engineCode ?? '')) throw error
		return readLost(session, loss, signal, { counts: false })
	}
}

/** Returns the tables that a part of a tree names, as SQL. */
function namesIn(json: Json | undefined): readonly string[] {
	if (Array.isArray(json)) return json.flatMap(namesIn)
	if (!isJsonObject(json)) return []
	if (typeof json.relname === 'string')
		return [
			[json.schemaname, json.relname]
				.filter(part => typeof part === 'string')
				.map(quote)
				.join('.'),
		]
	if (isJsonObject(json.RangeVar)) return namesIn(json.RangeVar)
	if (isJsonObject(json.List) && Array.isArray(json.List.items)) {
		const parts = json.List.items.map(item => isJsonObject(item) && isJsonObject(item.String) && item.String.sval)
		return [
			parts
				.filter(part => typeof part === 'string')
				.map(quote)
				.join('.'),
		]
	}
	return []
}

const quote = (name: Json) => quoted(String(name))
