import { type Change, type ChangeOutcome, type DriverError, isDriverError } from '@roundhouse/kit'
import { applyTogether, type Committed } from '@roundhouse/sql'
import type { Shape } from '../catalog/shape.ts'
import { cellsOf, selectedOf } from '../grid/cells.ts'
import { hasVersion, identityIn, identityOf, isRow, target } from '../grid/row-key.ts'
import { inline } from '../sql/binding.ts'
import { quoted } from '../sql/names.ts'
import { isServerError, lockNotAvailable } from '../wire/errors.ts'
import { pathForTriggers, type Session } from '../wire/session.ts'
import { changeSql, columnAt } from './change-sql.ts'

/** Returns the session that a save waited for last, in words. */
type Blocker = () => string | undefined

interface ChangeOf {
	readonly shape: Shape
	readonly change: Change
	readonly blocker: Blocker
}

/** Lets a save wait for the locks of other sessions at most this long, unless the role has a limit. */
const saving = `select set_config('lock_timeout', '10s', true) where current_setting('lock_timeout') = '0'; ${pathForTriggers}`

/** Applies all changes in one transaction, or none. @throws the reason of the signal, if none was applied */
export const applyChanges = (
	session: Session,
	{ shape, changes, blocker }: Omit<ChangeOf, 'change'> & { readonly changes: readonly Change[] },
	signal: AbortSignal,
): Promise<readonly ChangeOutcome[]> =>
	applyTogether(
		{
			begin: async signal => void (await session.begin(signal, { sql: saving })),
			apply: (change, signal) => apply(session, { shape, change, blocker }, signal),
			rollback: async signal => void (await session.command('rollback', signal)),
			commit: signal => commit(session, blocker, signal),
			withValues: (outcomes, signal) => withValues(session, { shape, changes, outcomes }, signal),
		},
		changes,
		signal,
	)

interface CommittedSave {
	readonly shape: Shape
	readonly changes: readonly Change[]
	readonly outcomes: readonly ChangeOutcome[]
}

/** Adds the values that the server has stored in updated rows: it rounds, and triggers and generated columns compute. */
async function withValues(
	session: Session,
	{ shape, changes, outcomes }: CommittedSave,
	signal: AbortSignal,
): Promise<readonly ChangeOutcome[]> {
	const ids = outcomes.flatMap((outcome, index) =>
		outcome.status === 'applied' &&
		outcome.rowId !== undefined &&
		(changes[index]?.kind === 'update' || outcome.version === undefined)
			? [outcome.rowId]
			: [],
	)
	if (ids.length === 0) return outcomes
	const columns = [...selectedOf(shape.columns), ...identityOf(shape)]
	const condition = ids.map(id => `(${isRow(shape, id, inline)})`).join(' or ')
	const sql = `select ${columns.join(', ')} from ${target(shape)} where ${condition}`
	const { rows } = await session.read({ sql }, signal)
	const stored = new Map(
		rows.map(texts => {
			const [cells, end] = cellsOf(shape.columns, texts)
			const { id, ...version } = identityIn(texts.slice(end))
			const values = Object.fromEntries(shape.columns.map(({ name }, at) => [name, cells[at] ?? null]))
			return [id, { ...version, values }]
		}),
	)
	return outcomes.map(outcome => {
		const now = outcome.status === 'applied' ? stored.get(outcome.rowId ?? '') : undefined
		// Another session may have changed the row since the commit. The version stays that of this change.
		const isStill = outcome.status === 'applied' && (outcome.version ?? now?.version) === now?.version
		return isStill ? { ...outcome, ...now } : outcome
	})
}

async function commit(session: Session, blocker: Blocker, signal: AbortSignal): Promise<Committed> {
	const tags: string[] = []
	try {
		await session.command('commit', signal, tags)
	} catch (error) {
		// Without an answer of the server it is open whether it committed.
		if (!session.isUsable)
			return { end: 'unknown', message: isDriverError(error) ? error.message : 'The save was cancelled.' }
		// A constraint that is deferred to the commit fails it.
		if (isDriverError(error)) return { end: 'failed', message: failed(error, blocker()).message }
	}
	return { end: tags.includes('COMMIT') ? 'committed' : 'rolled back' }
}

