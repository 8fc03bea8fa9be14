import { arrayOf } from '../console/volatile.ts'
import { ofExtensions } from '../judge/extensions.ts'
import { snapshotQuery } from '../judge/unchanged.ts'
import type { Session } from '../wire/session.ts'
import { deniedFunctions, stableFunctions, systemColumns } from './known-safe.ts'

/** What a database defines, as far as it can show a column in another place. Attributes are numbers of columns. */
export interface Definitions {
	readonly database: string
	readonly relations: readonly (readonly [oid: number, schema: string, name: string, kind: string])[]
	readonly columns: readonly (readonly [relation: number, attribute: number, name: string])[]
	readonly inherits: readonly (readonly [child: number, parent: number])[]
	/** @see `acts`: whether a change of the referenced row changes or deletes those that refer to it. */
	readonly keys: readonly (readonly [
		from: number,
		to: number,
		fromKey: readonly number[],
		toKey: readonly number[],
		acts: boolean,
	])[]
	readonly generated: readonly (readonly [relation: number, attribute: number, source: number])[]
	/** Trees of the server: of views, and of rules of tables. */
	readonly views: readonly (readonly [relation: number, tree: string])[]
	readonly rules: readonly (readonly [relation: number, tree: string])[]
	/** Triggers with the text of their function. */
	readonly triggers: readonly (readonly [relation: number, source: string])[]
	readonly sequences: readonly (readonly [sequence: number, relation: number, attribute: number])[]
	readonly partitioned: readonly (readonly [relation: number, attributes: readonly number[], hasExpressions: boolean])[]
	readonly indexes: readonly (readonly [relation: number, attributes: readonly number[]])[]
	/** Columns of tables whose equal values have equal texts, and others others. Equal numbers can have other digits. */
	readonly countable: readonly (readonly [relation: number, attribute: number, isNumeric: boolean])[]
	/** What the server looks at when a row is written. */
	readonly bonds: readonly Bond[]
	/** Tables whose defaults, checks, domains, indexes or policies call a function of a user. */
	readonly calling: readonly number[]
	/** Conditions of rows by role. Of columns of the table itself, whole rows are not among the attributes. */
	readonly policies: readonly (readonly [
		relation: number,
		isActive: boolean,
		tree: string,
		attributes: readonly number[],
	])[]
	/** Columns that the role may read, of tables that it may not read as a whole. */
	readonly readable: readonly (readonly [relation: number, attribute: number])[]
	/** Names of built-in functions that a statement must not use, and of those that can be written as a column of a row. */
	readonly denied: readonly string[]
	readonly deniedOfRow: readonly string[]
	/** Functions that a view may use. */
	readonly safe: readonly number[]
}

/** @see `tree`: of the server, of a condition or of expressions. @see `isSettled`: whether it holds for all rows that are there, and goes on to hold. */
export type Bond = readonly [
	relation: number,
	kind: 'unique' | 'index' | 'check' | 'key',
	attributes: readonly number[],
	tree: string,
	isSettled: boolean,
]

const system = "('pg_catalog', 'information_schema', 'pg_toast')"

/** Sum of the versions of all rows of a catalog. */
const versionOf = (catalog: string) => `(select sum(hashtextextended(xmin::text || ctid::text, 0)) from ${catalog})`

/** A text that differs after each committed change of a definition. */
const stampSql = `select md5(concat_ws(',', ${[
	'pg_class',
	'pg_attribute',
	'pg_rewrite',
	'pg_constraint',
	'pg_inherits',
	'pg_attrdef',
	'pg_trigger',
	'pg_policy',
	'pg_type',
	'pg_namespace',
	'pg_partitioned_table',
	'pg_proc where oid >= 16384',
]
	.map(versionOf)
	.join(', ')}))`

export async function readStamp(session: Session, signal: AbortSignal): Promise<string> {
	const { rows } = await session.read({ sql: stampSql }, signal)
	return rows[0]?.[0] ?? ''
}

/** Where a statement of the user runs at one moment. */
export interface Moment {
	/** The schemas in which the server looks for a name without a schema, in order. */
	readonly path: readonly string[]
	/** The same as long as no transaction commits. Absent on a standby. */
	readonly snapshot: string | undefined
}

