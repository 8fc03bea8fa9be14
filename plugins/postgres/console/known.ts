import type { Call, Column, Table } from '@roundhouse/kit'
import { nameOf } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import type { Known } from './complete.ts'
import type { Reference } from './join-conditions.ts'

/** Time after which what completion knows is read again. */
const freshMs = 30_000

interface Reading {
	readonly tables: (call: Call) => Promise<readonly Table[]>
	readonly columns: (table: string, call: Call) => Promise<readonly Column[]>
	readonly using: <T>(call: Call, work: (session: Session, signal: AbortSignal) => Promise<T>) => Promise<T>
}

/** What completion reads of the database, kept for a while, because each letter asks. */
export class KnownNames {
	readonly #reading: Reading
	readonly #kept = new Map<string, { readonly at: number; readonly value: Promise<unknown> }>()

	constructor(reading: Reading) {
		this.#reading = reading
	}

	at(call: Call): Known {
		return {
			tables: () => this.#keep('tables', () => this.#reading.tables(call)),
			columns: table => this.#keep(`columns ${table}`, () => this.#reading.columns(table, call)),
			functions: () => this.#keep('functions', () => this.#reading.using(call, readFunctions)),
			systemTables: () => this.#keep('system tables', () => this.#reading.using(call, readSystemTables)),
			references: () => this.#keep('references', () => this.#reading.using(call, readReferences)),
		}
	}

	#keep<T>(key: string, read: () => Promise<T>): Promise<T> {
		const kept = this.#kept.get(key)
		// One key has one type.
		if (kept && performance.now() - kept.at < freshMs) return kept.value as Promise<T>
		const value = read()
		this.#kept.set(key, { at: performance.now(), value })
		value.catch(() => this.#kept.delete(key))
		return value
	}
}

/** Functions that people write, without those that only operators and types use. */
const functions = `
select p.proname, min(format_type(p.prorettype, null)), case when pg_function_is_visible(p.oid) then '' else n.nspname end
from pg_proc p join pg_namespace n on n.oid = p.pronamespace
where (pg_function_is_visible(p.oid) or n.nspname !~ '^(pg_|information_schema$)') and p.prokind in ('f', 'a', 'w') and p.proname !~ '^(pg_stat_get|_|binary_upgrade|RI_)'
	and (n.nspname <> 'pg_catalog' or (obj_description(p.oid, 'pg_proc') is not null
		and obj_description(p.oid, 'pg_proc') !~ '^(implementation of|I/O|internal|less-equal-greater|hash|btree|gin|gist|brin|spgist|join selectivity|restriction selectivity)'))
	and not exists (select from unnest(p.proargtypes::oid[] || p.prorettype) a(type) where a.type in ('internal'::regtype, 'cstring'::regtype))
group by 1, 3 order by 1, 3`

async function readFunctions(session: Session, signal: AbortSignal) {
	const { rows } = await session.read({ sql: functions }, signal)
	return rows.map(([name, result, schema]) => ({ name: name ?? '', result: result ?? '', ...(schema && { schema }) }))
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

async function readReferences(session: Session, signal: AbortSignal): Promise<readonly Reference[]> {
	const { rows } = await session.read({ sql: references }, signal)
	return rows.map(([json]) => JSON.parse(json ?? 'null'))
}
