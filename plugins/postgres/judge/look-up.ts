import { arrayOf } from '../console/volatile.ts'
import type { Query } from '../wire/session.ts'
import type { NamesUsed } from './names-used.ts'

/**
 * One query of all that the names of a statement may stand for, in every schema: which one the server takes depends on
 * the search path and on types. Objects below 16384 are made by initdb.
 */

/** SQL of the name of the extension that the function `p` is a member of, if a superuser owns it, for one row of `e`. */
const member = `pg_depend d join pg_extension e on e.oid = d.refobjid and d.refclassid = 'pg_extension'::regclass
		where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e' and (select rolsuper from pg_roles where oid = p.proowner)`

/** SQL of whether the language of the function `p` is one of these. */
const isIn = (...languages: readonly string[]) =>
	`(select lanname in (${languages.map(language => `'${language}'`).join(', ')}) from pg_language where oid = p.prolang)`

/** In place of an extension: what the server makes with each range type. Only a superuser can write such a function. */
export const constructorMark = ' of a range'

/**
 * SQL of a row about the function `p`. An extension counts for what is not written in names. @param kind SQL of why it is
 * looked at @param via SQL of what leads to it
 */
const called = (kind: string, via: string) =>
	`json_build_array(${kind}, ${via}, n.nspname, p.proname, oidvectortypes(p.proargtypes), p.provolatile,
		case when p.prosrc ~ '^(multi)?range_constructor[0-3]$' and ${isIn('internal')} then '${constructorMark}'
		else (select e.extname from ${member} and ${isIn('c', 'internal')})::text end)::text`

/** SQL of whether the function `p` is a member of an extension, in SQL: its names can stand for others. */
const isMemberInSql = `${isIn('sql')} and exists (select from ${member})`

/** SQL of a row with the definition of the function `p`. */
const definition = `json_build_array('routine', concat(n.nspname, '.', quote_ident(p.proname)), pg_get_functiondef(p.oid), p.proname)::text`

/**
 * SQL of a row about the function `p`. If it is in SQL or PL/pgSQL, a rehearsal reads its definition, and so does a read of
 * a member of an extension in SQL. @param via SQL of what leads to it
 */
const routine = (via: string) => `case when p.prokind in ('f', 'p') and ($8::bool or ${isMemberInSql})
		and not exists (select from unnest(p.proconfig) s(setting) where setting not like 'search\\_path=%')
		and ${isIn('sql', 'plpgsql')}
	then ${definition}
	else ${called("'function'", via)} end`

/** Trigger functions of PostgreSQL that change the row alone. */
const triggersOfServer =
	"('suppress_redundant_updates_trigger', 'tsvector_update_trigger', 'tsvector_update_trigger_column')"

/** Condition that the trigger `g` is one of a user, which runs the function `p`: before 15, one that a partition has from its parent is called internal. */
const isOfUser = "(not g.tgisinternal or p.oid >= 16384) and g.tgenabled <> 'D'"

/** Condition that maintenance of the table `c` evaluates more than built-in types: its indexes or its statistics. */
const isMaintained = `c.relkind in ('r', 'p', 'm') and c.oid >= 16384 and (
		exists (select from pg_statistic_ext s where s.stxrelid = c.oid)
		or exists (select from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and a.atttypid >= 16384)
		or exists (select from pg_index x where x.indrelid = c.oid and (x.indexprs is not null or x.indpred is not null
			or exists (select from unnest(x.indclass::oid[]) k(oid) where k.oid >= 16384))))`

/** SQL of a row about a definition that the server evaluates. */
const defined = (kind: string, owner: string, text: string) => `json_build_array('${kind}', ${owner}, ${text})::text`

/**
 * Condition that the function `p`, whose first argument has the type `t`, can be written as a column of a row. A cast can make
 * another type of a row.
 */
const ofRow = `p.pronargs - p.pronargdefaults <= 1 and (t.typtype in ('c', 'p', 'd') or p.provariadic <> 0
	or exists (select from pg_cast k join pg_type s on s.oid = k.castsource where k.casttarget = t.oid and k.castcontext = 'i' and s.typtype in ('c', 'p')))`

