/** What belongs to a table and is not in CREATE TABLE, as queries of statements. */

const ownColumns = `self join pg_class c on c.oid = self.oid join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`

/** Where an inherited column differs from that of the parents. */
const inherited = `
select format('alter %stable only %s alter column %I %s', case c.relkind when 'f' then 'foreign ' end, self.name, a.attname, change)
from ${ownColumns} left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum and a.attgenerated = ''
cross join lateral (
	select bool_or(b.attnotnull) as isrequired, array_agg(pg_get_expr(e.adbin, e.adrelid, true)) as defaults from pg_inherits i
	join pg_attribute b on b.attrelid = i.inhparent and b.attname = a.attname
	left join pg_attrdef e on e.adrelid = b.attrelid and e.adnum = b.attnum and b.attgenerated = '' where i.inhrelid = c.oid
) parent
cross join lateral (values
	(1, case when d.adbin is not null and (pg_get_expr(d.adbin, d.adrelid, true) = any (parent.defaults)) is not true
		then 'set default ' || pg_get_expr(d.adbin, d.adrelid, true)
		when d.adbin is null and parent.defaults <> array_fill(null::text, array[cardinality(parent.defaults)]) then 'drop default' end),
	(2, case when a.attnotnull and not parent.isrequired then 'set not null' end),
	(3, (select 'options (' || string_agg(format('%I %L', option_name, option_value), ', ') || ')' from pg_options_to_table(a.attfdwoptions)))
) changes(rank, change)
where not a.attislocal and change is not null order by a.attnum, rank`

/**
 * The name without a table is that of the innermost query that has it. A whole row of `pg_attribute` is not written as JSON:
 * its missing value has the type of the column, whose cast is a function of another role.
 */
const compression = `(select attcompression from pg_attribute i where i.attrelid = a.attrelid and i.attnum = a.attnum)`

/** Catalogs before PostgreSQL 14 have no compression; statistics without a target are -1 in older ones, NULL in newer ones. */
const columnStorage = `
select format('alter table only %s alter column %I set %s', self.name, a.attname, change)
from ${ownColumns} join pg_type t on t.oid = a.atttypid cross join (values (''::"char")) before14(attcompression)
cross join lateral (values
	(1, case when a.attstorage <> t.typstorage then 'storage ' || case a.attstorage when 'p' then 'plain' when 'e' then 'external'
		when 'm' then 'main' else 'extended' end end),
	(2, case ${compression} when 'p' then 'compression pglz' when 'l' then 'compression lz4' end),
	(3, case when a.attstattarget >= 0 then 'statistics ' || a.attstattarget end),
	(4, '(' || array_to_string(a.attoptions, ', ') || ')')
) changes(rank, change)
where change is not null order by a.attnum, rank`

/** Rows from before such a constraint are not checked. */
const unvalidated = `
select format('alter table %s add constraint %I %s', self.name, k.conname, pg_get_constraintdef(k.oid, true)) from self
join pg_constraint k on k.conrelid = self.oid and k.contype in ('c', 'f') and k.conislocal and k.conparentid = 0 and not k.convalidated
order by k.contype, k.conname`

/** Those of constraints are in the table, and those of a partitioned table are made with the partition. */
const indexes = `
select pg_get_indexdef(i.indexrelid) from self join pg_index i on i.indrelid = self.oid
where not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
	and not exists (select from pg_inherits h where h.inhrelid = i.indexrelid) order by i.indexrelid`

/** CREATE TABLE has no storage options for the index of a constraint, as the server writes the constraint. */
const indexStorage = `
select format('alter index %I.%I set (%s)', n.nspname, c.relname, array_to_string(c.reloptions, ', ')) from self
join pg_constraint k on k.conrelid = self.oid and k.contype in ('p', 'u', 'x')
join pg_class c on c.oid = k.conindid and c.reloptions is not null join pg_namespace n on n.oid = c.relnamespace order by c.relname`

