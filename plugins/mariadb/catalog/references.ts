import type { Reference } from '@roundhouse/kit'
import { nameOf, type QualifiedName } from '../sql/names.ts'
import type { RawRow, Session } from '../wire/session.ts'

/** What a table refers to, and what refers to it. */
export interface References {
	readonly references: readonly Reference[]
	readonly referrers: readonly Reference[]
	/** Tables whose rows a deletion or a change of a key here also changes, by a foreign key with CASCADE or SET NULL. */
	readonly cascadesTo: readonly string[]
}

const foreignKeys = (condition: string) => `
select k.constraint_schema, k.constraint_name, k.table_schema, k.table_name, k.column_name,
	k.referenced_table_schema, k.referenced_table_name, k.referenced_column_name, r.update_rule, r.delete_rule
from information_schema.key_column_usage k
join information_schema.referential_constraints r
	on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name and r.table_name = k.table_name
where k.referenced_table_name is not null and (${condition})
order by k.constraint_schema, k.table_name, k.constraint_name, k.ordinal_position`

const ofTable = foreignKeys(
	'(k.table_schema = ? and k.table_name = ?) or (k.referenced_table_schema = ? and k.referenced_table_name = ?)',
)
const ofDatabase = foreignKeys('k.table_schema = ? or k.referenced_table_schema = ?')

/** Reads the foreign keys of the table, and those of other tables that refer to it. */
export async function readReferences(session: Session, place: QualifiedName, signal: AbortSignal): Promise<References> {
	const { database, table } = place
	const { rows } = await session.read({ sql: ofTable, values: [database, table, database, table] }, signal)
	return referencesIn(rows, place)
}

/** Time for which tables that are described at once share a read, so that a long series sees changes of other clients. */
const sharedMs = 1_000

interface SharedRead {
	readonly at: number
	/** One row for each pair of columns. */
	readonly rows: Promise<readonly RawRow[]>
}

/**
 * Reads the references of tables that are described at once, for example for a diagram. The server opens all its tables to
 * find what refers to one of them, so they share a read of their database. One that is described alone reads its own.
 */
export class SharedReferences {
	#running = 0
	/** By database. */
	readonly #shared = new Map<string, SharedRead>()

	/** Runs a description. What it reads is shared until none is left. */
	async during<T>(describing: () => Promise<T>): Promise<T> {
		this.#running++
		try {
			return await describing()
		} finally {
			this.#running--
			if (this.#running === 0) this.#shared.clear()
		}
	}

	async read(session: Session, place: QualifiedName, signal: AbortSignal): Promise<References> {
		if (this.#running === 1 && !this.#shared.has(place.database)) return readReferences(session, place, signal)
		// It runs in the session of another description, whose end is not that of this one.
		const rows = await this.#rowsOf(session, place.database, signal).catch(() => undefined)
		signal.throwIfAborted()
		return rows ? referencesIn(rows, place) : readReferences(session, place, signal)
	}

	#rowsOf(session: Session, database: string, signal: AbortSignal): Promise<readonly RawRow[]> {
		const known = this.#shared.get(database)
		if (known && performance.now() - known.at < sharedMs) return known.rows
		const rows = session.read({ sql: ofDatabase, values: [database, database] }, signal).then(({ rows }) => rows)
		this.#shared.set(database, { at: performance.now(), rows })
		return rows
	}
}

/** Returns the foreign keys of a table, both ways. @param rows also those of other tables */
function referencesIn(rows: readonly RawRow[], place: QualifiedName): References {
	const here = nameOf(place)
	const keys = new Map<string, { from: string; to: string; rules: string[]; pairs: (readonly [string, string])[] }>()
	const isHere = (database: unknown, table: unknown) => database === place.database && table === place.table
	for (const row of rows) {
		if (!isHere(row[2], row[3]) && !isHere(row[5], row[6])) continue
		const [schema, constraint, fromSchema, fromTable, column, toSchema, toTable, toColumn, ...rules] = row.map(String)
		const name = JSON.stringify([schema, fromTable, constraint])
		const from = nameOf({ database: fromSchema ?? '', table: fromTable ?? '' })
		const to = nameOf({ database: toSchema ?? '', table: toTable ?? '' })
		const key = keys.get(name) ?? { from, to, rules, pairs: [] }
		key.pairs.push([column ?? '', toColumn ?? ''])
		keys.set(name, key)
	}
	const all = [...keys.values()]
	const isActing = (rule: string) => rule === 'CASCADE' || rule === 'SET NULL'
	return {
		references: all
			.filter(({ from }) => from === here)
			.map(({ to, pairs }) => ({ columns: pairs.map(([a]) => a), table: to, to: pairs.map(([, b]) => b) })),
		referrers: all
			.filter(({ to }) => to === here)
			.map(({ from, pairs, rules: [, onDelete = ''] }) => ({
				columns: pairs.map(([, b]) => b),
				table: from,
				to: pairs.map(([a]) => a),
				onDelete: onDelete.toLowerCase(),
			})),
		cascadesTo: [
			...new Set(all.filter(({ to, rules }) => to === here && rules.some(isActing)).map(({ from }) => from)),
		],
	}
}
