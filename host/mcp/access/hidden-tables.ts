import { createHash } from 'node:crypto'
import { DriverError, type HiddenColumns, type HiddenPart, type HiddenReach } from '@roundhouse/kit'
import type { Session } from '../../connections/session.ts'
import { decodeAnswer } from './decode-answer.ts'

/** What the marks of a connection hide in its tables at one moment. */
export class HiddenTables {
	readonly #parts: ReadonlyMap<string, HiddenPart>
	readonly #refused: string | undefined
	/** Differs if anything that is hidden differs. */
	readonly digest: string

	constructor(reach: HiddenReach) {
		this.#parts = new Map(reach.tables.map(part => [part.table, part]))
		this.#refused = reach.refused
		this.digest = createHash('sha256').update(JSON.stringify(reach)).digest('base64')
	}

	/** Returns what is hidden of a table, or `undefined` if all of it may be shown. */
	of(table: string): HiddenPart | undefined {
		const part = this.#parts.get(table)
		if (this.#refused === undefined) return part
		return { columns: [], table, ...part, refused: this.#refused }
	}

	hides(table: string, column: string): boolean {
		const { columns = [], refused } = this.of(table) ?? {}
		return refused !== undefined || columns.some(hidden => hidden === column || isWithin(hidden, column))
	}

	/** @throws DriverError `denied` with the reason if clients must read no row of a table */
	requireReadable(table: string): void {
		const reason = this.of(table)?.refused
		if (reason !== undefined) throw new DriverError('denied', reason)
	}
}

/** Whether one is a level above the other: `person` and `person.email`. */
export const isWithin = (one: string, other: string) => one.startsWith(`${other}.`) || other.startsWith(`${one}.`)

interface Asked {
	readonly marks: readonly HiddenColumns[]
	/** The table of the call, if it has one. */
	readonly table: string | undefined
}

/** Reads what marks hide, from the driver or, if that cannot tell, from names alone. @throws DriverError */
export async function hiddenTables(
	session: Session,
	{ marks, table }: Asked,
	signal: AbortSignal | undefined,
): Promise<HiddenTables> {
	const reach = await session.call('hiddenReach', { hidden: [...marks] }, { signal })
	return new HiddenTables(reach ?? (await reachByName(session, { marks, table }, signal)))
}

/**
 * Returns what a driver's answers show of marks if it cannot tell what definitions reach: no row of a table with hidden
 * columns, nor of what is not a plain table in its list, nor a column that refers to a hidden one.
 */
async function reachByName(
	session: Session,
	{ marks, table }: Asked,
	signal: AbortSignal | undefined,
): Promise<HiddenReach> {
	const listed = new Map((await session.call('listTables', {}, { signal })).map(one => [one.name, one]))
	const missing = marks.find(mark => mark.isOptional !== true && !listed.has(mark.table))
	if (missing) return { tables: [], refused: missingTable(missing.table) }
	const parts: HiddenPart[] = marks.map(mark => ({
		table: mark.table,
		columns: mark.columns,
		refused: 'The table has columns that are hidden by the user, and this driver cannot read it without them.',
	}))
	const known = new Set(parts.map(part => part.table))
	if (table === undefined || known.has(table)) return { tables: parts }
	const one = listed.get(table)
	if (!one || one.kind !== undefined) {
		const what = one?.kind ?? 'name'
		const refused = `This connection hides columns, and its driver cannot tell whether this ${what} shows them.`
		return { tables: [...parts, { table, columns: [], refused }] }
	}
	const columns = await referring(table, new Set())
	return { tables: columns.length === 0 ? parts : [...parts, { table, columns }] }

	/** Returns the columns of a table whose values are those of hidden columns of other tables. */
	async function referring(table: string, seen: Set<string>): Promise<readonly string[]> {
		const own = marks.filter(mark => mark.table === table).flatMap(mark => mark.columns)
		if (seen.has(table) || !listed.has(table)) return own
		seen.add(table)
		const described = await session.call('describeTable', { table }, { signal })
		const { references = [] } = decodeAnswer('describeTable', described, session)
		const columns = new Set(own)
		for (const { table: other, columns: from, to } of references) {
			const hidden = new Set(await referring(other, seen))
			for (const [at, name] of from.entries()) if (hidden.has(to[at] ?? '')) columns.add(name)
		}
		return [...columns]
	}
}

const missingTable = (table: string) =>
	`The table ${table}, of which the user hid columns, is gone or has another name. Until the user shows or hides its columns again, AI clients read no rows of this connection.`
