import type { Table } from '@roundhouse/kit'
import { nameOf } from '../sql/names.ts'
import type { Session, TextRow } from '../wire/session.ts'
import { cannotOf, takenChanges } from './cannot.ts'
import { kinds } from './kinds.ts'

/** The list of tables, with estimates that the server keeps. */

/** A partitioned table stores nothing itself, so its partitions are added up. */
const listing = `
select n.nspname, c.relname, c.relkind, c.relispartition, c.relrowsecurity,
	case when c.relkind in ('r', 'm') then c.reltuples::numeric
		when c.relkind = 'p' then parts.rows end,
	case when c.relkind in ('r', 'm') then pg_total_relation_size(c.oid) when c.relkind = 'p' then coalesce(parts.size, 0) end,
	parent.relname,${takenChanges}
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
left join pg_class parent on parent.oid = i.inhparent
cross join lateral (
	select sum(greatest(p.reltuples, 0)::float8)::numeric as rows, sum(pg_total_relation_size(p.oid)) as size
	from pg_partition_tree(c.oid) t join pg_class p on p.oid = t.relid where c.relkind = 'p' and t.isleaf
) parts
where c.relkind in ('r', 'p', 'v', 'm', 'f')
	and n.nspname !~ '^pg_(toast|temp)' and n.nspname not in ('pg_catalog', 'information_schema')
	and has_schema_privilege(n.oid, 'usage')
	and (has_table_privilege(c.oid, 'select') or has_any_column_privilege(c.oid, 'select'))
order by n.nspname, coalesce(parent.relname, c.relname), c.relispartition, c.relname`

/** @param database names tables of another database than that of the connection */
export async function listTables(
	session: Session,
	{ database, levels }: { readonly database: string | undefined; readonly levels: readonly string[] },
	signal: AbortSignal,
): Promise<readonly Table[]> {
	const { rows } = await session.read({ sql: listing }, signal)
	return rows.map(row => tableOf(row, database, levels))
}

function tableOf(row: TextRow, database: string | undefined, levels: readonly string[]): Table {
	const [schema = '', name = '', kind = '', isPartition, , count, size, parent, taken, rights] = row
	const place = { database, schema: schema ?? '', table: name ?? '' }
	const word = isPartition === 't' ? `partition of ${parent}` : kinds[kind ?? '']
	const rowCount = Number(count ?? -1)
	return {
		name: nameOf(place),
		title: place.table,
		path: [...levels, place.schema],
		...(word !== undefined && { kind: word }),
		// A table that was never analysed has -1.
		...(rowCount >= 0 && { rowCount, isRowCountEstimated: true }),
		...(size !== null && size !== undefined && { sizeBytes: Number(size) }),
		...cannotOf({ kind: kind ?? '', taken: Number(taken), rights: Number(rights) }),
	}
}
