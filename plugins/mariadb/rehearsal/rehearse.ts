import { createHash } from 'node:crypto'
import { type ChangedRows, DriverError, type Effect, type TableEffect } from '@roundhouse/kit'
import { readShape, type Shape } from '../catalog/shape.ts'
import { selectedOf } from '../grid/cells.ts'
import { identityOf, isRow } from '../grid/row-key.ts'
import { nameOf, qualified } from '../sql/names.ts'
import type { Answer, Query, RawRow, Session } from '../wire/session.ts'
import type { ChangeTarget } from './change-target.ts'

/** Rows before and after that a question shows. */
const mostShown = 10
/** Above this number, the keys of the changed rows are not known. */
const mostKeys = 1_000

interface Measured<T> {
	readonly target: ChangeTarget
	/** Runs the statement in the session. */
	readonly run: () => Promise<T>
}

/** Limits of a rehearsal: the wait for a lock, and the time of each statement. MySQL limits queries only. */
export const limitsOf = ({ server: { product } }: Session) => [
	'set session innodb_lock_wait_timeout = 1',
	product === 'MariaDB' ? 'set session max_statement_time = 2' : 'set session max_execution_time = 2000',
]

/** Runs a change on a separate session, reads what it did, and rolls it back. @throws DriverError of the statement */
export async function rehearse(session: Session, measured: Measured<Answered>, signal: AbortSignal): Promise<Effect> {
	for (const sql of limitsOf(session)) await session.query({ sql }, signal)
	await session.begin(signal)
	try {
		return (await measure(session, measured, signal)).effect
	} finally {
		if (session.isUsable) await session.query({ sql: 'rollback' }, AbortSignal.timeout(5_000))
	}
}

/**
 * Runs a change on a separate session, and commits it if its effect is fine. @returns the result, or the effect that was
 * rolled back
 */
export async function commitIf<T extends Answered>(
	session: Session,
	measured: Measured<T>,
	isFine: (effect: Effect) => boolean,
	signal: AbortSignal,
): Promise<{ readonly result: T } | { readonly exceeded: Effect }> {
	await session.begin(signal)
	let isOpen = true
	try {
		const { effect, result } = await measure(session, measured, signal)
		if (!isFine(effect)) return { exceeded: effect }
		await session.query({ sql: 'commit' }, signal)
		isOpen = false
		return { result }
	} finally {
		if (isOpen && session.isUsable) await session.query({ sql: 'rollback' }, AbortSignal.timeout(5_000))
	}
}

/** The number of rows that a statement found or wrote. */
export interface Answered {
	readonly affected?: number
}

async function measure<T extends Answered>(
	session: Session,
	{ target, run }: Measured<T>,
	signal: AbortSignal,
): Promise<{ readonly effect: Effect; readonly result: T }> {
	const ask = (query: Query) => session.query(query, signal)
	const [database, place] = await placeIn(ask)
	const [table = '', schema = database] = target.path.toReversed()
	const shape = await readShapeIn(session, { database: schema, table }, signal)
	const before = target.rows === undefined ? undefined : await rowsBefore(ask, shape, target.rows)
	const counted = target.kind === 'replace' ? await count(ask, shape) : 0
	const result = await run()
	const { affected = 0 } = result
	const change = target.kind === 'replace' ? (await count(ask, shape)) - counted : 0
	const numbers = {
		inserted: target.kind === 'insert' ? affected : target.kind === 'replace' ? (affected + change) / 2 : 0,
		updated: target.kind === 'update' ? affected : 0,
		deleted: target.kind === 'delete' ? affected : target.kind === 'replace' ? (affected - change) / 2 : 0,
	}
	const rows = before && (await changedRows(ask, shape, before, target.kind === 'update'))
	const keys = before && before.length <= mostKeys ? digestOf(before.map(({ id }) => id)) : undefined
	const one: TableEffect = {
		table: nameOf(shape.place),
		...numbers,
		...(rows && { rows }),
		...(keys !== undefined && { keys }),
	}
	return { result, effect: { place, tables: affected === 0 ? [] : [one] } }
}

type Ask = (query: Query) => Promise<Answer>

/** A difference gives the names another meaning, or the values. */
async function placeIn(ask: Ask): Promise<readonly [database: string, place: string]> {
	const { rows } = await ask({ sql: 'select database(), current_user(), @@session.sql_mode, @@session.time_zone' })
	const [database, ...others] = (rows[0] ?? []).map(value => String(value ?? ''))
	return [database ?? '', [database, ...others].join(' ')]
}

/** Within the transaction, in which a description is read as it is. */
async function readShapeIn(
	session: Session,
	place: { readonly database: string; readonly table: string },
	signal: AbortSignal,
): Promise<Shape> {
	const shape = await readShape(session, place, signal)
	if (shape.isTransactional) return shape
	throw new DriverError('unsupported', `${shape.name} has no transactions: its engine keeps what was changed.`)
}

async function count(ask: Ask, { place }: Shape): Promise<number> {
	const { rows } = await ask({ sql: `select count(*) from ${qualified(place)}` })
	return Number(rows[0]?.[0])
}

interface RowBefore {
	readonly id: string
	readonly values: RawRow
}

/** Returns the rows that a statement changes, up to one more than are counted. Without a key, none is known. */
async function rowsBefore(ask: Ask, shape: Shape, rows: string): Promise<readonly RowBefore[] | undefined> {
	if (shape.key.length === 0) return undefined
	const identity = identityOf(shape).slice(0, -1)
	const selected = [...identity, ...selectedOf(shape.columns)].join(', ')
	// The text may have a LIMIT already; the rows of one without it would all be sent.
	await ask({ sql: `set session sql_select_limit = ${mostKeys + 1}` })
	const answer = await ask({ sql: `select ${selected} from ${rows}`, most: mostKeys + 1 })
	await ask({ sql: 'set session sql_select_limit = default' })
	return answer.rows.map(row => ({
		id: JSON.stringify(row.slice(0, identity.length).map(String)),
		values: row.slice(identity.length),
	}))
}

async function changedRows(
	ask: Ask,
	shape: Shape,
	before: readonly RowBefore[],
	isUpdate: boolean,
): Promise<ChangedRows | undefined> {
	const shown = before.slice(0, mostShown)
	if (shown.length === 0) return undefined
	const after = new Map<string, RawRow>()
	if (isUpdate) {
		for (const { id } of shown) {
			const sql = `select ${selectedOf(shape.columns).join(', ')} from ${qualified(shape.place)} where ${isRow(shape, id)}`
			const [row] = (await ask({ sql })).rows
			if (row) after.set(id, row)
		}
	}
	const textsOf = (row: RawRow) => {
		let at = 0
		return shape.columns.map(column => {
			const value = row[at] ?? null
			at += selectedOf([column]).length
			return value === null || typeof value === 'string' ? value : `0x${Buffer.from(value).toString('hex')}`
		})
	}
	return {
		columns: shape.columns.map(({ name }) => name),
		changes: shown.map(({ id, values }) => {
			const row = after.get(id)
			return row ? { before: textsOf(values), after: textsOf(row) } : { before: textsOf(values) }
		}),
	}
}

const digestOf = (ids: readonly string[]) => createHash('sha256').update(ids.toSorted().join('\n')).digest('hex')
