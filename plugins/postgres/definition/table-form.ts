import {
	type DefinedColumn,
	type DefinedIndex,
	type DefinedKey,
	DriverError,
	type TableDefinition,
	type TableForm,
	type TableFormPlace,
} from '@roundhouse/kit'
import { shortType } from '../catalog/short-type.ts'
import { nameOf, parseName, type QualifiedName } from '../sql/names.ts'
import type { Session, TextRow } from '../wire/session.ts'
import { usualRule } from './statements.ts'
import { computedText, identityWords, shortDefault } from './type-text.ts'

/** The form of a table: what PostgreSQL offers, and the table as the catalog knows it. */

/** Returns where a form begins. A new table without a level is one of `public`. */
export function placeOfForm(place: TableFormPlace, main: string): QualifiedName {
	if ('table' in place) return parseName(place.table)
	const [schema = 'public', database] = place.path.toReversed()
	return { database: database === main ? undefined : database, schema, table: '' }
}

/** @param path of the form, so that a new table is listed where the user stands @throws DriverError */
export async function readTableForm(
	session: Session,
	{ place, path, isNew }: { readonly place: QualifiedName; readonly path: readonly string[]; readonly isNew: boolean },
	signal: AbortSignal,
): Promise<TableForm> {
	const { rows: named } = await session.read({ sql: userTypes }, signal)
	const { definition, untouched } = isNew
		? { definition: { path, name: '', columns: [], keys: [], indexes: [] }, untouched: [] }
		: await readDefinition(session, place, path, signal)
	return {
		definition,
		types: [...types, ...named.map(([name]) => shortType(name ?? ''))],
		defaults: [...Object.values(identityWords), 'now()', 'gen_random_uuid()', 'as (…) stored'],
		keys: ['primary', 'unique', 'foreign', 'check'],
		methods: ['btree', 'hash', 'gin', 'gist', 'brin', 'spgist'],
		rules: Object.values(rules),
		movesColumns: false,
		savesWhole: true,
		untouched,
		...(place.database !== undefined && { database: place.database }),
	}
}

/** The usual ones first. */
const types =
	'bigint,integer,smallint,text,varchar(200),boolean,numeric(12,2),timestamptz,timestamp,date,time,interval,uuid,jsonb,json,bytea,double precision,real,inet,text[]'
		// A comma in brackets belongs to a type.
		.split(/,(?!\d)/)

/** Enumerations and domains. */
const userTypes = `
select format_type(t.oid, null) from pg_type t join pg_namespace n on n.oid = t.typnamespace
where t.typtype in ('e', 'd') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and has_type_privilege(t.oid, 'usage') order by 1 limit 1000`

/** By the letters of pg_constraint. */
const rules: Readonly<Record<string, string>> = {
	a: usualRule,
	r: 'restrict',
	c: 'cascade',
	n: 'set null',
	d: 'set default',
}

interface Read {
	readonly definition: TableDefinition
	readonly untouched: readonly string[]
}

async function readDefinition(
	session: Session,
	place: QualifiedName,
	path: readonly string[],
	signal: AbortSignal,
): Promise<Read> {
	const name = nameOf(place)
	const found = await session.read({ sql: relation, values: [place.schema, place.table] }, signal)
	const [oid, kind, isPartition, comment] = found.rows[0] ?? []
	if (!oid) throw new DriverError('not_found', `There is no table ${name}.`)
	if (kind !== 'r' && kind !== 'p') throw new DriverError('unsupported', 'The form is for tables, and this is none.')
	if (isPartition === 't')
		throw new DriverError('unsupported', 'A partition has the columns of its table. Open the form of that table.')
	const values = [oid]
	const queries = [columnsSql, keysSql, indexesSql, triggersSql].map(sql => ({ sql, values }))
	const [columns, keys, indexes, triggers] = await session.readAll(queries, signal, { lockWaitMs: 2_000 })
	const plain = (rows: readonly TextRow[] = []) => rows.filter(([isPlain]) => isPlain === 't')
	const others = [...(keys?.rows ?? []), ...(indexes?.rows ?? [])].filter(([isPlain]) => isPlain !== 't')
	return {
		definition: {
			path,
			name: place.table,
			...(comment && { comment }),
			columns: (columns?.rows ?? []).map(columnOf),
			keys: plain(keys?.rows).map(row => keyOf(row, place)),
			indexes: plain(indexes?.rows).map(indexOf),
		},
		untouched: [...others, ...(triggers?.rows ?? [])].map(([, text]) => text ?? ''),
	}
}

const relation = `
select c.oid, c.relkind, c.relispartition, obj_description(c.oid, 'pg_class')
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relname = $2 and c.relkind in ('r', 'p', 'v', 'm', 'f')`

const columnsSql = `
select a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid, true),
	col_description(a.attrelid, a.attnum), case when a.attcollation <> t.typcollation then 'collate ' || a.attcollation::regcollation end
from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped order by a.attnum`

function columnOf(row: TextRow): DefinedColumn {
	const [name, type, isNotNull, identity, generated, expression, comment, attributes] = row.map(value => value ?? '')
	const text = defaultOf({ type, identity, generated, expression })
	return {
		id: name ?? '',
		name: name ?? '',
		type: shortType(type ?? ''),
		isNotNull: isNotNull === 't',
		...(text !== undefined && { default: text }),
		...(comment && { comment }),
		...(attributes && { attributes }),
	}
}

