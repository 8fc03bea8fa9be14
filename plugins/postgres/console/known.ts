import type { Call, Column, Table } from '@roundhouse/kit'
import { CatalogCache, type CompletionCatalog, type ForeignKey, type KnownObject } from '@roundhouse/sql'
import { shortType } from '../catalog/short-type.ts'
import { nameOf } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'

interface Reading {
	readonly tables: (call: Call) => Promise<readonly Table[]>
	readonly columns: (table: string, call: Call) => Promise<readonly Column[]>
	readonly using: <T>(call: Call, work: (session: Session, signal: AbortSignal) => Promise<T>) => Promise<T>
}

/** What completion reads of the database. */
export class KnownNames {
	readonly #reading: Reading
	readonly #kept = new CatalogCache()

	constructor(reading: Reading) {
		this.#reading = reading
	}

	at(call: Call): CompletionCatalog {
		const read = <T>(key: string, work: (session: Session, signal: AbortSignal) => Promise<T>) =>
			this.#kept.of(key, () => this.#reading.using(call, work))
		return {
			tables: () => this.#kept.of('tables', () => this.#reading.tables(call)),
			columns: table => this.#kept.of(`columns ${table}`, () => this.#reading.columns(table, call)),
			functions: () => read('functions', readFunctions),
			systemTables: () => read('system tables', readSystemTables),
			references: () => read('references', readReferences),
			procedures: () => read('procedures', objectsIn(procedures)),
			types: () => read('types', typesIn),
		}
	}
}

/** Functions that people write, without those that only operators and types use. */
const functions = `
select p.proname, min(format_type(p.prorettype, null)), case when pg_function_is_visible(p.oid) then '' else n.nspname end,
	bool_or(p.proretset)
from pg_proc p join pg_namespace n on n.oid = p.pronamespace
where (pg_function_is_visible(p.oid) or n.nspname !~ '^(pg_|information_schema$)') and p.prokind in ('f', 'a', 'w') and p.proname !~ '^(pg_stat_get|_|binary_upgrade|RI_)'
	and (n.nspname <> 'pg_catalog' or (obj_description(p.oid, 'pg_proc') is not null
		and obj_description(p.oid, 'pg_proc') !~ '^(implementation of|I/O|internal|less-equal-greater|hash|btree|gin|gist|brin|spgist|join selectivity|restriction selectivity)'))
	and not exists (select from unnest(p.proargtypes::oid[] || p.prorettype) a(type) where a.type in ('internal'::regtype, 'cstring'::regtype))
group by 1, 3 order by 1, 3`

async function readFunctions(session: Session, signal: AbortSignal) {
	const { rows } = await session.read({ sql: functions }, signal)
	return rows.map(([name, result, schema, isRows]) => ({
		name: name ?? '',
		result: shortType(result ?? ''),
		...(schema && { schema }),
		isRows: isRows === 't',
	}))
}

const procedures = `
select distinct p.proname, case when pg_function_is_visible(p.oid) then '' else p.pronamespace::regnamespace::name end
from pg_proc p where p.prokind = 'p' order by 1, 2`

/** Types that columns have, without those of rows of tables and of arrays. */
const types = `
select case when t.typnamespace = 'pg_catalog'::regnamespace then format_type(t.oid, null) else t.typname end,
	case when pg_type_is_visible(t.oid) then '' else t.typnamespace::regnamespace::name end
from pg_type t left join pg_class c on c.oid = t.typrelid
where (t.typtype in ('b', 'd', 'e', 'm', 'r') or c.relkind = 'c') and t.typcategory not in ('A', 'P', 'Z')
	and t.typnamespace <> 'pg_toast'::regnamespace and t.typname !~ '^(pg_|_|reg)' order by 1, 2`

/** In the spelling that people write. */
async function typesIn(session: Session, signal: AbortSignal): Promise<readonly KnownObject[]> {
	const found = await objectsIn(types)(session, signal)
	return found.map(type => ({ ...type, name: shortType(type.name) }))
}

const objectsIn =
	(sql: string) =>
	async (session: Session, signal: AbortSignal): Promise<readonly KnownObject[]> => {
		const { rows } = await session.read({ sql }, signal)
		return rows.map(([name, schema]) => ({ name: name ?? '', ...(schema && { schema }) }))
	}

const systemTables = `
select relnamespace::regnamespace::name, relname, relkind from pg_class
where relnamespace in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) and relkind in ('r', 'v') order by 1, 2`

async function readSystemTables(session: Session, signal: AbortSignal): Promise<readonly Table[]> {
	const { rows } = await session.read({ sql: systemTables }, signal)
	return rows.map(([schema, table, kind]) => ({
		name: nameOf({ database: undefined, schema: schema ?? '', table: table ?? '' }),
		kind: kind === 'v' ? 'system view' : 'system table',
	}))
}

const sideOf = (relation: string, columns: string) =>
	`json_build_object('schema', ${relation}.relnamespace::regnamespace::name, 'table', ${relation}.relname, 'columns', array(
		select a.attname from unnest(k.${columns}) with ordinality u(number, place)
		join pg_attribute a on a.attrelid = ${relation}.oid and a.attnum = u.number order by u.place))`

const references = `
select json_build_object('from', ${sideOf('f', 'conkey')}, 'to', ${sideOf('t', 'confkey')})
from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
where k.contype = 'f' and k.conparentid = 0`

async function readReferences(session: Session, signal: AbortSignal): Promise<readonly ForeignKey[]> {
	const { rows } = await session.read({ sql: references }, signal)
	return rows.map(([json]) => JSON.parse(json ?? 'null'))
}
