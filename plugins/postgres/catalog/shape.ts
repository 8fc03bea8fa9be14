import { type Cannot, type Column, type ColumnKind, DriverError } from '@roundhouse/kit'
import { type QualifiedName, qualified, quoted } from '../sql/names.ts'
import { printed } from '../sql/printed.ts'
import type { Session, TextRow } from '../wire/session.ts'
import { cannotOf, takenChanges } from './cannot.ts'
import { foreignKeys, type References, referencesIn } from './references.ts'
import { shortType } from './short-type.ts'
import { readSignature } from './signature.ts'
import { isUnbounded, kindOf, operatorsOf } from './types.ts'

/** A column with the properties that are needed to generate SQL. */
export interface ShapeColumn extends Column {
	/**
	 * Name of the base type in pg_type: `int4`, `_text`. For a domain, that of its base type. A type that is neither built
	 * in nor of an extension has its schema before it, because it may have the name of another one.
	 */
	readonly base: string
	/** The base type as SQL, without a length, which would cut a value: `numeric`, `public.state`. */
	readonly sqlType: string
	/** Whether the base type is built in, so that no cast of it is a function of a user. */
	readonly isBuiltIn: boolean
	/** Schema of its comparison operators, if a plain `=` could mean another one. */
	readonly operatorSchema: string | undefined
	/** Whether its values may be longer than a cell shows. */
	readonly isUnbounded: boolean
	readonly isNotNull: boolean
	/** Whether no stored row has NULL, also in the children of the table. A constraint alone does not prove it. */
	readonly isProvenNotNull: boolean
	/** Whether its base type has fields: `is null` means something else for its values. */
	readonly isComposite: boolean
	/** Whether its collation treats different texts as equal. The server then refuses patterns. */
	readonly isLooselyCollated: boolean
	/** Whether the server computes it from other columns. */
	readonly isComputed: boolean
}

/** A table with the properties that are needed to generate queries. */
export interface Shape extends References {
	readonly place: QualifiedName
	readonly name: string
	readonly oid: string
	/** `relkind` of pg_class. */
	readonly kind: string
	/** Whether other tables inherit from it. A key is unique in each of them, not in all. Partitions share one key. */
	readonly hasChildren: boolean
	readonly columns: readonly ShapeColumn[]
	/** Columns of the primary key, or of a unique key without NULL. Empty if there is none, or if it cannot tell rows apart. */
	readonly key: readonly string[]
	readonly cannot: Cannot | undefined
	/**
	 * Whether the role may read all columns. Only then can a query also read the row version and the row location
	 * (`ctid`).
	 */
	readonly isWholeReadable: boolean
	/** Row count that the server estimates, or -1 if the server has no estimate. */
	readonly estimatedRows: number
	readonly comment: string | undefined
	/** Names and types of all columns, to see whether they have changed. `undefined` if the server did not describe them. */
	readonly signature: string | undefined
}

const relation = `
select c.oid, c.relkind, c.reltuples::numeric, obj_description(c.oid, 'pg_class'),
	c.relkind in ('r', 'm') and coalesce(pg_relation_size(nullif(c.reltoastrelid, 0)), 0) = 0,
	has_table_privilege(c.oid, 'select'),
	c.relkind <> 'p' and exists (select from pg_inherits where inhparent = c.oid),${takenChanges()}
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relname = $2 and c.relkind in ('r', 'p', 'v', 'm', 'f')`

/**
 * SQL of the schema of a type's comparison operators, or of NULL if they are built in for exactly this type. The operators
 * of an index are those of a superuser; one of the same name may be that of any role.
 */
const comparisons = `
	(select nullif(coalesce(min(s.nspname) filter (where o.opcintype = b.oid), 'pg_catalog'), case when a.atttypid = b.oid and bool_or(o.opcintype = b.oid) then 'pg_catalog' end)
		from pg_opclass o join pg_am m on m.oid = o.opcmethod and m.amname = 'btree'
		join pg_amop p on p.amopfamily = o.opcfamily and p.amoplefttype = o.opcintype and p.amoprighttype = o.opcintype and p.amopstrategy = 3
		join pg_operator q on q.oid = p.amopopr join pg_namespace s on s.oid = q.oprnamespace
		where o.opcdefault and o.opcintype = b.oid)`

