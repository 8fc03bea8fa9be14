import type { Session } from '../wire/session.ts'
import type { Contents } from './collect.ts'

/** A name may have several functions. One volatile one is enough. Functions of a row look like its columns. */
const sql = `
select distinct p.proname from pg_proc p where p.proname = any ($1) and p.provolatile = 'v'
union
select p.proname from pg_proc p join pg_type t on t.oid = p.proargtypes[0]
	where p.proname = any ($2) and p.provolatile = 'v' and p.pronargs = 1 and t.typtype = 'c'
union
select o.oprname from pg_operator o join pg_proc p on p.oid = o.oprcode where o.oprname = any ($3) and p.provolatile = 'v'
union
select missing.name from unnest($1::text[]) missing(name) where not exists (select from pg_proc where proname = missing.name)`

/** Returns the names that stand for a volatile function, or for none. */
export async function findVolatile(
	session: Session,
	{ functions, attributes, operators }: Pick<Contents, 'functions' | 'attributes' | 'operators'>,
	signal: AbortSignal,
): Promise<readonly string[]> {
	if (functions.size + attributes.size + operators.size === 0) return []
	const values = [functions, attributes, operators].map(names => arrayOf([...names]))
	const { rows } = await session.read({ sql, values }, signal)
	return rows.map(([name]) => name ?? '')
}

/** Returns an array of PostgreSQL in its text format. */
export const arrayOf = (texts: readonly string[]) =>
	`{${texts.map(text => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