/**
 * Condition that a function makes the type of others: a list of them, the ranges of a range, or a list of those. No text and no
 * column need to name it. @param made SQL of the type
 */
const isMadeOf = (made: string, type: string) => `exists (
		select from pg_depend d left join pg_depend e on e.classid = d.refclassid and e.objid = d.refobjid and e.deptype = 'i'
		where d.classid = 'pg_type'::regclass and d.objid = ${made} and d.deptype = 'i' and ${type}.oid in (d.refobjid, e.refobjid))`

const isOfExtension = (catalog: string, row: string) =>
	`exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${row}.oid and d.deptype = 'e')`

/**
 * Condition that functions on a value of any type run code for the type `t`: those that write JSON call a cast, those that
 * compare or hash call the operator class. What extensions make so is trusted.
 */
const isConverted = `(
		exists (select from pg_cast k where k.castsource = t.oid and k.casttarget = 'json'::regtype and not ${isOfExtension('pg_cast', 'k')})
		or exists (select from pg_opclass o where o.opcintype = t.oid and o.oid >= 16384 and not ${isOfExtension('pg_opclass', 'o')}))`

const nameOf = (relation: string) =>
	`concat(${relation}.relnamespace::regnamespace::text, '.', quote_ident(${relation}.relname))`
const typeOf = (type: string) => `format_type(${type}, null)`

/** SQL of the reached relations and types. Without a fence the server would first read all that there are. */
const classes = '(select c.* from rel join pg_class c on c.oid = rel.oid offset 0) c'

const types = '(select t.* from typ join pg_type t on t.oid = typ.oid offset 0) t'

