import { type DatabaseObject, DriverError, type FactSection } from '@roundhouse/kit'
import type { ListedDatabase } from '../catalog/databases.ts'
import { inUserSchema } from '../catalog/tables.ts'
import { partsOf, quoted } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import { aggregateDefinition, executedFunction, functionDefinition, triggerDefinition } from './routines.ts'
import { codeSection, factsSection, listSection, rightsOf } from './section.ts'
import { sequenceDefinition } from './sequences.ts'
import { typeDefinition } from './types.ts'

/** What a database has beside tables: functions, triggers, types and sequences. */

interface ObjectKind {
	/** The level below the schema that contains them. */
	readonly folder: string
	/** Rows of oid, kind, schema, the name below the folder and the qualified name. */
	readonly listing: string
	/** Titles of the values of `overview`, the first of which is a comment. */
	readonly titles: readonly string[]
	/** One row about the object `$1`. */
	readonly overview: string
	/** Titles, and queries of statements that define the object `self`. */
	readonly definitions: Readonly<Record<string, string>>
	/** Rows of a role and its rights. */
	readonly rights?: string
}

/** Condition for objects of users. @param catalog of the object, whose alias is `o`, in the schema `n` */
const ofUsers = (catalog: string) => `
where ${inUserSchema}
	and not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = o.oid and d.deptype in ('e', 'i'))`

const routines: ObjectKind = {
	folder: 'Functions',
	listing: `
select o.oid, case o.prokind when 'p' then 'procedure' when 'a' then 'aggregate' when 'w' then 'window function' else 'function' end, n.nspname,
	format('%s(%s)', o.proname, oidvectortypes(o.proargtypes)), format('%I.%I(%s)', n.nspname, o.proname, oidvectortypes(o.proargtypes))
from pg_proc o join pg_namespace n on n.oid = o.pronamespace ${ofUsers('pg_proc')}`,
	titles: ['Arguments', 'Returns', 'Language', 'Volatility', 'Runs as', 'Parallel', 'Owner', 'Run by triggers'],
	overview: `
select obj_description(p.oid, 'pg_proc'), pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), l.lanname,
	case p.provolatile when 'v' then 'volatile' when 's' then 'stable' else 'immutable' end,
	case when p.prosecdef then 'its owner' else 'the user who calls it' end,
	case p.proparallel when 's' then 'safe' when 'r' then 'restricted' else 'unsafe' end, pg_get_userbyid(p.proowner),
	(select string_agg(format('%I on %s', t.tgname, t.tgrelid::regclass), ', ' order by t.tgrelid::regclass::text, t.tgname) from pg_trigger t
		where t.tgfoid = p.oid and not t.tgisinternal and t.tgparentid = 0)
from pg_proc p join pg_language l on l.oid = p.prolang where p.oid = $1::oid`,
	definitions: { Definition: `${functionDefinition} union all ${aggregateDefinition}` },
	rights: rightsOf('pg_proc', `coalesce(o.proacl, acldefault('f', o.proowner))`),
}

const triggers: ObjectKind = {
	folder: 'Triggers',
	listing: `
select o.oid, 'trigger', n.nspname, format('%s on %s', o.tgname, c.relname), format('%I on %I.%I', o.tgname, n.nspname, c.relname)
from pg_trigger o join pg_class c on c.oid = o.tgrelid join pg_namespace n on n.oid = c.relnamespace ${ofUsers('pg_trigger')}
	and not o.tgisinternal and o.tgparentid = 0`,
	titles: ['Table', 'Function', 'Enabled'],
	overview: `
select obj_description(t.oid, 'pg_trigger'), t.tgrelid::regclass, t.tgfoid::regprocedure,
	case t.tgenabled when 'D' then 'no' when 'R' then 'on a replica' when 'A' then 'always' else 'yes' end
from pg_trigger t where t.oid = $1::oid`,
	definitions: { Definition: triggerDefinition, 'Function that it runs': executedFunction },
}

