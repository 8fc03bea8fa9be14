import type { Reference } from '@roundhouse/kit'
import { nameOf, type QualifiedName } from '../sql/names.ts'
import type { TextRow } from '../wire/session.ts'

/** Foreign keys of the table, and those of other tables that refer to it. */
export const foreignKeys = `
select n.nspname, f.relname,
	(select json_agg(a.attname order by k.place) from unnest(case when c.conrelid = $1::oid then c.conkey else c.confkey end)
		with ordinality k(number, place) join pg_attribute a on a.attrelid = $1::oid and a.attnum = k.number),
	(select json_agg(a.attname order by k.place) from unnest(case when c.conrelid = $1::oid then c.confkey else c.conkey end)
		with ordinality k(number, place) join pg_attribute a on a.attrelid = f.oid and a.attnum = k.number),
	c.conrelid = $1::oid, c.confrelid = $1::oid,
	case c.confdeltype when 'c' then 'cascade' when 'n' then 'set null' when 'd' then 'set default' when 'r' then 'restrict' else 'no action' end
from pg_constraint c
join pg_class f on f.oid = case when c.conrelid = $1::oid then c.confrelid else c.conrelid end
join pg_namespace n on n.oid = f.relnamespace
where c.contype = 'f' and $1::oid in (c.conrelid, c.confrelid) and not f.relispartition
order by c.conname`

/** What a table refers to, and what refers to it. */
export interface References {
	readonly references: readonly Reference[]
	readonly referrers: readonly Reference[]
}

/** Returns the foreign keys in the rows of {@link foreignKeys}, both ways. */
export function referencesIn(rows: readonly TextRow[], { database }: QualifiedName): References {
	const all = rows.map(([schema, table, columns, to, isOwn, isReferred, onDelete]) => {
		const [here, there]: readonly (readonly string[])[] = [JSON.parse(columns ?? '[]'), JSON.parse(to ?? '[]')]
		const reference = {
			columns: here ?? [],
			table: nameOf({ database, schema: schema ?? '', table: table ?? '' }),
			to: there ?? [],
		}
		return { reference, isOwn: isOwn === 't', isReferred: isReferred === 't', onDelete: onDelete ?? '' }
	})
	// A table that refers to itself is both.
	const turned = ({ columns, to, table }: Reference): Reference => ({ columns: to, table, to: columns })
	return {
		references: all.filter(({ isOwn }) => isOwn).map(({ reference }) => reference),
		referrers: all
			.filter(({ isReferred }) => isReferred)
			.map(({ reference, isOwn, onDelete }) => ({ ...(isOwn ? turned(reference) : reference), onDelete })),
	}
}