const rows = `
with recursive rel(oid) as (
	select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
	where c.relname = any ($6::name[]) and (c.oid >= 16384 or $7::bool and exists (select from pg_rewrite w where w.ev_class = c.oid and w.ev_type <> '1'))
		and exists (select from unnest($5::text[], $6::text[]) r(schema, name) where r.name = c.relname and r.schema in ('', n.nspname))
	union select c.oid from pg_class c where $10::bool and ${isMaintained}
	union
	select u.oid from rel cross join lateral (
		select x.indrelid from pg_index x where x.indexrelid = rel.oid
		union all select i.inhrelid from pg_inherits i where i.inhparent = rel.oid
		union all select k.conrelid from pg_constraint k where $8::bool and k.confrelid = rel.oid and k.contype = 'f'
			and (k.confdeltype in ('c', 'n', 'd') or k.confupdtype in ('c', 'n', 'd'))
	) u(oid)
), typ(oid) as (
	select t.oid from pg_type t where t.typname = any ($4::name[] || $1::name[] || $2::name[]) and t.oid >= 16384
	union select t.oid from pg_type t where $11::bool and t.oid >= 16384 and ${isConverted}
	union
	select u.oid from ${classes} cross join lateral (
		select c.reltype union all select a.atttypid from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
	) u(oid) where u.oid >= 16384
	union
	select u.oid from ${types} cross join lateral (
		select t.typelem union all select t.typbasetype
		union all select r.rngsubtype from pg_range r where r.rngtypid = t.oid
		union all select a.atttypid from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
		${/* Of a multirange, the range: before version 14, no column names it. */ ''}
		union all select d.refobjid from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.refclassid = 'pg_type'::regclass
	) u(oid) where u.oid >= 16384
), stored(owner, class, id) as (
	select ${nameOf('c')}, u.class, u.id from ${classes} cross join lateral (
		select 'pg_class'::regclass, c.oid
		union all select 'pg_class'::regclass, a.relid::oid from pg_partition_ancestors(c.oid) a(relid)
		union all select 'pg_class'::regclass, i.indexrelid from pg_index i where i.indrelid = c.oid
		union all select 'pg_rewrite'::regclass, w.oid from pg_rewrite w where w.ev_class = c.oid and (c.relkind = 'v' or $7::bool or $9::bool)
		union all select 'pg_policy'::regclass, y.oid from pg_policy y where y.polrelid = c.oid and c.relrowsecurity
		union all select 'pg_constraint'::regclass, k.oid from pg_constraint k where k.conrelid = c.oid
		union all select 'pg_statistic_ext'::regclass, s.oid from pg_statistic_ext s where s.stxrelid = c.oid
		union all select 'pg_attrdef'::regclass, d.oid from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
			where d.adrelid = c.oid and (a.attgenerated <> '' or $7::bool)
	) u(class, id)
	union all select ${typeOf('t.oid')}, u.class, u.id from ${types} cross join lateral (
		select 'pg_constraint'::regclass, k.oid from pg_constraint k where k.contypid = t.oid
		union all select 'pg_type'::regclass, t.oid where t.typtype = 'r' or t.typtype = 'd' and $7::bool
	) u(class, id)
), dep(owner, class, oid) as (
	select distinct s.owner, d.refclassid, d.refobjid from stored s join pg_depend d on d.classid = s.class and d.objid = s.id
	where d.refobjid >= 16384 and d.refclassid in ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_opclass'::regclass)
), op(oid) as (
	select o.oid from pg_operator o where o.oprname = any ($3::name[]) and (o.oid >= 16384 or o.oprcom >= 16384 or o.oprnegate >= 16384)
	union select dep.oid from dep where dep.class = 'pg_operator'::regclass
	union select u.oid from op join pg_operator o on o.oid = op.oid cross join lateral (values (o.oprcom), (o.oprnegate)) u(oid) where u.oid >= 16384
), family(kind, via, oid) as (
	select 'support', ${typeOf('typ.oid')}, o.opcfamily from typ join pg_opclass o on o.opcintype = typ.oid or o.oid >= 16384 and ${isMadeOf('o.opcintype', 'typ')}
	union select 'class', dep.owner, o.opcfamily from dep join pg_opclass o on o.oid = dep.oid where dep.class = 'pg_opclass'::regclass
	union select 'class', ${typeOf('o.opcintype')}, o.opcfamily from pg_opclass o where o.oid >= 16384 and o.opcintype < 16384
		and (o.opcdefault and o.opcmethod in (403, 405) or o.opcname = any ($4::name[]))
), part(kind, via, oid) as (
	select 'operator', concat(o.oprnamespace::regnamespace::text, '.', o.oprname), o.oprcode::oid from op join pg_operator o on o.oid = op.oid
	union all select 'type', ${typeOf('typ.oid')}, c.castfunc from typ join pg_cast c
		on c.oid >= 16384 and (typ.oid in (c.castsource, c.casttarget) or ${isMadeOf('c.castsource', 'typ')})
	union all select 'type', ${typeOf('c.casttarget')}, c.castfunc from pg_cast c join pg_type t on t.oid = c.casttarget
		where c.oid >= 16384 and c.castsource < 16384 and c.casttarget < 16384 and (c.castcontext = 'i' or $7::bool
			or t.typname = any ($4::name[]) or concat('_', t.typname) = any ($4::text[]) or exists (select from typ))
	union all select 'support', ${typeOf('t.oid')}, u.oid from ${types}
		cross join lateral (values (t.typinput::oid), (t.typoutput::oid), (t.typsend::oid), (t.typmodin::oid), (t.typmodout::oid)) u(oid)
	union all select 'support', ${typeOf('typ.oid')}, u.oid from typ join pg_range r on r.rngtypid = typ.oid cross join lateral (values (r.rngsubdiff::oid), (r.rngcanonical::oid)) u(oid)
	union all select f.kind, f.via, a.amproc::oid from family f join pg_amproc a on a.amprocfamily = f.oid
	union all select f.kind, f.via, o.oprcode::oid from family f join pg_amop a on a.amopfamily = f.oid join pg_operator o on o.oid = a.amopopr
	union all select 'class', ${typeOf('a.amproclefttype')}, a.amproc::oid from pg_amproc a where a.oid >= 16384 and a.amprocfamily < 16384
	union all select 'class', ${typeOf('a.amoplefttype')}, o.oprcode::oid from pg_amop a join pg_operator o on o.oid = a.amopopr where a.oid >= 16384 and a.amopfamily < 16384
)
select json_build_array('encoding', getdatabaseencoding())::text
${/* The planner locks children only when the guard has run. */ ''}
union all select distinct json_build_array('busy', ${nameOf('c')})::text from rel join pg_inherits i on i.inhrelid = rel.oid
	join pg_class c on c.oid = rel.oid join pg_locks l on l.relation = c.oid and l.mode = 'AccessExclusiveLock'
	where l.database = (select oid from pg_database where datname = current_database()) and l.pid <> pg_backend_pid()
union all select json_build_array('builtIn', p.proname, string_agg(oidvectortypes(p.proargtypes), ';' order by p.oid))::text from pg_proc p
	left join pg_type t on t.oid = p.proargtypes[0]
	where p.oid < 16384 and (p.proname = any ($1::name[]) or p.proname = any ($2::name[]) and ${ofRow}) group by p.proname
union all select ${definition} from pg_proc p join pg_namespace n on n.oid = p.pronamespace
	where p.proname = any ($1::name[]) and p.oid < 16384 and p.prosrc <> '' and ${isIn('sql')}
union all select ${routine('null')} from pg_proc p join pg_namespace n on n.oid = p.pronamespace
	where p.proname = any ($1::name[]) and p.oid >= 16384
union all select ${routine(nameOf('c'))} from rel join pg_class c on c.oid = rel.oid join pg_trigger g on g.tgrelid = c.oid
	join pg_proc p on p.oid = g.tgfoid join pg_namespace n on n.oid = p.pronamespace
	where $8::bool and ${isOfUser} and not (p.oid < 16384 and p.proname in ${triggersOfServer})
union all select ${defined('statement', nameOf('c'), 'pg_get_triggerdef(g.oid)')} from rel join pg_class c on c.oid = rel.oid
	join pg_trigger g on g.tgrelid = c.oid join pg_proc p on p.oid = g.tgfoid where $8::bool and ${isOfUser}
union all select ${called("'attribute'", 'null')} from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_type t on t.oid = p.proargtypes[0]
	where p.proname = any ($2::name[]) and p.oid >= 16384 and ${ofRow}
union all select distinct case when p.prokind = 'f' and p.proconfig is null and ${isMemberInSql} then ${definition} else ${called('u.kind', 'u.via')} end
	from part u join pg_proc p on p.oid = u.oid and p.oid >= 16384 join pg_namespace n on n.oid = p.pronamespace
union all select distinct json_build_array('part', u.via, u.kind, p.proname, oidvectortypes(p.proargtypes))::text
	from part u join pg_proc p on p.oid = u.oid and p.oid < 16384 where u.kind in ('operator', 'type')
union all select ${routine('s.owner')} from dep s join pg_proc p on p.oid = s.oid and s.class = 'pg_proc'::regclass join pg_namespace n on n.oid = p.pronamespace
union all select ${defined('expression', typeOf('typ.oid'), 'pg_get_expr(k.conbin, 0)')} from typ join pg_constraint k on k.contypid = typ.oid
union all select ${defined('expression', nameOf('c'), 'pg_get_expr(p.partexprs, p.partrelid)')} from ${classes}
	cross join lateral pg_partition_ancestors(c.oid) a(relid) join pg_partitioned_table p on p.partrelid = a.relid where p.partexprs is not null
union all select ${defined('expression', nameOf('c'), 'pg_get_expr(x.node, c.oid)')} from ${classes} cross join lateral (
		select polqual from pg_policy where polrelid = c.oid and c.relrowsecurity
		union all select polwithcheck from pg_policy where polrelid = c.oid and c.relrowsecurity and $7::bool
		union all select conbin from pg_constraint where conrelid = c.oid and contype = 'c'
		union all select i.indexprs from pg_index i where i.indrelid = c.oid
		union all select i.indpred from pg_index i where i.indrelid = c.oid
		union all select d.adbin from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum where d.adrelid = c.oid and a.attgenerated <> ''
	) x(node) where x.node is not null
union all select ${defined('default', typeOf('t.oid'), 'pg_get_expr(t.typdefaultbin, 0)')} from ${types} where t.typdefaultbin is not null and $7::bool
union all select u.line from ${classes} cross join lateral (
		select ${defined('foreign', nameOf('c'), 'null')} where c.relkind = 'f'
		union all select ${defined('statement', nameOf('c'), 'pg_get_viewdef(c.oid)')} where c.relkind = 'v' or c.relkind = 'm' and $9::bool
		union all select ${defined('statement', nameOf('c'), 'pg_get_statisticsobjdef(s.oid)')} from pg_statistic_ext s where s.stxrelid = c.oid
		union all select ${defined('default', nameOf('c'), 'pg_get_expr(d.adbin, c.oid)')} from pg_attrdef d
			join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum where d.adrelid = c.oid and a.attgenerated = '' and $7::bool
		union all select ${defined('rule', nameOf('c'), 'null')} from pg_rewrite w where w.ev_class = c.oid and w.ev_type <> '1' and $7::bool
	) u(line)`

