import { createHash } from 'node:crypto'
import { type ChangedRows, cutText, type Effect, type TableEffect } from '@roundhouse/kit'
import { literal, qualified, quoted } from '../sql/names.ts'
import type { Rows, Session, TextRow } from '../wire/session.ts'

/**
 * What the open transaction has done so far, as the server counts it: triggers, cascades and functions count too. Nothing
 * of the statement's text is read. Tried on PostgreSQL 13 and 18.
 */

/** Counted changes of a table since the start of the session. */
interface Counted {
	readonly schema: string
	readonly name: string
	readonly inserted: number
	readonly updated: number
	readonly deleted: number
}

/** By the oid of the table. */
export type Counts = ReadonlyMap<string, Counted>

const countsSql = `
select relid::text, schemaname, relname, n_tup_ins, n_tup_upd, n_tup_del from pg_catalog.pg_stat_xact_all_tables
where n_tup_ins operator(pg_catalog.+) n_tup_upd operator(pg_catalog.+) n_tup_del operator(pg_catalog.>) 0
	and schemaname operator(pg_catalog.<>) all (array['pg_toast']::pg_catalog.name[])
order by schemaname, relname`

/**
 * Counts of a session add up until they are flushed, so only a difference says what was done between.
 * @param before statements that are sent before, in the same round trip
 */
export async function countChanges(
	session: Session,
	signal: AbortSignal,
	before: readonly string[] = [],
): Promise<Counts> {
	const { rows } = await session.command([...before, countsSql].join('; '), signal)
	return countsIn(rows)
}

const countsIn = (rows: readonly TextRow[]): Counts =>
	new Map(
		rows.flatMap(([oid, schema, name, ...counts]) => {
			const [inserted = 0, updated = 0, deleted = 0] = counts.map(Number)
			return oid === null || oid === undefined
				? []
				: [[oid, { schema: schema ?? '', name: name ?? '', inserted, updated, deleted }] as const]
		}),
	)

/** What decides to which tables the names of a statement lead. */
export const placeSql = `
select pg_catalog.concat_ws(' ', pg_catalog.quote_ident(current_database()), pg_catalog.quote_ident(current_user), pg_catalog.array_to_string(pg_catalog.current_schemas(true), ','))`

/** Sessions of one rehearsal: the one whose transaction is open, and one that does not see its changes. */
export interface Observed {
	readonly session: Session
	readonly outside: Session
}

/** Catalogs with an entry of each new table. */
export const ofNewTable: ReadonlySet<string> = new Set(
	'pg_class pg_attribute pg_type pg_depend pg_shdepend pg_index pg_init_privs'
		.split(' ')
		.map(name => `pg_catalog.${name}`),
)

interface Measured {
	readonly before: Counts
	/** Whether the statement makes a table. */
	readonly makesTable: boolean
	/** Returns the names of the columns of a table that a client must not see. Default: none */
	readonly hides?: ((schema: string, table: string) => ReadonlySet<string>) | undefined
}

/** Returns what the open transaction did since `before` was counted. */
export async function measure(
	{ session, outside }: Observed,
	{ before, makesTable, hides }: Measured,
	signal: AbortSignal,
): Promise<Effect> {
	// What is checked at the end of a transaction is checked now, and its triggers run.
	const { rows } = await session.command(`set constraints all immediate; ${afterSql}`, signal)
	const after = countsIn(rows)
	const [place = '', xid = ''] = rows[0]?.slice(-2) ?? []
	const changed = [...after].flatMap(([oid, { schema, name, ...now }]) => {
		const was = before.get(oid)
		const counts = {
			inserted: now.inserted - (was?.inserted ?? 0),
			updated: now.updated - (was?.updated ?? 0),
			deleted: now.deleted - (was?.deleted ?? 0),
		}
		if (counts.inserted + counts.updated + counts.deleted === 0) return []
		const sql = qualified({ schema, table: name })
		if (makesTable && ofNewTable.has(sql)) return []
		return [{ oid, schema, name, sql, counts, losesRows: counts.updated + counts.deleted > 0 }]
	})
	const read = new Map<string, Awaited<ReturnType<typeof readRows>>>()
	let rowsLeft = mostRows
	// What a trigger adds elsewhere must not take the place of the rows that are lost.
	const byLoss = changed.toSorted((a, b) => Number(b.losesRows) - Number(a.losesRows))
	for (const [index, { oid, schema, name, sql, counts }] of byLoss.entries()) {
		const most = Math.ceil(rowsLeft / (byLoss.length - index))
		if (most === 0) break
		const hidden = hides?.(schema, name) ?? noNames
		const table = { sql, oid, xid: xid ?? '', most: mostRows, shown: most, hidden, isSorted: hides !== undefined }
		const found = await readRows({ session, outside }, { ...table, counts }, signal)
		rowsLeft -= found.rows?.changes.length ?? 0
		read.set(oid, found)
	}
	const tables = changed.map(({ oid, sql, counts }): TableEffect => ({ table: sql, ...counts, ...read.get(oid) }))
	// A name can stand for another table when the statement runs.
	const oids = changed.flatMap(({ oid, losesRows }) => (!makesTable || losesRows ? [oid] : []))
	return { tables, place: `${place} ${oids.toSorted().join(',')}` }
}

