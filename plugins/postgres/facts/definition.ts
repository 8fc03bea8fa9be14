import type { Shape } from '../catalog/shape.ts'
import { literal, qualified, quoted } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'

/** The definition of a table as SQL. The server writes most of it; only CREATE TABLE has no function. */
export async function definitionOf(session: Session, shape: Shape, signal: AbortSignal): Promise<string> {
	const ask = async (sql: string) => {
		const { rows } = await session.read({ sql, values: [shape.oid] }, signal)
		return rows.map(([text]) => text ?? '')
	}
	const name = qualified(shape.place)
	const head =
		shape.kind === 'v' || shape.kind === 'm' ? await viewOf(ask, { name, kind: shape.kind }) : await tableOf(ask, name)
	const rest = [...(await ask(indexes)), ...(await ask(triggers)), ...commentsOf(shape, name)]
	return [head, ...rest.map(line => `${line};`)].join('\n')
}

type Ask = (sql: string) => Promise<readonly string[]>

async function viewOf(ask: Ask, { name, kind }: { readonly name: string; readonly kind: string }): Promise<string> {
	const [query = ''] = await ask('select pg_get_viewdef($1::oid, true)')
	return `create ${kind === 'm' ? 'materialized view' : 'view'} ${name} as\n${query.replace(/;\s*$/, '')};`
}

async function tableOf(ask: Ask, name: string): Promise<string> {
	const lines = [...(await ask(columns)), ...(await ask(constraints))]
	const [partition] = await ask(parent)
	if (partition) return `create table ${name} partition of ${partition};`
	const [suffix = ''] = await ask(clauses)
	return `create table ${name} (\n\t${lines.join(',\n\t')}\n)${suffix};`
}

const columns = `
select quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
	|| case when a.attcollation <> t.typcollation then ' collate ' || a.attcollation::regcollation else '' end
	|| case when a.attidentity <> '' then ' generated ' || case a.attidentity when 'a' then 'always' else 'by default' end || ' as identity'
		when a.attgenerated = 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
		when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ')'
		when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end
	|| case when a.attnotnull then ' not null' else '' end
from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped order by a.attnum`
const constraints = `
select 'constraint ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid, true) from pg_constraint
where conrelid = $1::oid and contype in ('p', 'u', 'c', 'f', 'x') order by contype <> 'p', contype, conname`
const parent = `
select i.inhparent::regclass || ' ' || pg_get_expr(c.relpartbound, c.oid) from pg_class c
join pg_inherits i on i.inhrelid = c.oid where c.oid = $1::oid and c.relispartition`
const clauses = `
select case when c.relkind = 'p' then ' partition by ' || pg_get_partkeydef(c.oid) else '' end
	|| coalesce((select ' server ' || quote_ident(s.srvname) from pg_foreign_table f join pg_foreign_server s on s.oid = f.ftserver where f.ftrelid = c.oid), '')
	|| coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '') from pg_class c where c.oid = $1::oid`
/** Those of constraints are in the table. */
const indexes = `
select pg_get_indexdef(i.indexrelid) from pg_index i where i.indrelid = $1::oid
	and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x')) order by i.indexrelid`
const triggers = `select pg_get_triggerdef(oid, true) from pg_trigger where tgrelid = $1::oid and not tgisinternal order by tgname`

function commentsOf({ columns, comment, kind }: Shape, name: string): readonly string[] {
	const what = kind === 'v' ? 'view' : kind === 'm' ? 'materialized view' : kind === 'f' ? 'foreign table' : 'table'
	const own = comment === undefined ? [] : [`comment on ${what} ${name} is ${literal(comment)}`]
	const others = columns.flatMap(column =>
		column.comment === undefined
			? []
			: [`comment on column ${name}.${quoted(column.name)} is ${literal(column.comment)}`],
	)
	return [...own, ...others]
}
