import { DriverError, type FactSection } from '@roundhouse/kit'
import { kinds } from '../catalog/kinds.ts'
import { exclusive, measured, partitionsBelow, sizeWords, sumOf, written } from '../catalog/sizes.ts'
import { parseName } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import { definitionOf } from './definition.ts'
import { factsSection, type ListQuery, listSection, rightsOf } from './section.ts'

/**
 * Facts about one table, also while another session has locked it. The description that grids use would wait for the lock.
 * @throws DriverError `not_found`
 */
export async function tableFacts(session: Session, name: string, signal: AbortSignal): Promise<readonly FactSection[]> {
	const place = parseName(name)
	const { rows } = await session.read({ sql: relation, values: [place.schema, place.table] }, signal)
	const [oid, kind] = rows[0] ?? []
	if (!oid || !kind) throw new DriverError('not_found', `There is no table ${name}.`)
	const values = [oid]
	const about = await factsSection(session, { ...overview, values }, signal)
	const sections: FactSection[] = [
		{ ...about, facts: [{ name: 'Kind', value: kinds[kind] ?? 'table' }, ...(about.facts ?? [])] },
		...(await definitionOf(session, { place, oid, kind }, signal)),
	]
	for (const list of lists) sections.push(await listSection(session, { ...list, values }, signal))
	// A list without rows that has no words for that is left out.
	return sections.filter(({ facts, list, code, notice }) => facts ?? list ?? code ?? notice)
}

const relation = `
select c.oid, c.relkind from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relname = $2 and c.relkind in ('r', 'p', 'v', 'm', 'f')`

// A partitioned table stores nothing itself, so its partitions are added up.
const overview = {
	title: 'Overview',
	titles: ['Owner', 'Rows, about', 'Size', 'Indexes', 'Total', 'Dead rows', 'Last vacuum', 'Last analyze', 'Locked by'],
	sql: `
select obj_description(c.oid, 'pg_class'), pg_get_userbyid(c.relowner), to_char(stored.rows, 'FM999,999,999,990'), ${sizeWords('stored.size')},
	${sizeWords('stored.indexes')}, ${sizeWords('stored.size + stored.indexes')}, to_char(stored.dead, 'FM999,999,999,990'),
	coalesce(to_char(greatest(s.last_vacuum, s.last_autovacuum), 'YYYY-MM-DD HH24:MI'), 'never'),
	coalesce(to_char(greatest(s.last_analyze, s.last_autoanalyze), 'YYYY-MM-DD HH24:MI'), 'never'),
	(select string_agg(concat_ws(', ', coalesce('PID ' || a.pid, 'a prepared transaction'), a.usename, nullif(a.application_name, ''), a.state,
			case when not l.granted then 'waits for the lock' end), '; ' order by l.granted desc) from pg_locks l
		left join pg_stat_activity a on a.pid = l.pid where l.relation = c.oid and ${exclusive})
from pg_class c left join pg_stat_all_tables s on s.relid = c.oid
cross join lateral (
	select coalesce(sum(greatest(p.reltuples, 0)::float8), 0)::numeric as rows, ${sumOf('m.own')} as size,
		${sumOf('m.indexes')} as indexes, sum(d.n_dead_tup) as dead
	from (select c.oid union all (${partitionsBelow})) part(oid)
	join pg_class p on p.oid = part.oid and p.relkind <> 'p'
	cross join lateral (select ${measured('p.oid', 'pg_table_size(p.oid)')}, ${measured('p.oid', 'pg_indexes_size(p.oid)')} offset 0) m(own, indexes)
	left join pg_stat_all_tables d on d.relid = p.oid
) stored
where c.oid = $1::oid`,
}

/** A table has no more columns. https://www.postgresql.org/docs/current/limits.html */
const mostColumns = 1_600

const columnDefault = `case when d.oid is not null then ${written('a.attrelid', 'pg_get_expr(d.adbin, d.adrelid)')} end`