async function apply(
	session: Session,
	{ shape, change, blocker }: ChangeOf,
	signal: AbortSignal,
): Promise<ChangeOutcome> {
	try {
		const { rows, tag } = await session.query({ sql: changeSql(shape, change) }, signal)
		const [stored] = rows
		if (change.kind !== 'insert' && rows.length > 1) return reachedMany(rows.length)
		if (change.kind === 'insert' && !stored && tag.endsWith(' 1')) return { status: 'applied' }
		if (!stored) return change.kind === 'insert' ? suppressed : await whyNot(session, { shape, change }, signal)
		if (change.kind === 'delete') return { status: 'applied' }
		const { id: rowId, ...version } = identityIn(stored)
		return { status: 'applied', rowId, ...version }
	} catch (error) {
		// A statement that the server refuses fails the save. A lost connection ends it.
		if (!isDriverError(error) || error.code === 'not_connected') throw error
		const column = columnOf(error, { shape, change })
		return { ...failed(error, blocker()), ...(column !== undefined && { column }) }
	}
}

const suppressed: ChangeOutcome = {
	status: 'failed',
	message: 'A trigger or rule of the table left the change out.',
}

/** The caller rolls the transaction back. */
const reachedMany = (count: number): ChangeOutcome => ({
	status: 'failed',
	message: `The change would have reached ${count} rows in place of one. Nothing was saved. Check the indexes of the table (\`reindex table\`).`,
})

/**
 * Returns the column that the server refuses: it names the column, its domain, the columns of a key, or the place in the
 * statement.
 */
function columnOf(
	{ cause, at }: DriverError,
	{ shape, change }: Pick<ChangeOf, 'shape' | 'change'>,
): string | undefined {
	if (isServerError(cause) && cause.column !== undefined) return cause.column
	if (at !== undefined) return columnAt(shape, change, at)
	// In each language of the server: "Key (customer, day)=(7, 2026-11-27) already exists."
	const [, key = ''] = (isServerError(cause) && /\(([^()]+)\)=\(/.exec(cause.detail ?? '')) || []
	const values = change.kind === 'update' ? change.set : change.kind === 'insert' ? change.values : {}
	const domain = isServerError(cause) ? cause.dataType : undefined
	if (domain !== undefined) {
		// Of several columns of the domain, any may have the value.
		const [only, ...others] = shape.columns.filter(({ name, type }) => name in values && isOfType(type, domain))
		return others.length === 0 ? only?.name : undefined
	}
	return key.split(', ').find(name => name in values)
}

/** @param type as a column shows it: with its schema and in quotes if they are needed */
const isOfType = (type: string, name: string) =>
	type === name || type.endsWith(`.${name}`) || type.endsWith(quoted(name))

/** @param blocker the session that the save waited for */
function failed(
	{ message, hint, engineCode }: DriverError,
	blocker: string | undefined,
): Extract<ChangeOutcome, { readonly status: 'failed' }> {
	if (engineCode === lockNotAvailable) {
		const who = blocker === undefined ? '' : ` (${blocker})`
		const advice = 'Commit or roll back there, or end it in "Activity" in the facts of the connection.'
		return { status: 'failed', message: `Another session has a lock on the row${who}. Nothing was saved. ${advice}` }
	}
	return { status: 'failed', message: hint === undefined ? message : `${message.replace(/\.?$/, '.')} ${hint}` }
}

/** Says why a change found no row. */
async function whyNot(
	session: Session,
	{ shape, change }: { readonly shape: Shape; readonly change: Exclude<Change, { readonly kind: 'insert' }> },
	signal: AbortSignal,
): Promise<ChangeOutcome> {
	const isUnchanged = change.version === undefined ? 'true' : hasVersion(shape, change.version, inline)
	const sql = `select ${isUnchanged} from ${target(shape)} where ${isRow(shape, change.rowId, inline)}`
	const [found] = (await session.query({ sql }, signal)).rows
	if (!found) return { status: 'conflict', message: 'The row was deleted meanwhile.' }
	if (found[0] === 't') return suppressed
	return { status: 'conflict', message: 'The row was changed meanwhile.' }
}
