import { type FoundColumn, logTextNames, type Table } from '@roundhouse/kit'
import { literal, nameOf } from '../sql/names.ts'
import type { Session, TextRow } from '../wire/session.ts'
import { cannotOf, takenChanges } from './cannot.ts'
import type { ListedDatabase } from './databases.ts'
import { kinds } from './kinds.ts'
import { shortType } from './short-type.ts'
import { lockedTables, measured, partitionsBelow, sumOf } from './sizes.ts'

/** The list of tables, with estimates that the server keeps. */

/** Condition for the schemas (`n`) of users. */
export const inUserSchema = `n.nspname !~ '^pg_(toast|temp)' and n.nspname not in ('pg_catalog', 'information_schema')
	and has_schema_privilege(n.oid, 'usage')`

const isListed = `c.relkind in ('r', 'p', 'v', 'm', 'f') and ${inUserSchema}
	and (has_table_privilege(c.oid, 'select') or has_any_column_privilege(c.oid, 'select'))`

/**
 * The time of a log, where an index gives the newest rows: without one, a server sorts the whole table. A column without
 * NOT NULL would have its rows without a time first.
 */
const timeOfLog = `select a.attname from pg_index x join pg_class i on i.oid = x.indexrelid join pg_am m on m.oid = i.relam
	join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
	where x.indrelid = c.oid and x.indisvalid and x.indpred is null and m.amname = 'btree' and a.attnotnull
		and a.atttypid in ('timestamp'::regtype, 'timestamptz'::regtype) and exists (select from pg_attribute t
			where t.attrelid = c.oid and not t.attisdropped and lower(t.attname) in (${logTextNames.map(literal).join(', ')}))
	order by x.indexrelid limit 1`

/** A partitioned table stores nothing itself, so its partitions are added up. */
const listing = `
select n.nspname, c.relname, c.relkind, c.relispartition, c.relrowsecurity,
	case when c.relkind in ('r', 'm') then c.reltuples::numeric
		when c.relkind = 'p' then parts.rows end,
	case when c.relkind in ('r', 'm') then ${measured('c.oid', 'pg_total_relation_size(c.oid)')} when c.relkind = 'p' then parts.size end,
	parent.relname, up.nspname,${takenChanges(`cardinality(${lockedTables}) > 0`)},
	(${timeOfLog})
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
left join pg_class parent on parent.oid = i.inhparent
left join pg_namespace up on up.oid = parent.relnamespace
cross join lateral (
	select sum(greatest(p.reltuples, 0)::float8)::numeric as rows, ${sumOf('m.size')} as size
	from (${partitionsBelow}) t join pg_class p on p.oid = t.oid and p.relkind <> 'p'
	cross join lateral (select ${measured('p.oid', 'pg_total_relation_size(p.oid)')} as size) m
) parts
where ${isListed}
order by n.nspname, coalesce(parent.relname, c.relname), c.relispartition, c.relname`

export async function listTables(
	session: Session,
	{ database, levels }: ListedDatabase,
	signal: AbortSignal,
): Promise<readonly Table[]> {
	const { rows } = await session.read({ sql: listing }, signal)
	return rows.map(row => tableOf(row, database, levels))
}

export const mostColumns = 1_000

/** Partitions have the columns of their table. */
const columns = `
select n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod)
from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
where a.attnum > 0 and not a.attisdropped and position(lower($1) in lower(a.attname)) > 0 and not c.relispartition
	and has_column_privilege(c.oid, a.attnum, 'select') and ${isListed}
order by n.nspname, c.relname, a.attnum`

/** Returns a function that lists the columns whose name contains a text. */
export const columnsNamed =
	(text: string) =>
	async (session: Session, { database }: ListedDatabase, signal: AbortSignal): Promise<readonly FoundColumn[]> => {
		const { rows } = await session.read({ sql: columns, values: [text], most: mostColumns }, signal)
		return rows.map(([schema, table, name, type]) => ({
			table: nameOf({ database, schema: schema ?? '', table: table ?? '' }),
			name: name ?? '',
			type: shortType(type ?? ''),
		}))
	}

function tableOf(row: TextRow, database: string | undefined, levels: readonly string[]): Table {
	const [schema = '', name = '', kind = '', isPartition, , count, size, parent, above, taken, rights, time] = row
	const place = { database, schema: schema ?? '', table: name ?? '' }
	const word = isPartition === 't' ? `partition of ${parent}` : kinds[kind ?? '']
	const rowCount = Number(count ?? -1)
	return {
		name: nameOf(place),
		title: place.table,
		path: [...levels, place.schema],
		...(database !== undefined && { database }),
		...(word !== undefined && { kind: word }),
		...(isPartition === 't' && { partitionOf: nameOf({ database, schema: above ?? '', table: parent ?? '' }) }),
		// A table that was never analysed has -1.
		...(rowCount >= 0 && { rowCount, isRowCountEstimated: true }),
		...(size !== null && size !== undefined && { sizeBytes: Number(size) }),
		...(time != null && { sort: [{ column: time, direction: 'desc' }] }),
		...cannotOf({ kind: kind ?? '', taken: Number(taken), rights: Number(rights) }),
	}
}