const statistics = `
select pg_get_statisticsobjdef(s.oid) from self join pg_statistic_ext s on s.stxrelid = self.oid order by s.stxname`

/** Those of a partitioned table are made with the partition. */
const ownTriggers = 'self join pg_trigger t on t.tgrelid = self.oid and not t.tgisinternal and t.tgparentid = 0'

const triggers = `select pg_get_triggerdef(t.oid, true) from ${ownTriggers} order by t.tgname`

const triggerModes = `
select format('alter table %s %s trigger %I', self.name, case t.tgenabled when 'D' then 'disable' when 'R' then 'enable replica' else 'enable always' end,
	t.tgname) from ${ownTriggers} where t.tgenabled <> 'O' order by t.tgname`

/** The query of a view is a rule too. */
const rules = `
select rtrim(pg_get_ruledef(r.oid), ';') from self join pg_rewrite r on r.ev_class = self.oid and r.rulename <> '_RETURN' order by r.rulename`

const replicaIdentity = `
select format('alter table only %s replica identity %s', self.name, case c.relreplident when 'f' then 'full' when 'n' then 'nothing'
	else (select 'using index ' || quote_ident(x.relname) from pg_index i join pg_class x on x.oid = i.indexrelid
		where i.indrelid = c.oid and i.indisreplident) end)
from self join pg_class c on c.oid = self.oid and c.relreplident <> 'd' and c.relkind in ('r', 'p')`

const rowSecurity = `
select format('alter table %s %s row level security', self.name, what) from self join pg_class c on c.oid = self.oid
cross join lateral (values (1, 'enable', c.relrowsecurity), (2, 'force', c.relforcerowsecurity)) modes(rank, what, isset) where isset order by rank`

/** The server has no function for them. */
const policies = `
select concat(format('create policy %I on %s', p.polname, self.name), case when not p.polpermissive then ' as restrictive' end,
	case p.polcmd when 'r' then ' for select' when 'a' then ' for insert' when 'w' then ' for update' when 'd' then ' for delete' end,
	case when p.polroles <> '{0}' then ' to ' || (select string_agg(quote_ident(pg_get_userbyid(role)), ', ') from unnest(p.polroles) role) end,
	' using (' || pg_get_expr(p.polqual, p.polrelid, true) || ')', ' with check (' || pg_get_expr(p.polwithcheck, p.polrelid, true) || ')')
from self join pg_policy p on p.polrelid = self.oid order by p.polname`

/** Of the table, its columns, and what is dropped with it, except its partitions. The server names each object. */
const comments = `
select format('comment on %s %s is %L', case o.type when 'statistics object' then 'statistics' else regexp_replace(o.type, '^.* (column|constraint)$', '\\1') end,
	o.identity, d.description)
from self cross join lateral (
	select 1 as rank, 'pg_class'::regclass::oid as classid, self.oid as objid
	union select 2, p.classid, p.objid from pg_depend p left join pg_class c on p.classid = 'pg_class'::regclass and c.oid = p.objid
	where p.refclassid = 'pg_class'::regclass and p.refobjid = self.oid and p.deptype in ('a', 'i') and (c.oid is null or c.relkind = 'S')
	union select 2, 'pg_class'::regclass, i.indexrelid from pg_index i where i.indrelid = self.oid
) own
join pg_description d on d.classoid = own.classid and d.objoid = own.objid
cross join lateral pg_identify_object(d.classoid, d.objoid, d.objsubid) o
order by own.rank, d.objsubid, o.type, o.identity`

/** In the order in which the statements run. */
export const partsOfTable: readonly string[] = [
	inherited,
	columnStorage,
	unvalidated,
	indexes,
	indexStorage,
	statistics,
	triggers,
	triggerModes,
	rules,
	replicaIdentity,
	rowSecurity,
	policies,
	comments,
]
export const partsOfView: readonly string[] = [indexes, statistics, triggers, rules, comments]