type Default = Readonly<Record<'type' | 'identity' | 'generated' | 'expression', string | undefined>>

function defaultOf({ type = '', identity, generated, expression = '' }: Default): string | undefined {
	if (identity) return identity === 'a' ? identityWords.always : identityWords.default
	if (generated) return computedText(expression, generated === 's')
	return expression === '' ? undefined : shortDefault(expression, type)
}

/** Returns SQL of the names of columns as JSON. */
const namesOf = (table: string, numbers: string) => `(
	select json_agg(a.attname order by key.at) from unnest(${numbers}) with ordinality key(number, at)
	join pg_attribute a on a.attrelid = ${table} and a.attnum = key.number)`

/** Whether the index has columns alone, ordered as is usual, and no options. */
const isPlainIndex = `(i.indexprs is null and i.indpred is null and i.indisvalid and i.indnkeyatts = i.indnatts and x.reloptions is null
	and x.reltablespace = 0 and not coalesce((to_jsonb(i) ->> 'indnullsnotdistinct')::boolean, false)
	and not exists (select from unnest(i.indkey::int2[], i.indclass::oid[], i.indcollation::oid[], i.indoption::int2[]) key(number, class, coll, option)
		left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = key.number left join pg_opclass o on o.oid = key.class
		where not o.opcdefault or key.option not in (0, 3) or key.coll not in (0, a.attcollation)))`

/** The server of PostgreSQL 18 also has a constraint for each NOT NULL. */
const keysSql = `
select not k.condeferrable and k.convalidated and k.conislocal and k.conparentid = 0 and k.contype in ('p', 'u', 'f', 'c')
	and coalesce((to_jsonb(k) ->> 'conenforced')::boolean, true) and not coalesce((to_jsonb(k) ->> 'conperiod')::boolean, false)
	and (k.contype <> 'f' or k.confmatchtype = 's' and to_jsonb(k) ->> 'confdelsetcols' is null) and (k.contype <> 'c' or not k.connoinherit)
	and (k.contype not in ('p', 'u') or (select ${isPlainIndex} from pg_index i join pg_class x on x.oid = i.indexrelid where i.indexrelid = k.conindid)),
	'constraint ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid, true), k.conname, k.contype, ${namesOf('k.conrelid', 'k.conkey')},
	n.nspname, r.relname, ${namesOf('k.confrelid', 'k.confkey')}, k.confdeltype, k.confupdtype, pg_get_expr(k.conbin, k.conrelid, true)
from pg_constraint k left join pg_class r on r.oid = k.confrelid left join pg_namespace n on n.oid = r.relnamespace
where k.conrelid = $1::oid and k.contype <> 'n' order by k.contype <> 'p', k.contype <> 'u', k.contype <> 'f', k.conname`

const kinds: Readonly<Record<string, DefinedKey['kind']>> = { p: 'primary', u: 'unique', f: 'foreign' }

function keyOf(row: TextRow, { database }: QualifiedName): DefinedKey {
	const [, , name, letter, columns, schema, table, to, onDelete, onUpdate, expression] = row.map(value => value ?? '')
	const kind = kinds[letter ?? ''] ?? 'check'
	return {
		id: name ?? '',
		name: name ?? '',
		kind,
		columns: kind === 'check' ? [] : namesIn(columns),
		...(kind === 'foreign' && {
			references: {
				table: nameOf({ database, schema: schema ?? '', table: table ?? '' }),
				columns: namesIn(to),
				onDelete: rules[onDelete ?? ''] ?? usualRule,
				onUpdate: rules[onUpdate ?? ''] ?? usualRule,
			},
		}),
		...(kind === 'check' && { expression: expression ?? '' }),
	}
}

// The server has made the list of the names of columns.
const namesIn = (json: string | undefined) => JSON.parse(json || '[]') as readonly string[]

const indexesSql = `
select ${isPlainIndex}, pg_get_indexdef(i.indexrelid), x.relname, m.amname, i.indisunique,
	(select json_agg(json_build_object('column', a.attname, 'isDescending', key.option = 3) order by key.at)
		from unnest(i.indkey::int2[], i.indoption::int2[]) with ordinality key(number, option, at)
		join pg_attribute a on a.attrelid = i.indrelid and a.attnum = key.number)
from pg_index i join pg_class x on x.oid = i.indexrelid join pg_am m on m.oid = x.relam
where i.indrelid = $1::oid and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
order by x.relname`

function indexOf(row: TextRow): DefinedIndex {
	const [, , name, method, isUnique, columns] = row.map(value => value ?? '')
	return {
		id: name ?? '',
		name: name ?? '',
		method: method ?? '',
		isUnique: isUnique === 't',
		// The server has made the list, as the query says.
		columns: JSON.parse(columns || '[]') as DefinedIndex['columns'],
	}
}

const triggersSql = `
select false, pg_get_triggerdef(oid, true) from pg_trigger where tgrelid = $1::oid and not tgisinternal order by tgname`