const types: ObjectKind = {
	folder: 'Types',
	listing: `
select o.oid, case o.typtype when 'e' then 'enumeration' when 'd' then 'domain' else 'composite type' end, n.nspname, o.typname, format('%I.%I', n.nspname, o.typname)
from pg_type o join pg_namespace n on n.oid = o.typnamespace left join pg_class c on c.oid = o.typrelid ${ofUsers('pg_type')}
	and (o.typtype in ('e', 'd') or c.relkind = 'c')`,
	titles: ['Owner', 'Used by columns'],
	overview: `
select obj_description(t.oid, 'pg_type'), pg_get_userbyid(t.typowner),
	(select string_agg(format('%s.%I', a.attrelid::regclass, a.attname), ', ' order by a.attrelid::regclass::text, a.attnum) from pg_attribute a
		join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p', 'v', 'm', 'f')
		where a.atttypid in (t.oid, t.typarray) and a.attnum > 0 and not a.attisdropped)
from pg_type t where t.oid = $1::oid`,
	definitions: { Definition: typeDefinition },
	rights: rightsOf('pg_type', `coalesce(o.typacl, acldefault('T', o.typowner))`),
}

const sequences: ObjectKind = {
	folder: 'Sequences',
	listing: `
select o.oid, 'sequence', n.nspname, o.relname, format('%I.%I', n.nspname, o.relname)
from pg_class o join pg_namespace n on n.oid = o.relnamespace ${ofUsers('pg_class')} and o.relkind = 'S'`,
	titles: ['Type', 'Last value', 'Minimum', 'Maximum', 'Increment', 'Owner', 'Belongs to'],
	overview: `
select obj_description(c.oid, 'pg_class'), format_type(s.seqtypid, null), coalesce(pg_sequence_last_value(c.oid)::text, 'not used yet'), s.seqmin, s.seqmax,
	s.seqincrement, pg_get_userbyid(c.relowner),
	(select format('%s.%I', a.attrelid::regclass, a.attname) from pg_depend d join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
		where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype = 'a')
from pg_sequence s join pg_class c on c.oid = s.seqrelid where c.oid = $1::oid`,
	definitions: { Definition: sequenceDefinition },
	rights: rightsOf('pg_class', `coalesce(o.relacl, acldefault('s', o.relowner))`),
}

const kinds = [routines, triggers, types, sequences]

/** The kind comes first in the name, because a type and a sequence may have the same name. */
const listing = `select at, oid, kind, schema, title, kind || ' ' || name as name from (${kinds
	.map(({ listing }, at) => `select ${at}, named.* from (${listing}) named`)
	.join(' union all ')}) found(at, oid, kind, schema, title, name)`

export async function listObjects(
	session: Session,
	{ database, levels }: ListedDatabase,
	signal: AbortSignal,
): Promise<readonly DatabaseObject[]> {
	const { rows } = await session.read({ sql: `${listing} order by schema, at, title, name` }, signal)
	return rows.map(([at, , kind, schema, title, name]) => ({
		name: database === undefined ? (name ?? '') : `${name} in ${quoted(database)}`,
		kind: kind ?? '',
		path: [...levels, schema ?? '', kinds[Number(at)]?.folder ?? ''],
		title: title ?? '',
	}))
}

const elsewhere = /^(.*) in ([a-z_][a-z0-9_]*|"(?:[^"]|"")+")$/s

/** Reads a name of {@link listObjects}. */
export function objectPlace(name: string): { readonly name: string; readonly database: string | undefined } {
	const [, inside = name, written = ''] = elsewhere.exec(name) ?? []
	return { name: inside, database: partsOf(written)[0] }
}

/** @throws DriverError `not_found` */
export async function objectFacts(
	session: Session,
	name: string,
	signal: AbortSignal,
): Promise<readonly FactSection[]> {
	const { rows } = await session.read(
		{ sql: `select at, oid from (${listing}) o where name = $1`, values: [name] },
		signal,
	)
	const [at, oid] = rows[0] ?? []
	const kind = kinds[Number(at ?? -1)]
	if (!kind || typeof oid !== 'string') throw new DriverError('not_found', `There is no ${name}.`)
	const values = [oid]
	const sections = [
		await factsSection(session, { title: 'Overview', titles: kind.titles, sql: kind.overview, values }, signal),
	]
	for (const [title, sql] of Object.entries(kind.definitions))
		sections.push(...(await codeSection(session, { title, queries: [sql], self: { oid } }, signal)))
	if (kind.rights === undefined) return sections
	const rights = {
		title: 'Rights',
		columns: ['Role', 'Rights'],
		sql: kind.rights,
		values,
		empty: 'No role has rights.',
	}
	return [...sections, await listSection(session, rights, signal)]
}