/**
 * Common tables of a recursive query: the table with its children, and the columns that may hold NULL in one of them. A
 * constraint may be unvalidated, of a foreign table, which does not check it, or missing in a child.
 */
const nullable = `
family as (
	select $1::oid as oid union select h.inhrelid from family f join pg_inherits h on h.inhparent = f.oid
), nullable as (
	select distinct x.attname from family f join pg_class r on r.oid = f.oid join pg_attribute x on x.attrelid = f.oid
	where x.attnum > 0 and (not x.attnotnull or r.relkind = 'f' or exists (select from pg_constraint v
		where v.conrelid = f.oid and v.contype = 'n' and not v.convalidated and x.attnum = any (v.conkey)))
)`

/** Domains are followed to their base type. */
const attributes = `
with recursive ${nullable}, typed as (
	select a.attnum, t.oid, t.typname, t.typtype, t.typbasetype, t.typcategory, t.typnamespace from pg_attribute a
	join pg_type t on t.oid = a.atttypid where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped
	union all
	select d.attnum, t.oid, t.typname, t.typtype, t.typbasetype, t.typcategory, t.typnamespace from typed d
	join pg_type t on t.oid = d.typbasetype where d.typtype = 'd'
)
select a.attname, format_type(a.atttypid, a.atttypmod),
	case when b.typnamespace = 'pg_catalog'::regnamespace or exists (select from pg_depend e
		where e.classid = 'pg_type'::regclass and e.objid = b.oid and e.deptype = 'e') then b.typname else concat(b.typnamespace::regnamespace::text, '.', b.typname) end, b.typtype, b.typcategory, a.attnotnull,
	pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attgenerated,
	case when b.typtype = 'e' then (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = b.oid) end,
	exists (select from pg_opclass o join pg_am m on m.oid = o.opcmethod where m.amname = 'btree' and o.opcdefault
		and (o.opcintype = b.oid or o.opcintype = any (case
			when b.typtype = 'e' then array['anyenum'::regtype] when b.typcategory = 'A' then array['anyarray'::regtype]
			when b.typtype = 'r' then array['anyrange'::regtype] when b.typtype = 'c' then array['record'::regtype]
			when b.typtype = 'm' then array[to_regtype('anymultirange')] when b.typname = 'cidr' then array['inet'::regtype]
			when b.typname = 'varchar' then array['text'::regtype] else array[]::regtype[] end))),
	col_description(a.attrelid, a.attnum),
	has_column_privilege(a.attrelid, a.attnum, 'update'),
	has_column_privilege(a.attrelid, a.attnum, 'insert')
		and (c.relkind <> 'v' or pg_column_is_updatable(a.attrelid, a.attnum, false)),
	format_type(b.oid, -1), b.typnamespace = 'pg_catalog'::regnamespace, ${comparisons},
	a.attname not in (select attname from nullable), l.collisdeterministic is false,
	has_column_privilege(a.attrelid, a.attnum, 'select')
from pg_attribute a
join pg_class c on c.oid = a.attrelid
join typed b on b.attnum = a.attnum and b.typtype <> 'd'
left join pg_collation l on l.oid = a.attcollation
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped
order by a.attnum`

/**
 * The primary key, else the unique key without NULL that has the fewest columns, if the role may read it. An index whose
 * equality is stricter than that of its column is none: by its collation, or by its operators. Children do not inherit an
 * index, so without one on the same columns they have equal rows. Partitions have that of their table.
 */
