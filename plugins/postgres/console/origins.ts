import type { ResultBody, ResultOrigin } from '@roundhouse/kit'
import { nameOf } from '../sql/names.ts'
import type { Field } from '../wire/protocol.ts'
import type { Session } from '../wire/session.ts'
import type { Tree } from './parser.ts'
import { usesOf } from './table-uses.ts'
import { arrayOf } from './volatile.ts'

/** Columns of tables, their keys, and their references: the table and column that each column of one refers to. */
const sql = `
select found.*, n.nspname, c.relname, tn.nspname, t.relname from (
	select '' as reference, i.indrelid as own, i.indrelid as other, a.attnum, a.attname
	from pg_catalog.pg_index i
	join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
	where i.indisprimary and i.indrelid = any ($1::oid[])
	union all
	select 'column', a.attrelid, a.attrelid, a.attnum,
	case when a.attgenerated <> '' or a.attidentity = 'a' then '' else a.attname end
	from pg_catalog.pg_attribute a where a.attrelid = any ($1::oid[]) and a.attnum > 0
	union all
	select k.oid::text, k.conrelid, k.confrelid, u.own, a.attname
	from pg_catalog.pg_constraint k
	cross join unnest(k.conkey, k.confkey) u(own, other)
	join pg_catalog.pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.other
	where k.contype = 'f' and k.conrelid = any ($1::oid[])
) found
join pg_catalog.pg_class c on c.oid = found.own
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_class t on t.oid = found.other and not (t.relispartition and found.reference not in ('', 'column'))
join pg_catalog.pg_namespace tn on tn.oid = t.relnamespace
where current_setting('datestyle') like 'ISO%' and current_setting('intervalstyle') = 'postgres'
and current_setting('extra_float_digits')::int > 0
and current_setting('lc_monetary') = (select reset_val from pg_catalog.pg_settings where name = 'lc_monetary')`

interface ResultOf {
	readonly fields: readonly Field[]
	/** Set for another database than that of the connection. */
	readonly database: string | undefined
	/** Absent if the grammar refuses the statement. */
	readonly tree: Tree | undefined
}

/** The tables whose rows a result names. */
type TablesOf = Pick<Extract<ResultBody, { readonly view: 'rows' }>, 'origins' | 'references'>

/**
 * Returns the tables whose primary key is in a result, and those that its columns refer to. The server says of each
 * column from which table it is, and not from which use of the table: columns of a table that is used twice belong to the
 * row that the statement names for certain, else to none. None is known if the session writes values in other forms than a
 * table reads them. An open transaction stays open.
 */
export async function originsOf(
	session: Session,
	{ fields, database, tree }: ResultOf,
	signal: AbortSignal,
): Promise<TablesOf> {
	const tables = [...new Set(fields.map(({ tableID }) => tableID))].filter(oid => oid !== 0)
	// In a failed transaction the server answers nothing.
	if (tables.length === 0 || session.transaction === 'failed') return {}
	const query = { sql, values: [arrayOf(tables.map(String))] }
	const { rows } = await session.read(query, signal, { path: 'own' })
	const uses = tree && usesOf(tree, fields.length)
	const names = new Map(
		rows.flatMap(([reference, own, , number, name]) =>
			reference === 'column' && name != null ? [[`${own} ${number}`, name]] : [],
		),
	)
	const nameAt = (at: number) => names.get(`${fields[at]?.tableID} ${fields[at]?.columnID}`) ?? ''
	const origins: ResultOrigin[] = []
	const references: ResultOrigin[] = []
	const related = rows.filter(([reference]) => reference !== 'column')
	for (const parts of Map.groupBy(related, ([reference, own]) => `${reference} ${own}`).values()) {
		const [[reference, own, , , , schema, name, otherSchema, other] = []] = parts
		if (schema == null || name == null || otherSchema == null || other == null) continue
		const isReference = reference !== ''
		const columns = fields.flatMap(({ tableID }, at) => (tableID === Number(own) ? [at] : []))
		const isAmbiguous = (uses?.count(schema, name) ?? 2) > 1
		// A value that refers to a row is enough. Several, or a key, must be from one use of the table.
		const useOf = (at: number) => (isReference && parts.length === 1 ? at : isAmbiguous ? uses?.aliasOf(at) : '')
		for (const [use, ofUse] of Map.groupBy(columns, useOf)) {
			const key = parts.map(([, , , number, column]) => ({
				column: column ?? '',
				at: ofUse.find(at => fields[at]?.columnID === Number(number)) ?? -1,
			}))
			const isKnown = use !== undefined && key.every(({ at }) => at >= 0)
			const table = nameOf({ database, schema: otherSchema, table: other })
			if (isReference && isKnown) references.push({ table, key, columns: key.map(({ at }) => at) })
			else if (!isReference && (isKnown || isAmbiguous))
				origins.push({ table, key: isKnown ? key : [], columns: ofUse, names: ofUse.map(nameAt) })
		}
	}
	return {
		...(origins.some(({ key }) => key.length > 0) && { origins }),
		...(references.length > 0 && { references }),
	}
}