/** Columns that the role may read. */
const columns = `
select a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'yes' end,
	case when a.attgenerated <> '' or a.attidentity = 'a' then 'generated always' when a.attidentity = 'd' then 'generated default' else ${columnDefault} end,
	concat_ws(' ', col_description(a.attrelid, a.attnum), case when a.attgenerated <> '' then 'Computed: ' || ${columnDefault} end)
from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped and has_column_privilege(a.attrelid, a.attnum, 'select') order by a.attnum`
const indexes = `
select c.relname, ${written('i.indrelid', 'pg_get_indexdef(i.indexrelid)')}, ${sizeWords(measured('i.indrelid', 'pg_relation_size(i.indexrelid)'))}, s.idx_scan, i.indisvalid::text
from pg_index i join pg_class c on c.oid = i.indexrelid left join pg_stat_all_indexes s on s.indexrelid = i.indexrelid
where i.indrelid = $1::oid order by i.indisprimary desc, c.relname`
const constraints = `select conname, case when contype in ('c', 'x') then ${written('conrelid', 'pg_get_constraintdef(oid)')} else pg_get_constraintdef(oid) end from pg_constraint where conrelid = $1::oid order by contype <> 'p', conname`
const referrers = `
select conrelid::regclass, conname, pg_get_constraintdef(oid) from pg_constraint
where contype = 'f' and confrelid = $1::oid and conparentid = 0 order by 1, 2`
const triggers = `
select tgname, ${written('tgrelid', 'pg_get_triggerdef(oid)')}, case tgenabled when 'D' then 'no' else 'yes' end from pg_trigger
where tgrelid = $1::oid and not tgisinternal order by tgname`
const partitions = `
select c.oid::regclass, ${written('c.oid', 'pg_get_expr(c.relpartbound, c.oid)')}, to_char(greatest(c.reltuples, 0), 'FM999,999,999,990'), ${sizeWords(measured('c.oid', 'pg_total_relation_size(c.oid)'))}
from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::oid and c.relispartition order by 1`
const policies = `
select polname, case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
	(select string_agg(case r when 0 then 'public' else pg_get_userbyid(r) end, ', ') from unnest(polroles) r), ${written('polrelid', 'pg_get_expr(polqual, polrelid)')}, ${written('polrelid', 'pg_get_expr(polwithcheck, polrelid)')}
from pg_policy where polrelid = $1::oid order by polname`
const rights = `
select role, rights, null from (${rightsOf('pg_class', 'o.relacl')}) on_table(role, rights)
union all select case x.grantee when 0 then 'public' else pg_get_userbyid(x.grantee) end, lower(x.privilege_type), string_agg(quote_ident(a.attname), ', ' order by a.attnum)
from pg_attribute a cross join lateral aclexplode(a.attacl) x where a.attrelid = $1::oid and not a.attisdropped group by 1, 2 order by 1, 3 nulls first`

const lists: readonly ListQuery[] = [
	{
		title: 'Columns',
		columns: ['Name', 'Type', 'Not null', 'Default', 'Comment'],
		empty: 'Your role may read none of its columns.',
		sql: columns,
		most: mostColumns,
	},
	{
		title: 'Indexes',
		columns: ['Name', 'Definition', 'Size', 'Scans', 'Valid'],
		empty: 'It has no index.',
		sql: indexes,
	},
	{ title: 'Constraints', columns: ['Name', 'Definition'], empty: 'It has no constraint.', sql: constraints },
	{ title: 'Referred to by', columns: ['Table', 'Constraint', 'Definition'], sql: referrers },
	{ title: 'Triggers', columns: ['Name', 'Definition', 'Enabled'], sql: triggers },
	{ title: 'Partitions', columns: ['Partition', 'Bounds', 'Rows, about', 'Size'], sql: partitions },
	{ title: 'Policies', columns: ['Name', 'Command', 'Roles', 'Using', 'With check'], sql: policies },
	{
		title: 'Rights',
		columns: ['Role', 'Rights', 'Only on columns'],
		empty: 'Only its owner has rights.',
		sql: rights,
	},
]