const keys = `
with recursive ${nullable}, uniques as (
	select i.indexrelid, i.indrelid, i.indisprimary, array_agg(a.attname::text order by k.place) as columns
	from family f join pg_class r on r.oid = $1::oid join pg_index i on i.indrelid = f.oid and (f.oid = r.oid or r.relkind <> 'p')
	cross join lateral unnest(i.indkey::int2[]) with ordinality k(number, place)
	join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
	where i.indisunique and i.indisvalid and i.indimmediate and i.indpred is null and i.indexprs is null
		and k.place <= i.indnkeyatts
		and not exists (select from unnest(i.indkey::int2[]) with ordinality n(number, place) join pg_attribute b
			on b.attrelid = i.indrelid and b.attnum = n.number where n.place <= i.indnkeyatts
				and (not (select opcdefault from pg_opclass where oid = (i.indclass::oid[])[n.place - 1])
					or exists (select from pg_collation where oid = b.attcollation and not collisdeterministic
						and oid <> (i.indcollation::oid[])[n.place - 1])))
	group by i.indexrelid, i.indrelid, i.indisprimary
)
select to_json(u.columns) from uniques u
where u.indrelid = $1::oid
	and not exists (select from unnest(u.columns) c(name) where c.name in (select attname from nullable)
		or not has_column_privilege(u.indrelid, c.name, 'select'))
	and ((select relkind from pg_class where oid = $1::oid) = 'p' or not exists (select from family f
		where f.oid <> $1::oid and not exists (select from uniques o where o.indrelid = f.oid and o.columns <@ u.columns)))
order by u.indisprimary desc, cardinality(u.columns), u.indexrelid limit 1`

/** Reads the columns, keys and references of a table from the system catalog. @throws DriverError `not_found` */
export async function readShape(
	session: Session,
	{ place, name }: { readonly place: QualifiedName; readonly name: string },
	signal: AbortSignal,
): Promise<Shape> {
	// Before the columns: a change in between is then seen later.
	const signature = await readSignature(session, place, signal)
	const first = await session.read({ sql: relation, values: [place.schema, place.table] }, signal)
	const [oid, kind, estimate, comment, hasNoToastData, isWholeReadable, inherited, taken, rights] = first.rows[0] ?? []
	if (!oid || !kind) throw new DriverError('not_found', `There is no table ${name}.`)
	const parts = [keys, attributes, foreignKeys].map(sql => ({ sql, values: [oid] }))
	const [keyed, described, referring] = await session.readAll(parts, signal)
	const hasChildren = inherited === 't'
	// The table of a row tells equal keys apart, and a role needs to read the whole row to see it.
	const key =
		(hasChildren && isWholeReadable !== 't' ? undefined : parsed<readonly string[]>(keyed?.rows[0]?.[0])) ?? []
	const isIdentified = key.length > 0 || isWholeReadable === 't'
	const { cannot } = cannotOf({ kind, taken: Number(taken), rights: Number(rights), isIdentified })
	return {
		place,
		name,
		oid,
		kind,
		hasChildren,
		key,
		columns: (described?.rows ?? [])
			.filter(row => row.at(-1) === 't')
			.map(row => columnOf(row, { key, cannot, hasNoToastData: hasNoToastData === 't' })),
		...referencesIn(referring?.rows ?? [], place),
		cannot,
		isWholeReadable: isWholeReadable === 't',
		estimatedRows: Number(estimate ?? -1),
		comment: comment ?? undefined,
		signature,
	}
}

const parsed = <T>(json: string | null | undefined): T | undefined =>
	json === null || json === undefined ? undefined : JSON.parse(json)

function columnOf(
	row: TextRow,
	{
		key,
		cannot,
		hasNoToastData,
	}: { readonly key: readonly string[]; readonly cannot: Cannot | undefined; readonly hasNoToastData: boolean },
): ShapeColumn {
	const [
		name,
		written,
		base,
		type,
		category,
		notNull,
		defaultExpression,
		identity,
		generated,
		labels,
		comparable,
		comment,
		canUpdate,
		canInsert,
		sqlType,
		isBuiltIn,
		operatorSchema,
		provenNotNull,
		looselyCollated,
	] = row.map(value => value ?? '')
	if (name === undefined || base === undefined || sqlType === undefined) throw new Error('a column without a name')
	const kind = kindOf(base, type)
	const isComputed = generated !== ''
	const generation = identity === 'a' || isComputed ? 'always' : identity === 'd' ? 'default' : undefined
	const isKey = key.includes(name)
	const isNotNull = notNull === 't'
	return {
		name,
		type: shownType(written ?? ''),
		kind,
		isKey,
		base,
		sqlType,
		isNotNull,
		isComputed,
		isBuiltIn: isBuiltIn === 't',
		operatorSchema: operatorSchema || undefined,
		isProvenNotNull: provenNotNull === 't',
		isComposite: type === 'c',
		isLooselyCollated: looselyCollated === 't',
		// A table without TOAST data has no long values, so the query does not need to check for them.
		isUnbounded: !hasNoToastData && isUnbounded(base, category ?? ''),
		...(isKey && key.length > 1 && { keyPosition: key.indexOf(name) + 1 }),
		isReadOnly:
			generation === 'always' || readOnlyBy({ canUpdate: canUpdate === 't', canInsert: canInsert === 't' }, cannot),
		isSortable: comparable === 't',
		...(nonFinite.has(base) && { takesNonFinite: true }),
		...((base === 'timestamp' || base === 'date') && { zone: 'none' as const }),
		...(isNotNull && defaultExpression === '' && generation === undefined && { isRequired: true }),
		...(defaultExpression !== '' && generation === undefined && { default: defaultExpression }),
		...(generation !== undefined && { generated: generation }),
		...(labels !== '' && { choices: parsed<readonly string[]>(labels) ?? [] }),
		...noteOf({ comment, generated, defaultExpression }),
		filterFields: [{ name, kind: filterKind(kind), operators: operatorsOf(kind, comparable === 't') }],
	}
}

