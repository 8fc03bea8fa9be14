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
	readonly keys: readonly (readonly [from: number, to: number, fromKey: readonly number[], toKey: readonly number[]])[]
	readonly generated: readonly (readonly [relation: number, attribute: number, source: number])[]
	/** Trees of the server: of views, and of rules of tables. */
	readonly views: readonly (readonly [relation: number, tree: string])[]
	readonly rules: readonly (readonly [relation: number, tree: string])[]
	/** Triggers with the text of their function. */
	readonly triggers: readonly (readonly [relation: number, source: string])[]
	readonly sequences: readonly (readonly [sequence: number, relation: number, attribute: number])[]
	readonly partitioned: readonly (readonly [relation: number, attributes: readonly number[], hasExpressions: boolean])[]
	readonly indexes: readonly (readonly [relation: number, attributes: readonly number[]])[]
	/** Tables whose defaults, checks, indexes or policies call a function of a user. */
	readonly calling: readonly number[]
	/** Names of built-in functions that a statement must not use, and of those that can be written as a column of a row. */
	readonly denied: readonly string[]
	readonly deniedOfRow: readonly string[]
	/** Functions that a view may use. */
	readonly safe: readonly number[]
}

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

const definitionsSql = `select json_build_object(
	'database', current_database(),
	'relations', ${rowsOf('c.oid::int8, n.nspname, c.relname, c.relkind', "pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')")},
	'columns', ${rowsOf(
		'a.attrelid::int8, a.attnum, a.attname',
		`pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
		where a.attnum > 0 and not a.attisdropped and (c.relkind in ('r', 'p', 'f', 'v', 'm') and n.nspname not in ${system} or c.oid = any ($3::oid[]))`,
	)},
	'inherits', ${rowsOf('inhrelid::int8, inhparent::int8', 'pg_inherits')},
	'keys', ${rowsOf('conrelid::int8, confrelid::int8, conkey, confkey', "pg_constraint where contype = 'f'")},
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
	'calling', (select coalesce(json_agg(distinct relation), '[]') from (
		select d.adrelid::int8 from pg_attrdef d join pg_depend p on p.classid = 'pg_attrdef'::regclass and p.objid = d.oid and p.refclassid = 'pg_proc'::regclass
		union all select i.indrelid::int8 from pg_index i join pg_depend p on p.classid = 'pg_class'::regclass and p.objid = i.indexrelid and p.refclassid = 'pg_proc'::regclass
		union all select y.polrelid::int8 from pg_policy y join pg_depend p on p.classid = 'pg_policy'::regclass and p.objid = y.oid and p.refclassid = 'pg_proc'::regclass
		union all select k.conrelid::int8 from pg_constraint k join pg_depend p on p.classid = 'pg_constraint'::regclass and p.objid = k.oid and p.refclassid = 'pg_proc'::regclass
	) found(relation)),
	'denied', (select json_agg(distinct p.proname) from pg_proc p where p.oid < 16384 and not (${isSafe})),
	'deniedOfRow', (select json_agg(distinct p.proname) from pg_proc p join pg_type t on t.oid = p.proargtypes[0]
		where p.oid < 16384 and not (${isSafe}) and t.typtype in ('c', 'p', 'd') and p.pronargs - p.pronargdefaults <= 1),
	'safe', (select json_agg(oid) from (
		select p.oid::int8 from pg_proc p where p.oid < 16384 and ${isSafe}
		union all select p.oid::int8 from pg_proc p join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
			join pg_extension e on e.oid = d.refobjid join unnest($4::text[], $5::text[]) x(extension, name) on x.extension = e.extname and x.name = p.proname
			where (select lanname from pg_language where oid = p.prolang) = 'c' and (select rolsuper from pg_roles where oid = p.proowner)
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
