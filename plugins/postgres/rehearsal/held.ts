import { createHash } from 'node:crypto'
import type { Held } from '@roundhouse/kit'
import { literal, type QualifiedName, qualified } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import { placeSql } from './measure.ts'

/** What a TRUNCATE or DROP TABLE destroys, by identity: a name can stand for another table when the statement runs. */

export interface Loss {
	readonly kind: 'truncate' | 'drop'
	/** The tables, as SQL. */
	readonly names: readonly string[]
	readonly isCascade: boolean
}

/** A table that a name of the statement stands for. */
interface Named {
	readonly name: string
	readonly oid: string
	/** Rows as the planner estimates them. */
	readonly estimate: number
}

export interface Lost {
	readonly held: Held
	readonly named: readonly Named[]
	/** Tables that lose their rows beside the named ones and their parts, as SQL. */
	readonly others: readonly string[]
	/** All tables that lose their rows. */
	readonly emptied: readonly Pick<QualifiedName, 'schema' | 'table'>[]
	/** Functions that their triggers, or event triggers, run, as SQL. */
	readonly triggers: readonly string[]
}

/** SQL of the names of the statement, one for each row. */
const named = (names: readonly string[]) => `(values ${names.map(name => `(${literal(name)})`).join(', ')}) v(name)`

/**
 * Everything that goes with the tables: parts of a partitioned table, what refers to a truncated one, and what depends on a
 * dropped one. A view depends by its rule. Indexes and TOAST tables are left out, because a maintenance makes them again.
 */
const lostSql = ({ kind, names, isCascade }: Loss) => `
with recursive found(name, oid) as (
	select v.name, pg_catalog.to_regclass(v.name)::pg_catalog.oid from ${named(names)}
), lost(classid, objid) as (
	select 'pg_catalog.pg_class'::pg_catalog.regclass::pg_catalog.oid, f.oid from found f where f.oid is not null
	union
	select n.classid, n.objid from lost l cross join lateral (
		${kind === 'drop' ? dependents : parts(isCascade)}
	) n(classid, objid)
)
select l.classid, l.objid, c.relkind, n.nspname, c.relname, c.reltuples::pg_catalog.numeric, f.name,
	c.relkind operator(pg_catalog.=) 'r' and pg_catalog.has_table_privilege(c.oid, 'select') and not pg_catalog.row_security_active(c.oid)
		and not exists (select from pg_catalog.pg_statistic_ext s where s.stxrelid operator(pg_catalog.=) c.oid)
		and not exists (select from pg_catalog.pg_index i where i.indrelid operator(pg_catalog.=) c.oid and (i.indexprs is not null or i.indpred is not null))
from lost l left join pg_catalog.pg_class c on c.oid operator(pg_catalog.=) l.objid and l.classid operator(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass::pg_catalog.oid
	left join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) c.relnamespace
	left join found f on f.oid operator(pg_catalog.=) c.oid
where c.relkind is null or c.relkind operator(pg_catalog.<>) all (array['i', 'I', 't']::pg_catalog."char"[])
order by 1, 2`

/** What runs if the tables are truncated, each with a digest of what it is now. */
const triggersSql = (oids: readonly string[]) => `
select distinct pg_catalog.concat(pg_catalog.quote_ident(n.nspname), '.', pg_catalog.quote_ident(p.proname)), p.oid, pg_catalog.md5(p.prosrc)
from pg_catalog.pg_trigger t join pg_catalog.pg_proc p on p.oid operator(pg_catalog.=) t.tgfoid
	join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) p.pronamespace
where t.tgrelid operator(pg_catalog.=) any (array[${oids.join(', ')}]::pg_catalog.oid[]) and not t.tgisinternal
	and t.tgenabled operator(pg_catalog.<>) 'D' and (t.tgtype operator(pg_catalog.&) 32::pg_catalog.int2) operator(pg_catalog.<>) 0::pg_catalog.int2
order by 2`

/** What runs if an object is defined or dropped, each with a digest of what it is now. */
const eventTriggersSql = `
select distinct pg_catalog.concat(pg_catalog.quote_ident(n.nspname), '.', pg_catalog.quote_ident(p.proname)), p.oid, pg_catalog.md5(p.prosrc)
from pg_catalog.pg_event_trigger e join pg_catalog.pg_proc p on p.oid operator(pg_catalog.=) e.evtfoid
	join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) p.pronamespace
where e.evtenabled operator(pg_catalog.<>) 'D' and e.evtevent operator(pg_catalog.<>) 'login'
order by 2`

/** Returns the functions that event triggers run, as SQL. */
export async function readEventTriggers(session: Session, signal: AbortSignal): Promise<readonly string[]> {
	const { rows } = await session.query({ sql: eventTriggersSql }, signal)
	return rows.flatMap(([name]) => name ?? [])
}

const dependents = `
select d.classid, d.objid from pg_catalog.pg_depend d
where d.refclassid operator(pg_catalog.=) l.classid and d.refobjid operator(pg_catalog.=) l.objid
union all
select 'pg_catalog.pg_class'::pg_catalog.regclass::pg_catalog.oid, r.ev_class from pg_catalog.pg_rewrite r
where l.classid operator(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass::pg_catalog.oid and r.oid operator(pg_catalog.=) l.objid`

const parts = (isCascade: boolean) => `
select l.classid, i.inhrelid from pg_catalog.pg_inherits i where i.inhparent operator(pg_catalog.=) l.objid
${isCascade ? "union all select l.classid, k.conrelid from pg_catalog.pg_constraint k where k.contype operator(pg_catalog.=) 'f' and k.confrelid operator(pg_catalog.=) l.objid" : ''}`