const noNames: ReadonlySet<string> = new Set()

/** Rows of all tables together. */
const mostRows = 10
/** Time for the rows of one table: its newest versions are found by reading it. */
const rowsLimitMs = 300

/** The number of the transaction as a row has it, which counts to 2^32. */
const xidSql = `select pg_catalog.mod(pg_catalog.txid_current(), 4294967296)::pg_catalog.text`

/** The counts, each with the place and the number of the transaction, which are there without a count too. */
const afterSql = `select c.*, p.place, p.xid from (select (${placeSql}) as place, (${xidSql}) as xid) p left join (${countsSql}) c on true order by c.schemaname, c.relname`

interface ChangedTable {
	readonly sql: string
	readonly oid: string
	readonly xid: string
	/** Rows that are read to find their keys, and those of them that are shown. */
	readonly most: number
	readonly shown: number
	/** Names of columns that are left out. */
	readonly hidden: ReadonlySet<string>
	/** Whether rows come by their key: their order in the table follows from the plan of the statement. */
	readonly isSorted: boolean
	readonly counts: Pick<TableEffect, 'inserted' | 'updated' | 'deleted'>
}

interface Version {
	readonly key: string
	readonly cells: TextRow
}

/** Reads rows before and after. If that takes too long, or is not allowed, there are none. */
async function readRows(
	{ session, outside }: Observed,
	{ sql, oid, xid, most, shown: mostShown, hidden, isSorted, counts }: ChangedTable,
	signal: AbortSignal,
): Promise<Pick<TableEffect, 'rows' | 'keys'>> {
	try {
		const limited = `savepoint roundhouse_rows; set local statement_timeout to ${rowsLimitMs}`
		// The columns of the primary key. Without one, rows before and after are not paired.
		const keyed = (await session.command(`${limited}; ${keySql(oid)}`, signal)).rows
		const named = keyed.map(([name]) => name ?? '')
		const key = named.some(name => hidden.has(name)) ? [] : named
		// Which rows come first is seen. The order of the table is that of the sizes of rows, and a whole row has hidden values.
		if (hidden.size > 0 && key.length === 0) return {}
		const ended = { sql, key, isSorted, condition: marked('xmax', xid), most: 2 * most + 1 }
		const was =
			counts.updated + counts.deleted === 0
				? none
				: await outside.read({ sql: versionsSql(ended) }, signal, { lockWaitMs: rowsLimitMs, guard: fromTheFirst })
		// A foreign key locks the rows that it refers to, which marks them too.
		const seen = was.rows.length === 0 ? none : await session.query({ sql: seenSql(sql, was.rows) }, signal)
		const kept = new Set(seen.rows.map(([ctid]) => ctid))
		const before = was.rows.filter(([ctid]) => !kept.has(ctid ?? null))
		const written = { sql, key, isSorted, condition: marked('xmin', xid), most: most + 1 }
		const isUpdate = counts.inserted + counts.deleted === 0 && key.length > 0
		const byKey =
			isUpdate && keyed.every(([, isBuiltIn]) => isBuiltIn === 't')
				? await session.query({ sql: versionsSql({ ...written, condition: keysOf(key, was.fields, before) }) }, signal)
				: none
		// An update of a key leads elsewhere.
		const isPaired = byKey.rows.length > 0 && byKey.rows.length >= Math.min(before.length, most + 1)
		const isWritten = counts.inserted + counts.updated > 0
		const is = isPaired ? byKey : isWritten ? await session.query({ sql: versionsSql(written) }, signal) : none
		const { fields } = is.fields.length > 0 ? is : was
		const names = fields.slice(2).map(({ name }) => name)
		const shown = names.flatMap((name, at) => (hidden.has(name) ? [] : [at + 2]))
		const old = versions(before, shown)
		return {
			rows: {
				columns: names.filter(name => !hidden.has(name)),
				changes: paired(old, versions(is.rows, shown)).slice(0, mostShown),
			},
			...(old.length === counts.updated + counts.deleted && { keys: digestOf(old) }),
		}
	} catch {
		signal.throwIfAborted()
		return {}
	} finally {
		if (session.transaction !== undefined && session.isUsable)
			await session.command('rollback to savepoint roundhouse_rows; release savepoint roundhouse_rows', signal)
	}
}