export async function readMoment(session: Session, signal: AbortSignal): Promise<Moment> {
	const sql = `select pg_catalog.to_json(pg_catalog.current_schemas(true)), (${snapshotQuery.sql})`
	const { rows } = await session.read({ sql }, signal, { path: 'user' })
	const [path, snapshot] = rows[0] ?? []
	return { path: JSON.parse(path ?? '[]'), snapshot: snapshot ?? undefined }
}

/** SQL of whether the built-in function `p` reads nothing. */
const isSafe = "(p.prokind in ('a', 'w') or p.provolatile = 'i' or p.proname = any ($1)) and p.proname <> all ($2)"

const rowsOf = (columns: string, from: string) =>
	`(select coalesce(json_agg(json_build_array(${columns})), '[]') from ${from})`

/** SQL of whether the dependency `p` is on what can be code of a user. */
const isCode = `(p.refclassid in ('pg_proc'::regclass, 'pg_operator'::regclass) or p.refclassid = 'pg_opclass'::regclass
	and not exists (select from pg_depend e where e.classid = p.refclassid and e.objid = p.refobjid and e.deptype = 'e'))`

/** Domains that call a function of a user, and the types that contain them: those of tables too. */
const callingTypes = `with recursive found(oid) as (
	select t.oid from pg_type t where t.typtype = 'd' and exists (select from pg_depend p
		where (p.classid = 'pg_type'::regclass and p.objid = t.oid or p.classid = 'pg_constraint'::regclass
			and p.objid in (select k.oid from pg_constraint k where k.contypid = t.oid)) and ${isCode})
	union select t.oid from found f join pg_type t on t.typbasetype = f.oid or t.typelem = f.oid
		or exists (select from pg_attribute a where a.attrelid = t.typrelid and a.atttypid = f.oid and not a.attisdropped)
		or exists (select from pg_range r where r.rngtypid = t.oid and r.rngsubtype = f.oid)
) select oid from found`