/** Returns what the names stand for now, and what would be lost. @param counts whether small tables are counted */
export async function readLost(
	session: Session,
	loss: Loss,
	signal: AbortSignal,
	{ counts = true } = {},
): Promise<Lost> {
	const { rows } = await session.query({ sql: lostSql(loss) }, signal)
	const [place] = (await session.query({ sql: placeSql }, signal)).rows
	const oids = rows.flatMap(([, oid, kind]) => (kind === null ? [] : (oid ?? [])))
	const acting = loss.kind === 'truncate' ? triggersSql(oids) : eventTriggersSql
	const run = (await session.query({ sql: acting }, signal)).rows
	const identity = JSON.stringify([place, rows.map(([classid, oid, , , , , name]) => [classid, oid, name]), run])
	const relations = rows.map(([, oid, kind, schema, table, estimate, name, isCountable]) => ({
		oid: oid ?? '',
		schema: schema ?? '',
		table: table ?? '',
		sql: qualified({ schema: schema ?? '', table: table ?? '' }),
		estimate: Number(estimate),
		name,
		hasRows: kind === 'r' || kind === 'f',
		isCountable: isCountable === 't',
	}))
	const emptied = relations.filter(({ hasRows }) => hasRows)
	const isCountable = counts && emptied.length <= mostCounted && emptied.every(({ isCountable }) => isCountable)
	const count = isCountable
		? await countRows(
				session,
				emptied.map(({ sql }) => sql),
				signal,
			)
		: undefined
	return {
		held: { identity: digestOf(identity), ...(count !== undefined && { rows: count }) },
		named: relations.flatMap(({ oid, estimate, name }) =>
			name === null || name === undefined ? [] : [{ oid, estimate, name }],
		),
		emptied,
		triggers: run.flatMap(([name]) => name ?? []),
		others: loss.kind === 'drop' ? [] : emptied.flatMap(({ name, sql }) => (name === null ? [sql] : [])),
	}
}

/** Tables that are counted. */
const mostCounted = 50
/** A larger table is not counted, because its count takes long: its question has an estimate. */
const mostRows = 10_000

async function countRows(
	session: Session,
	tables: readonly string[],
	signal: AbortSignal,
): Promise<number | undefined> {
	if (tables.length === 0) return 0
	const counts = tables.map(
		sql => `(select pg_catalog.count(*) from (select from only ${sql} limit ${mostRows + 1}) r)`,
	)
	const [counted = []] = (await session.query({ sql: `select ${counts.join(', ')}` }, signal)).rows
	const numbers = counted.map(Number)
	return numbers.every(number => number <= mostRows) ? numbers.reduce((sum, number) => sum + number, 0) : undefined
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/**
 * Runs a statement that destroys tables, and commits it if they are the ones that the user agreed to lose.
 * @returns the result, or `undefined` if it was rolled back because the loss is another one
 */
export async function commitHeld<T>(
	session: Session,
	{ loss, held, run }: { readonly loss: Loss; readonly held: Held; readonly run: () => Promise<T> },
	signal: AbortSignal,
): Promise<{ readonly result: T } | undefined> {
	// Each statement sees what was committed before it, so the count sees all rows under the lock.
	await session.begin(signal, { mode: 'isolation level read committed' })
	try {
		await lockNames(session, loss, signal)
		const { held: now, named } = await readLost(session, loss, signal)
		const isLarger = held.rows !== undefined && (now.rows === undefined || now.rows > held.rows)
		if (now.identity !== held.identity || isLarger) return undefined
		const result = await run()
		// A table that was made meanwhile in an earlier schema of the path would have been taken instead.
		if (session.transaction !== 'open' || !(await areTheOnes(session, { loss, named }, signal))) return undefined
		await session.command('commit', signal)
		return { result }
	} finally {
		if (session.transaction !== undefined) await session.command('rollback', AbortSignal.timeout(5_000))
	}
}

/** Locks the tables as the statement will, so that no other session renames them, fills them or drops them. */
async function lockNames(session: Session, { names }: Loss, signal: AbortSignal): Promise<void> {
	const { rows } = await session.query(
		{
			sql: `select v.name from ${named(names)} where pg_catalog.to_regclass(v.name) is not null`,
		},
		signal,
	)
	if (rows.length === 0) return
	await session.command('savepoint roundhouse_lock', signal)
	try {
		await session.command(`lock table ${rows.map(([name]) => name).join(', ')} in access exclusive mode`, signal)
	} catch {
		signal.throwIfAborted()
		// The owner of a schema drops tables that it may not lock. What was taken is looked at afterwards.
		await session.command('rollback to savepoint roundhouse_lock', signal)
	}
}

/** Whether a truncated table still has its name, which its lock keeps, and a dropped one is gone. */
async function areTheOnes(
	session: Session,
	{ loss, named }: { readonly loss: Loss; readonly named: Lost['named'] },
	signal: AbortSignal,
): Promise<boolean> {
	if (named.length === 0) return true
	const pairs = named.map(({ name, oid }) => `(${literal(name)}, ${literal(oid)}::pg_catalog.oid)`).join(', ')
	const isLeft =
		loss.kind === 'drop'
			? 'exists (select from pg_catalog.pg_class c where c.oid operator(pg_catalog.=) v.oid)'
			: 'coalesce(pg_catalog.to_regclass(v.name)::pg_catalog.oid operator(pg_catalog.<>) v.oid, true)'
	const { rows } = await session.query({ sql: `select from (values ${pairs}) v(name, oid) where ${isLeft}` }, signal)
	return rows.length === 0
}
