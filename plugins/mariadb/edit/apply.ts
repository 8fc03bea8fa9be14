import {
	type Cell,
	type Change,
	type ChangeOutcome,
	type DriverError,
	fromCell,
	isDriverError,
	isExactNumber,
} from '@roundhouse/kit'
import { applyTogether, type Committed, notSent } from '@roundhouse/sql'
import { columnIn, type Shape } from '../catalog/shape.ts'
import { cellsOf, selectedOf } from '../grid/cells.ts'
import { hasKey, hasVersion, identityIn, identityOf, isRow, textsIn } from '../grid/row-key.ts'
import { qualified, quoted } from '../sql/names.ts'
import { comparedTo } from '../sql/values.ts'
import { errorNumbers } from '../wire/errors.ts'
import type { Session } from '../wire/session.ts'
import { changeSql, storedAs } from './change-sql.ts'

interface Save {
	readonly shape: Shape
	readonly changes: readonly Change[]
}

/** A save waits for the locks of other sessions at most this long. */
const lockWait = 'set session innodb_lock_wait_timeout = 10'

/**
 * Applies all changes in one transaction, or none. A table whose storage engine has no transactions takes each change at
 * once: the first one that fails is the last one. @throws the reason of the signal, if none was applied
 */
export async function applyChanges(
	session: Session,
	{ shape, changes }: Save,
	signal: AbortSignal,
): Promise<readonly ChangeOutcome[]> {
	if (!shape.isTransactional) return applyEach(session, { shape, changes }, signal)
	return applyTogether(
		{
			// A read after the commit could find a change of another session.
			readsBackFirst: true,
			async begin(signal) {
				await session.query({ sql: lockWait }, signal)
				await session.begin(signal)
			},
			apply: (change, signal) => apply(session, { shape, change }, signal),
			rollback: async signal => void (await session.query({ sql: 'rollback' }, signal)),
			commit: signal => commit(session, signal),
			withValues: (outcomes, signal) => withValues(session, { shape, outcomes }, signal),
		},
		changes,
		signal,
	)
}

async function applyEach(
	session: Session,
	{ shape, changes }: Save,
	signal: AbortSignal,
): Promise<readonly ChangeOutcome[]> {
	const outcomes: ChangeOutcome[] = []
	for (const change of changes) {
		if (outcomes.some(({ status }) => status !== 'applied') || signal.aborted) outcomes.push(notSent)
		else outcomes.push(await applySingly(session, { shape, change }, signal))
	}
	return withValues(session, { shape, outcomes }, signal).catch(() => outcomes)
}

/** Applies a change that nothing can take back. */
async function applySingly(session: Session, of: ChangeOf, signal: AbortSignal): Promise<ChangeOutcome> {
	try {
		// The session refuses writes outside of such a transaction.
		await session.begin(signal)
		const outcome = await apply(session, of, signal)
		await session.query({ sql: 'commit' }, signal)
		return outcome
	} catch (error) {
		const reason = isDriverError(error) ? error.message : 'The save was cancelled.'
		return { status: 'unknown', message: `${reason} The server may have saved the change.` }
	}
}

async function commit(session: Session, signal: AbortSignal): Promise<Committed> {
	try {
		await session.query({ sql: 'commit' }, signal)
		return { end: 'committed' }
	} catch (error) {
		const message = isDriverError(error) ? error.message : 'The save was cancelled.'
		// Without an answer of the server it is open whether it committed.
		if (!session.isUsable) return { end: 'unknown', message }
		if (signal.aborted) return { end: session.transaction === undefined ? 'unknown' : 'rolled back', message }
		return { end: 'failed', message }
	}
}

interface ChangeOf {
	readonly shape: Shape
	readonly change: Change
}

async function apply(session: Session, { shape, change }: ChangeOf, signal: AbortSignal): Promise<ChangeOutcome> {
	try {
		const isKeyless = change.kind === 'update' && !hasKey(shape)
		const before = isKeyless ? await idsWith(session, { shape, set: change.set }, signal) : []
		const { affected = 0, insertId } = await session.query({ sql: changeSql(shape, change) }, signal)
		if (affected > 1) return reachedMany(affected)
		if (change.kind === 'insert')
			return affected === 1 ? inserted(session, { shape, change, insertId }, signal) : leftOut
		if (affected === 0) return await whyNot(session, { shape, change }, signal)
		if (change.kind === 'delete') return { status: 'applied' }
		if (!isKeyless) return { status: 'applied', rowId: movedTo(shape, change) }
		const after = await idsWith(session, { shape, set: change.set }, signal)
		const fresh = after.filter(id => !before.includes(id))
		const [rowId, ...others] = fresh.length > 0 ? fresh : after
		return rowId === undefined || others.length > 0 ? { status: 'applied' } : { status: 'applied', rowId }
	} catch (error) {
		// A statement that the server refuses fails the save. A lost connection ends it.
		if (!isDriverError(error) || error.code === 'not_connected') throw error
		return failed(error, shape)
	}
}

/** So many rows with the same values are looked at to find one of them again. */
const mostAlike = 1_000

/** Returns the ids of rows without a key that have these values. A row has another id after a change. */
async function idsWith(
	session: Session,
	{ shape, set }: { readonly shape: Shape; readonly set: Readonly<Record<string, Cell>> },
	signal: AbortSignal,
): Promise<readonly string[]> {
	const condition = Object.entries(set).map(([name, cell]) => `${quoted(name)} <=> ${storedAs(shape, name, cell)}`)
	const sql = `select distinct ${identityOf(shape).join(', ')} from ${qualified(shape.place)} where ${condition.join(' and ')}`
	const { rows } = await session.query({ sql, most: mostAlike }, signal)
	return rows.map(row => identityIn(textsIn(row)).id)
}

