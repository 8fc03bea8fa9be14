import type { FactSection } from '@roundhouse/kit'
import { kinds } from '../catalog/kinds.ts'
import type { Shape } from '../catalog/shape.ts'
import type { Session } from '../wire/session.ts'
import { definitionOf } from './definition.ts'
import { factsSection, listSection, rightsOf } from './section.ts'

interface Listed {
	readonly columns: readonly string[]
	/** Shown instead of an empty list. */
	readonly empty: string
	readonly sql: string
}

/** Facts about one table. */
export async function tableFacts(session: Session, shape: Shape, signal: AbortSignal): Promise<readonly FactSection[]> {
	const values = [shape.oid]
	const list = (title: string, listed: Listed) => listSection(session, { title, ...listed, values }, signal)
	const about = await factsSection(session, { ...overview, values }, signal)
	const sections: readonly FactSection[] = [
		{ ...about, facts: [{ name: 'Kind', value: kinds[shape.kind] ?? 'table' }, ...(about.facts ?? [])] },
		...(await definitionOf(session, shape, signal)),
		{
			title: 'Columns',
			list: { columns: ['Name', 'Type', 'Required', 'Default', 'Note'], rows: shape.columns.map(columnRow) },
		},
		await list('Indexes', {
			columns: ['Name', 'Definition', 'Size', 'Scans', 'Valid'],
			empty: 'It has no index.',
			sql: indexes,
		}),
		await list('Constraints', { columns: ['Name', 'Definition'], empty: 'It has no constraint.', sql: constraints }),
		await list('Referred to by', {
			columns: ['Table', 'Constraint', 'Definition'],
			empty: 'No foreign key refers to it.',
			sql: referrers,
		}),
		await list('Triggers', { columns: ['Name', 'Definition', 'Enabled'], empty: 'It has no trigger.', sql: triggers }),
		await list('Partitions', {
			columns: ['Partition', 'Bounds', 'Rows, about', 'Size'],
			empty: 'It has no partitions.',
			sql: partitions,
		}),
		await list('Policies', {
			columns: ['Name', 'Command', 'Roles', 'Using', 'With check'],
			empty: 'It has no row security policy.',
			sql: policies,
		}),
		await list('Rights', {
			columns: ['Role', 'Rights', 'Only on columns'],
			empty: 'Only its owner has rights.',
			sql: rights,
		}),
	]
	return sections.filter(({ notice, title }) => notice === undefined || !optional.has(title))
}

/** Sections that are omitted if they are empty. */
const optional = new Set(['Partitions', 'Policies', 'Triggers', 'Referred to by'])

const columnRow = ({ name, type, isRequired, default: fallback, generated, note }: Shape['columns'][number]) => ({
	cells: [name, type, isRequired ? 'yes' : '', fallback ?? (generated ? `generated ${generated}` : ''), note ?? ''],
})

// A partitioned table stores nothing itself, so its partitions are added up.
const overview = {
	title: 'Overview',
	titles: ['Owner', 'Rows, about', 'Size', 'Indexes', 'Total', 'Dead rows', 'Last vacuum', 'Last analyze'],
	sql: `
select obj_description(c.oid, 'pg_class'), pg_get_userbyid(c.relowner), to_char(stored.rows, 'FM999,999,999,990'), pg_size_pretty(stored.size),
	pg_size_pretty(stored.indexes), pg_size_pretty(stored.total), to_char(stored.dead, 'FM999,999,999,990'),
	coalesce(to_char(greatest(s.last_vacuum, s.last_autovacuum), 'YYYY-MM-DD HH24:MI'), 'never'),
	coalesce(to_char(greatest(s.last_analyze, s.last_autoanalyze), 'YYYY-MM-DD HH24:MI'), 'never')
from pg_class c left join pg_stat_all_tables s on s.relid = c.oid
cross join lateral (
	select coalesce(sum(greatest(p.reltuples, 0)::float8), 0)::numeric as rows, coalesce(sum(pg_table_size(p.oid)), 0) as size,
		coalesce(sum(pg_indexes_size(p.oid)), 0) as indexes, coalesce(sum(pg_total_relation_size(p.oid)), 0) as total,
		sum(d.n_dead_tup) as dead
	from (select c.oid where c.relkind <> 'p' union all select relid from pg_partition_tree(c.oid) where c.relkind = 'p' and isleaf) part(oid)
	join pg_class p on p.oid = part.oid left join pg_stat_all_tables d on d.relid = p.oid
) stored
where c.oid = $1::oid`,
}

const indexes = `
select c.relname, pg_get_indexdef(i.indexrelid), pg_size_pretty(pg_relation_size(i.indexrelid)), s.idx_scan, i.indisvalid::text
from pg_index i join pg_class c on c.oid = i.indexrelid left join pg_stat_all_indexes s on s.indexrelid = i.indexrelid
where i.indrelid = $1::oid order by i.indisprimary desc, c.relname`
const constraints = `select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = $1::oid order by contype <> 'p', conname`
const referrers = `
select conrelid::regclass, conname, pg_get_constraintdef(oid) from pg_constraint
where contype = 'f' and confrelid = $1::oid and conparentid = 0 order by 1, 2`
const triggers = `
select tgname, pg_get_triggerdef(oid), case tgenabled when 'D' then 'no' else 'yes' end from pg_trigger
where tgrelid = $1::oid and not tgisinternal order by tgname`
const partitions = `
select c.oid::regclass, pg_get_expr(c.relpartbound, c.oid), to_char(greatest(c.reltuples, 0), 'FM999,999,999,990'), pg_size_pretty(pg_total_relation_size(c.oid))
from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::oid and c.relispartition order by 1`
const policies = `
select polname, case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
	(select string_agg(case r when 0 then 'public' else pg_get_userbyid(r) end, ', ') from unnest(polroles) r), pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)
from pg_policy where polrelid = $1::oid order by polname`
const rights = `
select role, rights, null from (${rightsOf('pg_class', 'o.relacl')}) on_table(role, rights)
union all select case x.grantee when 0 then 'public' else pg_get_userbyid(x.grantee) end, lower(x.privilege_type), string_agg(quote_ident(a.attname), ', ' order by a.attnum)
from pg_attribute a cross join lateral aclexplode(a.attacl) x where a.attrelid = $1::oid and not a.attisdropped group by 1, 2 order by 1, 3 nulls first`
