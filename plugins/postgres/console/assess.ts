import { type Assessment, type Effect, faultOf, isDriverError, isJsonObject, type Json } from '@roundhouse/kit'
import { isChangedMeanwhile } from '../judge/judge.ts'
import { literal, quoted } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import type { Tree } from './parser.ts'

/** The effect of a statement before the user agrees: a rehearsal where rows change, a look-up where a definition is lost. */

interface Assessed {
	readonly tree: Tree | undefined
	/** Whether the host allows a rehearsal. */
	readonly rehearses: boolean
	/** Returns why a rollback does not undo the statement, or `undefined`. */
	judge(): Promise<string | undefined>
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

/** Definitions that evaluate expressions for rows that are there. They lock the table, so they are not rehearsed. */
const evaluating = new Set('AlterTableStmt IndexStmt RefreshMatViewStmt ReindexStmt VacuumStmt ClusterStmt'.split(' '))

export async function assess(assessed: Assessed, signal: AbortSignal): Promise<Assessment> {
	const [[kind = '', body] = []] = Object.entries(assessed.tree ?? {})
	// The server may know what this grammar does not.
	if (!isJsonObject(body)) return { unrehearsed: 'This driver cannot read the statement.' }
	if (assessed.rehearses && changing.has(kind)) return rehearsed(assessed, { kind, signal })
	try {
		if (evaluating.has(kind)) {
			const unrehearsed = await assessed.judge()
			return unrehearsed === undefined ? {} : { unrehearsed }
		}
		const isWhole = (kind === 'DeleteStmt' || kind === 'UpdateStmt') && body.whereClause === undefined
		if (isWhole) return await ofTables(assessed, { names: namesIn(body.relation), verb: 'all rows of', body }, signal)
		if (kind === 'TruncateStmt')
			return await ofTables(assessed, { names: namesIn(body.relations), verb: 'all rows of', body }, signal)
		if (kind === 'DropStmt' && body.removeType === 'OBJECT_TABLE')
			return await ofTables(assessed, { names: namesIn(body.objects), verb: 'the table', body }, signal)
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
		const [table, ...others] = effect.tables
		const isInsertion = kind === 'InsertStmt' && table && others.length === 0 && table.updated + table.deleted === 0
		return { effect, ...(isInsertion && { scope: `${effect.place} ${table.table}`.slice(0, longestScope) }) }
	} catch (error) {
		signal.throwIfAborted()
		if (!isDriverError(error) || isChangedMeanwhile(error)) throw error
		const limit = limits.get(error.engineCode ?? '')
		if (limit !== undefined) return { unrehearsed: limit }
		if (error.code === 'not_connected') throw error
		return { fault: faultOf(error) }
	}
}

const longestScope = 1_000

interface Lost {
	readonly names: readonly string[]
	readonly verb: string
	readonly body: { readonly [key: string]: Json }
}

async function ofTables({ using }: Assessed, { names, verb, body }: Lost, signal: AbortSignal): Promise<Assessment> {
	const list = names.map(name => `(${literal(name)})`).join(', ')
	// The session has the path of the statement, and this finds nothing by it but the names of the tables.
	const sql = `select v.name, c.reltuples::pg_catalog.numeric, pg_catalog.concat(c.oid, ' ', c.relnamespace::pg_catalog.regnamespace) from (values ${list}) v(name) join pg_catalog.pg_class c on c.oid operator(pg_catalog.=) pg_catalog.to_regclass(v.name)`
	const { rows } = await using(session => session.read({ sql }, signal))
	const texts = rows.map(
		([name, count]) =>
			`${verb} ${name}${Number(count) > 0 ? `, about ${Number(count).toLocaleString('en-US')} rows` : ''}`,
	)
	const more = body.behavior === 'DROP_CASCADE' ? '; and all that depends on it, in other tables too' : ''
	return texts.length === 0 ? {} : { destroys: `${texts.join('; ')}${more}` }
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