/** What a statement reaches beside what it names. */
interface Reach {
	/** Whether defaults and rules are evaluated. */
	readonly isChange: boolean
	/** Whether triggers, cascades and the bodies of routines count. */
	readonly isRehearsal: boolean
	/** Whether the query of a materialized view is run. */
	readonly isRefresh: boolean
	/** Whether it maintains tables that it does not name. */
	readonly isEverywhere: boolean
	/** Whether it reads a table of the server with values of any type. */
	readonly hasAnyType: boolean
}

/** Returns the query. Each row is an array of JSON. */
export function lookUpQuery(names: NamesUsed, reach: Reach): Query {
	const { sql, key } = rowsFor(reach)
	const sorted = `select line from (${sql}) found(line) order by line collate "C"`
	return { sql: sorted, values: valuesOf(names), preparedAs: `roundhouse_look_up${key}` }
}

/**
 * Returns the query for a reach, and a name for its plans. What a reach has not is no part of the plan: the server prepares
 * each part of a plan at each use, which is most of the time of a guard.
 */
function rowsFor({ isChange, isRehearsal, isRefresh, isEverywhere, hasAnyType }: Reach): {
	readonly sql: string
	readonly key: string
} {
	const flags = [isChange, isRehearsal, isRefresh, isEverywhere, hasAnyType]
	const sql = rows.replaceAll(/\$(7|8|9|1[01])::bool/g, (_, at) => String(flags[Number(at) - 7]))
	return { sql, key: flags.map(Number).join('') }
}

function valuesOf({ functions, keywords, fields, attributes, operators, types, relations }: NamesUsed) {
	const places: readonly (readonly [string, string])[] = [...relations].map(one => JSON.parse(one))
	return [
		arrayOf([...functions, ...keywords, ...fields]),
		arrayOf([...attributes]),
		arrayOf([...operators]),
		arrayOf([...types]),
		arrayOf(places.map(([schema]) => schema)),
		arrayOf(places.map(([, name]) => name)),
	]
}

/** Text of the error of {@link guardQuery}. */
export const changedMark = 'a definition that the statement uses has changed, try again'

/** Returns a query without rows that fails unless the look-up still has these rows. @param digest MD5 of its lines */
export function guardQuery(names: NamesUsed, reach: Reach, digest: string): Query {
	const { sql, key } = rowsFor(reach)
	const found = `select md5(coalesce(string_agg(line, E'\\n' order by line collate "C"), '')) as digest from (${sql}) found(line)`
	return {
		sql: `select from (select (case when digest = $7 then '1' else '${changedMark}' end)::int as one from (${found}) now offset 0) checked where one <> 1`,
		values: [...valuesOf(names), digest],
		preparedAs: `roundhouse_guard${key}`,
	}
}