/** The id of a row after its key was changed, as it was sent. */
function movedTo(shape: Shape, { rowId, set }: Extract<Change, { readonly kind: 'update' }>): string {
	if (!shape.key.some(name => Object.hasOwn(set, name))) return rowId
	const old: unknown = JSON.parse(rowId)
	const parts = shape.key.map((name, at) => {
		const cell = Object.hasOwn(set, name) ? set[name] : undefined
		return cell === undefined ? (Array.isArray(old) ? old[at] : '') : (keyText(cell) ?? '')
	})
	return JSON.stringify(parts)
}

/** Returns a value of a key as it was sent, with all digits, or `undefined` for what is no value of a key. */
function keyText(cell: Cell): string | undefined {
	const value = fromCell(cell)
	if (isExactNumber(value)) return value.rawJSON
	return value === undefined || value === null || typeof value === 'object' ? undefined : String(value)
}

/** Finds a new row by its key, if its values or the number that the server gave it say it. */
async function inserted(
	session: Session,
	{
		shape,
		change,
		insertId,
	}: {
		readonly shape: Shape
		readonly change: Extract<Change, { readonly kind: 'insert' }>
		readonly insertId: string | undefined
	},
	signal: AbortSignal,
): Promise<ChangeOutcome> {
	const parts = shape.key.map(name => {
		const column = columnIn(shape, name)
		const cell = Object.hasOwn(change.values, name) ? change.values[name] : undefined
		const text = cell === undefined ? undefined : keyText(cell)
		if (text !== undefined) return comparedTo(column, text)
		return column.generated === 'default' ? insertId : undefined
	})
	if (!hasKey(shape) || parts.some(part => part === undefined)) return { status: 'applied' }
	try {
		const condition = shape.key.map((name, at) => `${name} = ${parts[at]}`).join(' and ')
		const sql = `select ${identityOf(shape).join(', ')} from ${qualified(shape.place)} where ${condition} limit 2`
		const { rows } = await session.query({ sql }, signal)
		const [found, ...others] = rows
		if (!found || others.length > 0) return { status: 'applied' }
		const { id, ...version } = identityIn(textsIn(found))
		return { status: 'applied', rowId: id, ...version }
	} catch (error) {
		if (!isDriverError(error) || error.code === 'not_connected') throw error
		// The row is stored. Only its id is not known.
		return { status: 'applied' }
	}
}

/** Adds the values that the server has stored: it rounds, and triggers and generated columns compute. */
async function withValues(
	session: Session,
	{ shape, outcomes }: { readonly shape: Shape; readonly outcomes: readonly ChangeOutcome[] },
	signal: AbortSignal,
): Promise<readonly ChangeOutcome[]> {
	const ids = outcomes.flatMap(outcome =>
		outcome.status === 'applied' && outcome.rowId !== undefined ? [outcome.rowId] : [],
	)
	if (ids.length === 0) return outcomes
	const selected = [...selectedOf(shape.columns), ...identityOf(shape)]
	const condition = ids.map(id => `(${isRow(shape, id)})`).join(' or ')
	const sql = `select ${selected.join(', ')} from ${qualified(shape.place)} where ${condition}`
	const { rows } = await session.read({ sql }, signal)
	const stored = new Map(
		rows.map(row => {
			const [cells, end] = cellsOf(shape.columns, row)
			const { id, ...version } = identityIn(textsIn(row.slice(end)))
			const values = Object.fromEntries(shape.columns.map(({ name }, at) => [name, cells[at] ?? null]))
			return [id, { ...version, values }]
		}),
	)
	return outcomes.map(outcome =>
		outcome.status === 'applied' ? { ...outcome, ...stored.get(outcome.rowId ?? '') } : outcome,
	)
}

const leftOut: ChangeOutcome = { status: 'failed', message: 'The server left the row out.' }

/** The caller rolls the transaction back. */
const reachedMany = (count: number): ChangeOutcome => ({
	status: 'failed',
	message: `The change would have reached ${count} rows in place of one. Nothing was saved.`,
})

function failed({ message, hint, engineCode }: DriverError, { isTransactional }: Shape): ChangeOutcome {
	const said = hint === undefined ? message : `${message.replace(/\.?$/, '.')} ${hint}`
	const isLocked = engineCode === String(errorNumbers.lockWait)
	if (!isTransactional || !isLocked) return { status: 'failed', message: said }
	const advice = 'Commit or roll back there, or end it in "Processes" in the facts of the connection.'
	return { status: 'failed', message: `Another session has a lock on the row. Nothing was saved. ${advice}` }
}

/** Says why a change found no row. */
async function whyNot(
	session: Session,
	{ shape, change }: { readonly shape: Shape; readonly change: Exclude<Change, { readonly kind: 'insert' }> },
	signal: AbortSignal,
): Promise<ChangeOutcome> {
	const isUnchanged = change.version === undefined ? 'true' : hasVersion(shape, change.version)
	const sql = `select ${isUnchanged} from ${qualified(shape.place)} where ${isRow(shape, change.rowId)} limit 1`
	const [found] = (await session.query({ sql }, signal)).rows
	if (!found) return { status: 'conflict', message: 'The row was deleted meanwhile.' }
	if (found[0] === '1') return { status: 'failed', message: 'The server left the change out.' }
	return { status: 'conflict', message: 'The row was changed meanwhile.' }
}