const definitionsSql = `select json_build_object(
	'database', current_database(),
	'relations', ${rowsOf('c.oid::int8, n.nspname, c.relname, c.relkind', "pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')")},
	'columns', ${rowsOf(
		'a.attrelid::int8, a.attnum, a.attname',
		`pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
		where a.attnum > 0 and not a.attisdropped and (c.relkind in ('r', 'p', 'f', 'v', 'm') and n.nspname not in ${system} or c.oid = any ($3::oid[]))`,
	)},
	'inherits', ${rowsOf('inhrelid::int8, inhparent::int8', 'pg_inherits')},
	'keys', ${rowsOf("conrelid::int8, confrelid::int8, conkey, confkey, confdeltype in ('c', 'n', 'd') or confupdtype in ('c', 'n', 'd')", "pg_constraint where contype = 'f'")},
	'generated', ${rowsOf(
		'd.adrelid::int8, d.adnum, p.refobjsubid',
		`pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum and a.attgenerated <> ''
		join pg_depend p on p.refclassid = 'pg_class'::regclass and p.refobjid = d.adrelid and p.refobjsubid > 0
			and (p.classid = 'pg_attrdef'::regclass and p.objid = d.oid or p.classid = 'pg_class'::regclass and p.objid = d.adrelid and p.objsubid = d.adnum)`,
	)},
	'views', ${rowsOf(
		'w.ev_class::int8, w.ev_action::text',
		`pg_rewrite w join pg_class c on c.oid = w.ev_class join pg_namespace n on n.oid = c.relnamespace
		where w.ev_type = '1' and c.relkind in ('v', 'm') and n.nspname not in ${system}`,
	)},
	'rules', ${rowsOf('w.ev_class::int8, w.ev_action::text', "pg_rewrite w join pg_class c on c.oid = w.ev_class where w.ev_type <> '1' and c.oid >= 16384")},
	'triggers', ${rowsOf('t.tgrelid::int8, p.prosrc', 'pg_trigger t join pg_proc p on p.oid = t.tgfoid where not t.tgisinternal')},
	'sequences', ${rowsOf('objid::int8, refobjid::int8, refobjsubid', "pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S' where classid = 'pg_class'::regclass and refclassid = 'pg_class'::regclass and deptype in ('a', 'i') and refobjsubid > 0")},
	'partitioned', ${rowsOf('partrelid::int8, partattrs::int2[], partexprs is not null', 'pg_partitioned_table')},
	'indexes', ${rowsOf('indrelid::int8, indkey::int2[]', 'pg_index where indrelid >= 16384')},
	'countable', ${rowsOf(
		"a.attrelid::int8, a.attnum, a.atttypid = 'numeric'::regtype",
		`pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_collation l on l.oid = a.attcollation
		where c.oid >= 16384 and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped and l.collisdeterministic is not false
			and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype, 'int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'numeric'::regtype,
				'bool'::regtype, 'date'::regtype, 'timestamp'::regtype, 'timestamptz'::regtype, 'uuid'::regtype)`,
	)},
	'bonds', ${rowsOf(
		'relation, kind, attributes, tree, is_settled',
		`(select indrelid::int8, case when indisunique or indisexclusion then 'unique' else 'index' end, indkey::int2[], concat(indexprs, indpred), indisvalid and indisready
			from pg_index where indrelid >= 16384
		union all select conrelid::int8, case contype when 'f' then 'key' else 'check' end, conkey, coalesce(conbin::text, ''),
			contype = 'f' or convalidated and not exists (select from regexp_matches(conbin::text, ':(?:funcid|opfuncid) ([0-9]+)', 'g') f(found)
				join pg_proc p on p.oid = found[1]::oid where p.provolatile <> 'i')
			from pg_constraint where conrelid >= 16384 and contype in ('c', 'f', 'n')) bond(relation, kind, attributes, tree, is_settled)`,
	)},
	'calling', (select coalesce(json_agg(distinct relation), '[]') from (
		select used.relation from (
			select adrelid::int8, 'pg_attrdef'::regclass, oid from pg_attrdef
			union all select indrelid::int8, 'pg_class'::regclass, indexrelid from pg_index
			union all select polrelid::int8, 'pg_policy'::regclass, oid from pg_policy
			union all select conrelid::int8, 'pg_constraint'::regclass, oid from pg_constraint
		) used(relation, class, object) join pg_depend p on p.classid = used.class and p.objid = used.object and ${isCode}
		union all select c.oid::int8 from pg_class c where c.reltype in (${callingTypes})
	) found(relation)),
	'policies', ${rowsOf(
		`polrelid::int8, row_security_active(polrelid), concat(polqual, polwithcheck),
		array(select refobjsubid from pg_depend d where d.classid = 'pg_policy'::regclass and d.objid = y.oid and d.refobjid = polrelid and d.refobjsubid > 0)`,
		'pg_policy y join pg_class c on c.oid = polrelid where c.relrowsecurity',
	)},
	'readable', ${rowsOf('c.oid::int8, a.attnum', "pg_class c join pg_attribute a on a.attrelid = c.oid where c.oid >= 16384 and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped and not has_table_privilege(c.oid, 'select') and has_column_privilege(c.oid, a.attnum, 'select')")},
	'denied', (select json_agg(distinct p.proname) from pg_proc p where p.oid < 16384 and not (${isSafe})),
	'deniedOfRow', (select json_agg(distinct p.proname) from pg_proc p join pg_type t on t.oid = p.proargtypes[0]
		where p.oid < 16384 and not (${isSafe}) and t.typtype in ('c', 'p', 'd') and p.pronargs - p.pronargdefaults <= 1),
	'safe', (select json_agg(oid) from (
		select p.oid::int8 from pg_proc p where p.oid < 16384 and ${isSafe}
		union all select p.oid::int8 from pg_proc p join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
			join pg_extension e on e.oid = d.refobjid join unnest($4::text[], $5::text[]) x(extension, name) on x.extension = e.extname and x.name = p.proname
			where p.proname <> all ($2) and (select lanname from pg_language where oid = p.prolang) = 'c' and (select rolsuper from pg_roles where oid = p.proowner)
	) found(oid))
)::text`

export async function readDefinitions(session: Session, signal: AbortSignal): Promise<Definitions> {
	const listed = Object.entries(ofExtensions).flatMap(([extension, names]) =>
		names.split(' ').map(name => [extension, name] as const),
	)
	const values = [
		arrayOf(stableFunctions),
		arrayOf(deniedFunctions),
		// Oids of the server's own tables are the same everywhere.
		arrayOf(Object.keys(systemColumns).map(name => systemOids[name] ?? '0')),
		arrayOf(listed.map(([extension]) => extension)),
		arrayOf(listed.map(([, name]) => name)),
	]
	const { rows } = await session.read({ sql: definitionsSql, values }, signal)
	return JSON.parse(rows[0]?.[0] ?? '{}')
}

const systemOids: Readonly<Record<string, string>> = { pg_class: '1259', pg_attribute: '1249' }