/** The rights of the role on a column, within what the table takes. */
function readOnlyBy(
	{ canUpdate, canInsert }: { readonly canUpdate: boolean; readonly canInsert: boolean },
	cannot: Cannot | undefined,
): Column['isReadOnly'] {
	if (canUpdate && cannot?.update === undefined) return false
	return canInsert && cannot?.insert === undefined ? 'after_insert' : true
}

/** As with tables, a name alone is one of `public`. */
const shownType = (type: string) => shortType(type.replace(/^public\./, ''))

/** Types with NaN. Infinity of `numeric` came with version 14; an older server refuses it. */
const nonFinite = new Set(['numeric', 'float4', 'float8'])

const filterKind = (kind: ColumnKind): ColumnKind => (kind === 'other' ? 'text' : kind)

function noteOf({
	comment,
	generated,
	defaultExpression,
}: Readonly<Record<'comment' | 'generated' | 'defaultExpression', string | undefined>>): Pick<Column, 'note'> {
	const computed = generated ? `Computed: ${defaultExpression}` : ''
	const note = [comment, computed].filter(Boolean).join(' ')
	return note === '' ? {} : { note }
}

export const from = ({ place }: Shape) => qualified(place)

/** Returns a comparison operator for values of a column. It means the same on every search path. */
export const comparison = ({ operatorSchema }: ShapeColumn, operator: string) => operatorOf(operatorSchema, operator)

/** Returns an operator of a schema; without one, the plain operator. */
export const operatorOf = (schema: string | undefined, operator: string) =>
	schema === undefined ? operator : `operator(${quoted(schema)}.${operator})`

/**
 * Returns the condition that a value is NULL. `is null` is also true for a composite whose fields are all NULL, and `is not
 * null` is false for one with a field that is.
 */
export const nullTest = ({ isComposite }: Pick<ShapeColumn, 'isComposite'>, value: string, isNull = true) =>
	`${value} is ${isComposite ? (isNull ? 'not distinct from ' : 'distinct from ') : isNull ? '' : 'not '}null`

/** Returns a text for a match with a pattern, which the server refuses for a collation without a binary order. */
export const patternText = ({ isLooselyCollated }: Pick<ShapeColumn, 'isLooselyCollated'>, text: string) =>
	isLooselyCollated ? `(${text}) collate pg_catalog."default"` : text

/** Returns SQL of the value of a column as text, by which a row is found again. */
export const textSql = ({ name, base, isBuiltIn }: ShapeColumn) =>
	isBuiltIn ? `${quoted(name)}::text` : printed(quoted(name), base)

/** Returns the column of that name. @throws DriverError `invalid_argument` */
export function columnIn({ columns, name: table }: Shape, name: string): ShapeColumn {
	const column = columns.find(column => column.name === name)
	if (!column) throw new DriverError('invalid_argument', `${table} has no column ${name}.`)
	return column
}

/** Returns the column without the properties that only SQL generation needs. */
export function gridColumn({
	base,
	sqlType,
	isBuiltIn,
	operatorSchema,
	isUnbounded,
	isComputed,
	isProvenNotNull,
	isComposite,
	isLooselyCollated,
	...column
}: ShapeColumn): Column {
	return column
}
