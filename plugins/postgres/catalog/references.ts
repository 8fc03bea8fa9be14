import type { Reference } from '@roundhouse/kit'
import { nameOf, type TablePlace } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'

const foreignKeys = `
select n.nspname, f.relname,
	(select json_agg(a.attname order by k.place) from unnest(c.conkey) with ordinality k(number, place)
		join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number),
	(select json_agg(a.attname order by k.place) from unnest(c.confkey) with ordinality k(number, place)
		join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number)
from pg_constraint c
join pg_class f on f.oid = c.confrelid join pg_namespace n on n.oid = f.relnamespace
where c.contype = 'f' and c.conrelid = $1::oid and not f.relispartition
order by c.conname`

/** Returns the foreign keys of a table. */
export async function referencesOf(
	session: Session,
	{ oid, place: { database } }: { readonly oid: string; readonly place: TablePlace },
	signal: AbortSignal,
): Promise<readonly Reference[]> {
	const { rows } = await session.read({ sql: foreignKeys, values: [oid] }, signal)
	return rows.map(([schema, table, columns, to]) => ({
		columns: JSON.parse(columns ?? '[]'),
		table: nameOf({ database, schema: schema ?? '', table: table ?? '' }),
		to: JSON.parse(to ?? '[]'),
	}))
}
