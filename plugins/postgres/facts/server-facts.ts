import type { FactSection } from '@roundhouse/kit'
import { measured, sizeWords } from '../catalog/sizes.ts'
import type { Session } from '../wire/session.ts'
import { factsSection, type ListQuery, listSection } from './section.ts'

/** Facts about the server and the database: what runs, who waits for whom, what is large, unused or bloated. */

const server = {
	title: 'Server',
	titles: ['Version', 'Database', 'User', 'Started', 'Size', 'Sessions', 'Standby', 'Encoding', 'Collation'],
	sql: `
select null, version(), current_database(), current_user, pg_postmaster_start_time()::timestamptz(0), pg_size_pretty(pg_database_size(current_database())),
	(select count(*) from pg_stat_activity where backend_type = 'client backend') || ' of ' || current_setting('max_connections'),
	case when pg_is_in_recovery() then 'yes' else 'no' end, pg_encoding_to_char(encoding), datcollate from pg_database where datname = current_database()`,
}

/** With days, which hours alone would lose. */
const timeSince = (moment: string) => `date_trunc('second', clock_timestamp() - ${moment})::text`

const isOwn = (session: string) =>
	`${session}.application_name = current_setting('application_name') and ${session}.application_name <> '' and ${session}.usename = current_user`

/** The application of a session, and whether it is this one. */
export const applicationSql = (session: string) =>
	`concat(${session}.application_name, case when ${isOwn(session)} then ' (this application)' end)`

/** Returns SQL of the beginning of a statement, on one line. */
export const beginningOf = (statement: string, most: number) =>
	`regexp_replace(regexp_replace(${statement}, '\\s+', ' ', 'g'), '^(.{${most}}).+', '\\1…')`

/** Returns a call for a session, with a comment by which the user recognizes the session. */
function call(name: string, pid: string | null | undefined, about: readonly (string | null | undefined)[]): string {
	const said = about
		.filter(Boolean)
		.join(', ')
		.replaceAll(/\/\*|\*\/|\{\{|\}\}/g, ' ')
	return `select ${name}(${pid} /* ${said} */)`
}

const activity: ListQuery = {
	title: 'Activity',
	empty: 'No other session is open.',
	columns: ['PID', 'User', 'Database', 'Application', 'State', 'For', 'Waits for', 'Statement'],
	sessions: [{ pid: 0, statement: 7 }],
	sql: `
select pid, usename, datname, ${applicationSql('a')}, state,
	${timeSince("coalesce(case when state = 'active' then query_start else state_change end, backend_start)")},
	case when wait_event_type is not null and state <> 'idle' then wait_event_type || ': ' || wait_event end,
	${beginningOf('query', 200)},
	state = 'idle in transaction' and now() - state_change > interval '1 minute', state = 'active'
from pg_stat_activity a where pid <> pg_backend_pid() and backend_type = 'client backend'
order by state = 'active' desc, state like 'idle in%' desc, query_start`,
	row: ([pid, user, , application, , , , statement, isStuck, isActive]) => ({
		...(isStuck === 't' && { state: 'warning' }),
		actions: [
			...(isActive === 't'
				? [{ label: 'Cancel statement', statement: call('pg_cancel_backend', pid, [user, application, statement]) }]
				: []),
			{ label: 'End session', statement: call('pg_terminate_backend', pid, [user, application, statement]) },
		],
	}),
}

/** What a session waits for. To wait for a row is to wait for the end of the transaction that changed it. */
const awaited = `coalesce(l.relation::regclass::text, case when l.locktype <> 'transactionid' then l.locktype else coalesce((
	select 'a row of ' || t.relation::regclass from pg_locks t where t.pid = w.pid and t.locktype = 'tuple' and t.granted limit 1
), 'a changed row') end)`

const waits: ListQuery = {
	title: 'Locks',
	empty: 'No session waits for another.',
	sessions: [
		{ pid: 0, statement: 4 },
		{ pid: 1, statement: 8 },
	],
	columns: [
		'PID',
		'Waits for PID',
		'For',
		'On',
		'Statement',
		'Its user',
		'Its application',
		'Its state',
		'Its statement',
	],
	sql: `
select w.pid, b.pid, ${timeSince('w.query_start')},
	coalesce((select string_agg(distinct ${awaited} || ' (' || l.mode || ')', ', ')
		from pg_locks l where l.pid = w.pid and not l.granted), ''),
	${beginningOf('w.query', 120)},
	b.usename, ${applicationSql('b')}, b.state, ${beginningOf('b.query', 120)}
from pg_stat_activity w cross join lateral unnest(pg_blocking_pids(w.pid)) blocker(pid)
join pg_stat_activity b on b.pid = blocker.pid
order by w.query_start`,
	row: ([, blocker, , , , user, application, state, statement]) => ({
		state: 'bad',
		actions: [
			...(state === 'active'
				? [
						{
							label: 'Cancel the other statement',
							statement: call('pg_cancel_backend', blocker, [user, application, statement]),
						},
					]
				: []),
			{
				label: 'End the other session',
				statement: call('pg_terminate_backend', blocker, [user, application, statement]),
			},
		],
	}),
}