const keySql = (oid: string) => `
select a.attname, a.atttypid operator(pg_catalog.<) 16384::pg_catalog.oid from pg_catalog.pg_index i cross join lateral pg_catalog.unnest(i.indkey::pg_catalog.int2[]) with ordinality k(attnum, at)
	join pg_catalog.pg_attribute a on a.attrelid operator(pg_catalog.=) i.indrelid and a.attnum operator(pg_catalog.=) k.attnum
where i.indrelid operator(pg_catalog.=) ${literal(oid)}::pg_catalog.oid and i.indisprimary order by k.at`

interface Versions {
	readonly sql: string
	readonly key: readonly string[]
	/** Whether rows come by their key. */
	readonly isSorted: boolean
	readonly condition: string
	readonly most: number
}

/** Rows that the transaction wrote (`xmin`), or that it ended (`xmax`). */
const marked = (mark: 'xmin' | 'xmax', xid: string) =>
	`t.${mark} operator(pg_catalog.=) ${literal(xid)}::pg_catalog.xid`

/** Returns the condition of the rows with the same keys, which an index finds: the marks of rows need the whole table. */
function keysOf(key: readonly string[], fields: Rows['fields'], rows: readonly TextRow[]): string {
	const places = key.map(name => fields.findLastIndex(field => field.name === name))
	const isRow = (row: TextRow) =>
		key
			.map((name, at) => `t.${quoted(name)} operator(pg_catalog.=) ${literal(row[places[at] ?? -1] ?? '')}`)
			.join(' and ')
	return rows.map(row => `(${isRow(row)})`).join(' or ') || 'false'
}

/** Rows with their place, their key as one text, and all columns. */
function versionsSql({ sql, key, isSorted, condition, most }: Versions): string {
	const parts =
		key.length === 0 ? 't::pg_catalog.text' : key.map(name => `t.${quoted(name)}::pg_catalog.text`).join(', ')
	return `select t.ctid::pg_catalog.text, pg_catalog.jsonb_build_array(${parts})::pg_catalog.text, t.* from only ${sql} t where ${condition}${isSorted ? ' order by 2' : ''} limit ${most}`
}

const seenSql = (sql: string, rows: readonly TextRow[]) =>
	`select t.ctid::pg_catalog.text from only ${sql} t where t.ctid operator(pg_catalog.=) any (array[${rows.map(([ctid]) => literal(ctid ?? '')).join(', ')}]::pg_catalog.tid[])`

/** A scan of a large table begins where another one is. The rows that are shown would be others each time. */
const fromTheFirst = { sql: "select where pg_catalog.set_config('synchronize_seqscans', 'off', true) is null" }

const none: Rows = { fields: [], rows: [] }

/** @param shown the places of the columns */
const versions = (rows: readonly TextRow[], shown: readonly number[]): readonly Version[] =>
	rows.map(row => ({ key: row[1] ?? '', cells: shown.map(at => shortened(row[at] ?? null)) }))

const longestCell = 200
const shortened = (text: string | null) => (text === null ? null : cutText(text, longestCell - 1))

function paired(before: readonly Version[], after: readonly Version[]): ChangedRows['changes'] {
	const byKey = new Map(after.map(version => [version.key, version]))
	const changes = before.map(({ key, cells }) => {
		const now = byKey.get(key)
		byKey.delete(key)
		return { before: cells, ...(now && { after: now.cells }) }
	})
	return [...changes, ...[...byKey.values()].map(({ cells }) => ({ after: cells }))]
}

const digestOf = (before: readonly Version[]) =>
	createHash('sha256')
		.update(JSON.stringify(before.map(({ key }) => key).toSorted()))
		.digest('base64url')
