import { type Assessment, isDriverError, isJsonObject, type Json, type Statement } from '@roundhouse/kit'
import { literal, quoted } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import type { Analysed } from './analyse.ts'
import { plannedRows } from './explain.ts'
import { queryOf } from './run.ts'

/** The effect of a statement before it runs, by the planner. Nothing is written. */
export async function assess(
	session: Session,
	{ statement, verdict }: { readonly statement: Statement; readonly verdict: Analysed | undefined },
	signal: AbortSignal,
): Promise<Assessment> {
	const tree = verdict?.tree
	const [[kind = '', body] = []] = Object.entries(tree ?? {})
	// To plan a statement is to run what it computes of constants.
	if (!isJsonObject(body) || verdict?.unknown !== undefined) return {}
	try {
		if (kind === 'UpdateStmt' || kind === 'DeleteStmt')
			return await ofChange(session, { statement, kind, body }, signal)
		if (kind === 'InsertStmt') return await ofInsertion(session, { statement, body }, signal)
		if (kind === 'TruncateStmt')
			return await ofTables(session, { names: namesIn(body.relations), verb: 'all rows of', body }, signal)
		if (kind === 'DropStmt' && body.removeType === 'OBJECT_TABLE')
			return await ofTables(session, { names: namesIn(body.objects), verb: 'the table', body }, signal)
	} catch (error) {
		// The statement's own error is more helpful.
		if (!isDriverError(error) || error.code === 'not_connected') throw error
	}
	return {}
}

interface Change {
	readonly statement: Statement
	readonly kind: string
	readonly body: { readonly [key: string]: Json }
}

async function ofChange(session: Session, { statement, kind, body }: Change, signal: AbortSignal): Promise<Assessment> {
	const value = await planned(session, statement, signal)
	const affects = { value, isExact: false, bound: 'about' } as const
	if (kind === 'UpdateStmt' || body.whereClause !== undefined) return { affects }
	const [name = 'the table'] = namesIn(body.relation)
	return { affects, destroys: `all rows of ${name}, about ${value.toLocaleString('en-US')}` }
}

async function ofInsertion(
	session: Session,
	{ statement, body }: Omit<Change, 'kind'>,
	signal: AbortSignal,
): Promise<Assessment> {
	const [name = ''] = namesIn(body.relation)
	// The name can refer to another table after a change of the search path or of the table.
	const sql = `select pg_catalog.to_regclass(${literal(name)})::pg_catalog.oid`
	const { rows } = await session.read({ sql }, signal, { path: 'user' })
	const scope = rows[0]?.[0]
	const value = await planned(session, statement, signal)
	return { affects: { value, isExact: false, bound: 'about' }, ...(scope && { scope: `table ${scope}` }) }
}

async function planned(session: Session, statement: Statement, signal: AbortSignal): Promise<number> {
	const query = queryOf(statement)
	const { rows } = await session.read({ ...query, sql: `explain (format json) ${query.sql}` }, signal, { path: 'user' })
	return plannedRows(rows[0]?.[0])
}

async function ofTables(
	session: Session,
	{ names, verb, body }: { readonly names: readonly string[]; readonly verb: string } & Pick<Change, 'body'>,
	signal: AbortSignal,
): Promise<Assessment> {
	const list = names.map(name => `(${literal(name)})`).join(', ')
	const sql = `select name, c.reltuples::pg_catalog.numeric from (values ${list}) v(name) join pg_catalog.pg_class c on c.oid operator(pg_catalog.=) pg_catalog.to_regclass(name)`
	const { rows } = await session.read({ sql }, signal, { path: 'user' })
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