const databases: ListQuery = {
	title: 'Databases',
	empty: 'No database can be read.',
	columns: ['Database', 'Owner', 'Encoding', 'Size', 'Sessions', 'Cache hits'],
	sql: `
select d.datname, pg_get_userbyid(d.datdba), pg_encoding_to_char(d.encoding),
	case when has_database_privilege(d.oid, 'connect') then pg_size_pretty(pg_database_size(d.oid)) end, s.numbackends,
	round(100.0 * s.blks_hit / nullif(s.blks_hit + s.blks_read, 0), 1) || ' %'
from pg_database d left join pg_stat_database s on s.datid = d.oid where not d.datistemplate order by d.datname`,
}

const largest: ListQuery = {
	title: 'Largest tables',
	empty: 'The database has no tables.',
	columns: ['Table', 'Rows, about', 'Table', 'Indexes', 'Total'],
	sql: `
select c.oid::regclass, to_char(greatest(c.reltuples, 0), 'FM999,999,999,990'), ${sizeWords('m.own')}, ${sizeWords('m.indexes')}, ${sizeWords('m.own + m.indexes')}
from pg_class c join pg_namespace n on n.oid = c.relnamespace
cross join lateral (select ${measured('c.oid', 'pg_table_size(c.oid)')}, ${measured('c.oid', 'pg_indexes_size(c.oid)')} offset 0) m(own, indexes)
where c.relkind in ('r', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
order by coalesce(m.own + m.indexes, c.relpages * current_setting('block_size')::bigint) desc`,
}

const unused: ListQuery = {
	title: 'Indexes that no query has used',
	empty: 'Every index was used since the statistics were reset.',
	columns: ['Index', 'Table', 'Size'],
	sql: `
select s.indexrelid::regclass, s.relid::regclass, ${sizeWords('m.size')}
from pg_stat_user_indexes s join pg_index i on i.indexrelid = s.indexrelid
cross join lateral (select ${measured('s.relid', 'pg_relation_size(s.indexrelid)')} offset 0) m(size)
where s.idx_scan = 0 and not i.indisunique and not i.indisprimary
order by m.size desc`,
}

const missing: ListQuery = {
	title: 'Tables that are often read whole',
	empty: 'No large table is often read whole.',
	columns: ['Table', 'Reads of the whole table', 'Reads by an index', 'Rows, about'],
	sql: `
select relid::regclass, to_char(seq_scan, 'FM999,999,999,990'), to_char(coalesce(idx_scan, 0), 'FM999,999,999,990'), to_char(n_live_tup, 'FM999,999,999,990')
from pg_stat_user_tables where n_live_tup > 10000 and seq_scan > 50 and seq_scan > coalesce(idx_scan, 0)
order by seq_tup_read desc`,
	row: () => ({ state: 'warning' }),
}

const keysWithoutIndex: ListQuery = {
	title: 'Foreign keys without an index',
	empty: 'Every foreign key has an index.',
	columns: ['Table', 'Columns', 'Refers to'],
	sql: `
select c.conrelid::regclass, (select string_agg(a.attname, ', ') from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any (c.conkey)), c.confrelid::regclass
from pg_constraint c where c.contype = 'f' and not exists (select from pg_index i where i.indrelid = c.conrelid
	and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)
order by 1`,
}

