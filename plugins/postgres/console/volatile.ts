import { volatileBuiltIns } from '../judge/volatile-built-ins.ts'
import type { Session } from '../wire/session.ts'
import { kindsOfNames, type Names, namesBy } from './collect.ts'

/** Volatile functions of PostgreSQL that change nothing. */
const harmless = [...new Set(Object.keys(volatileBuiltIns).map(signature => signature.replace(/\(.*/, '')))]

/** SQL of whether the function `p` is volatile. An aggregate is as volatile as the functions that it is made of. */
const isVolatile = `(p.provolatile = 'v' and not (p.pronamespace = 'pg_catalog'::regnamespace and p.proname = any ($7))
	or p.prokind = 'a' and exists (select from pg_aggregate g join pg_proc s
		on s.oid in (g.aggtransfn, g.aggfinalfn, g.aggcombinefn, g.aggmtransfn, g.aggminvtransfn, g.aggmfinalfn)
		where g.aggfnoid = p.oid and s.provolatile = 'v'))`

/** SQL of what the view `r` uses, as `d`. */
const uses = `join pg_rewrite w on w.ev_class = r.oid join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid`

/**
 * A name may have several functions. One volatile one is enough. A view is as volatile as the functions that it calls, also
 * through other views. Functions of a row look like its columns, and functions of any value like its fields.
 */
const sql = `
with recursive reached(named, oid) as (
	select relname, oid from pg_class where relname = any ($6) and relkind = 'v'
	union
	select r.named, d.refobjid from reached r ${uses}
		join pg_class c on d.refclassid = 'pg_class'::regclass and c.oid = d.refobjid and c.relkind = 'v'
)
select 'functions', p.proname from pg_proc p where p.proname = any ($1) and ${isVolatile}
union
select 'attributes', p.proname from pg_proc p join pg_type t on t.oid = p.proargtypes[0]
	where p.proname = any ($2) and p.pronargs = 1 and t.typtype = 'c' and ${isVolatile}
union
select 'fields', p.proname from pg_proc p
	where p.proname = any ($3) and p.pronargs > 0 and p.pronargs - p.pronargdefaults <= 1 and ${isVolatile}
union
select 'operators', o.oprname from pg_operator o join pg_proc p on p.oid = o.oprcode where o.oprname = any ($4) and ${isVolatile}
union
select 'types', t.typname from pg_type t join pg_cast c on c.casttarget = t.oid join pg_proc p on p.oid = c.castfunc
	where t.typname = any ($5) and ${isVolatile}
union
select 'relations', r.named from reached r ${uses} join pg_proc p on d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid
	where ${isVolatile}
union
select 'functions', missing.name from unnest($1::text[]) missing(name) where not exists (select from pg_proc where proname = missing.name)`

/**
 * Returns the names that stand for a volatile function, except a harmless one of PostgreSQL, or for none. Not everything
 * that a statement calls can be found, for example in the check of a domain. So what is found to read runs where the
 * server refuses writes.
 */
export async function findVolatile(session: Session, names: Names, signal: AbortSignal): Promise<Names> {
	const asked = kindsOfNames.map(kind => names[kind])
	if (asked.every(({ size }) => size === 0)) return names
	const values = [...asked, harmless].map(names => arrayOf([...names]))
	const { rows } = await session.read({ sql, values, preparedAs: 'roundhouse_volatile' }, signal)
	return namesBy(wanted => new Set(rows.flatMap(([kind, name]) => (kind === wanted ? (name ?? []) : []))))
}

/** Returns an array of PostgreSQL in its text format. */
export const arrayOf = (texts: readonly string[]) =>
	`{${texts.map(text => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