const deadRows: ListQuery = {
	title: 'Dead rows',
	empty: 'No table has many dead rows.',
	columns: ['Table', 'Dead rows', 'Share', 'Last vacuum', 'Last analyze'],
	sql: `
select relid::regclass, to_char(n_dead_tup, 'FM999,999,999,990'), round(100.0 * n_dead_tup / nullif(n_live_tup + n_dead_tup, 0), 1) || ' %',
	coalesce(to_char(greatest(last_vacuum, last_autovacuum), 'YYYY-MM-DD HH24:MI'), 'never'),
	coalesce(to_char(greatest(last_analyze, last_autoanalyze), 'YYYY-MM-DD HH24:MI'), 'never'),
	format('vacuum %s', relid::regclass)
from pg_stat_user_tables where n_dead_tup > 1000 and n_dead_tup > n_live_tup / 10 order by n_dead_tup desc`,
	row: values => ({ state: 'warning', actions: [{ label: 'Vacuum', statement: values[5] ?? '' }] }),
}

/** Bytes of a row are its header, its values by their average width, and the pointer to it. */
const bloat: ListQuery = {
	title: 'Bloat of tables, about',
	empty: 'No table is much larger than its rows, as far as the statistics tell.',
	columns: ['Table', 'Size', 'Unused, about', 'Share'],
	sql: `
with measured as (
	select c.oid, ${measured('c.oid', 'pg_relation_size(c.oid)')} as size, current_setting('block_size')::int as page,
		c.reltuples * (ceil((23 + ceil(count(*) / 8.0) + sum(s.avg_width * (1 - s.null_frac))) / 8) * 8 + 4) as used,
		count(*) = (select count(*) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as is_known
	from pg_class c join pg_namespace n on n.oid = c.relnamespace
	join pg_stats s on s.schemaname = n.nspname and s.tablename = c.relname and not s.inherited
	where c.relkind in ('r', 'm') and c.reltuples > 0 and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' group by c.oid
), estimated as (select oid, size, greatest(0, size - used * page / (page - 24))::bigint as unused from measured where is_known and size > 1000000)
select oid::regclass, pg_size_pretty(size), pg_size_pretty(unused), round(100.0 * unused / size) || ' %'
from estimated where unused > size / 4 order by unused desc`,
	row: () => ({ state: 'warning' }),
}

const schemas: ListQuery = {
	title: 'Schemas',
	empty: 'No schema can be read.',
	columns: ['Name', 'Owner', 'Rights', 'Comment'],
	sql: `
select n.nspname, pg_get_userbyid(n.nspowner),
	(select string_agg(format('%s: %s', r.role, r.rights), '; ' order by r.role) from (
		select case a.grantee when 0 then 'public' else pg_get_userbyid(a.grantee) end, string_agg(lower(a.privilege_type), ', ' order by a.privilege_type)
		from aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) a group by 1
	) r(role, rights)), obj_description(n.oid, 'pg_namespace')
from pg_namespace n where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1`,
}

const extensions: ListQuery = {
	title: 'Extensions',
	empty: 'No extension is installed.',
	columns: ['Name', 'Version', 'Newest version', 'Schema', 'Description'],
	sql: `
select e.extname, e.extversion, a.default_version, e.extnamespace::regnamespace, a.comment from pg_extension e
left join pg_available_extensions a on a.name = e.extname order by 1`,
}

const roles: ListQuery = {
	title: 'Roles',
	empty: 'No role can be read.',
	columns: ['Name', 'Login', 'Superuser', 'Creates databases', 'Creates roles', 'Replication', 'Member of'],
	sql: `
select r.rolname, r.rolcanlogin::text, r.rolsuper::text, r.rolcreatedb::text, r.rolcreaterole::text, r.rolreplication::text,
	(select string_agg(g.rolname, ', ' order by g.rolname) from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid)
from pg_roles r where r.rolname !~ '^pg_' order by 1`,
}

const settings: ListQuery = {
	title: 'Settings that differ from the default',
	empty: 'Every setting has its default.',
	columns: ['Name', 'Value', 'Default', 'Set by', 'Meaning'],
	sql: `
select name, current_setting(name), boot_val || coalesce(unit, ''), source, short_desc from pg_settings
where source not in ('default', 'override', 'session', 'client') and setting is distinct from boot_val order by name`,
}

const all = [
	activity,
	waits,
	databases,
	largest,
	unused,
	missing,
	keysWithoutIndex,
	deadRows,
	bloat,
	schemas,
	extensions,
	roles,
	settings,
]

/** @param statements what consoles ran last, by the PID of their session */
export async function serverFacts(
	session: Session,
	statements: ReadonlyMap<string, string>,
	signal: AbortSignal,
): Promise<readonly FactSection[]> {
	const sections: FactSection[] = [{ ...(await factsSection(session, server, signal)), statement: 'select version()' }]
	for (const query of all) sections.push(await listSection(session, query, signal, statements))
	return sections
}
