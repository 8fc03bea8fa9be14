import { type Fact, isDriverError, type TableChange, type TriedChange } from '@roundhouse/kit'
import { changedParts } from '@roundhouse/sql'
import { qualified, quoted } from '../sql/names.ts'
import { lockNotAvailable } from '../wire/errors.ts'
import { queryCancelled, type Session } from '../wire/session.ts'
import { tableStatements } from './statements.ts'

/** As long as a rehearsal waits for a lock of another session, and as each of its statements runs. */
const limits = 'set local lock_timeout to 200; set local statement_timeout to 2000'

/** Runs the statements of a change, tells what they cost and lose, and rolls them back. @param session has no other work */
export async function tryChange(session: Session, change: TableChange, signal: AbortSignal): Promise<TriedChange> {
	const statements = tableStatements(change)
	const losses = await lossesOf(session, change, signal)
	await session.begin(signal, { sql: limits })
	try {
		const before = await storedRows(session, change.before, signal)
		const startedAt = performance.now()
		for (const sql of statements) await session.query({ sql }, signal)
		const tookMs = Math.round(performance.now() - startedAt)
		const after = change.before && (await storedRows(session, { ...change.before, name: change.after.name }, signal))
		const rewritten = before && after && before.file !== after.file ? before.rows : '0'
		const facts: readonly Fact[] = before ? [{ name: 'Rows rewritten, about', value: rewritten }] : []
		return { tookMs, facts: [...facts, ...losses] }
	} catch (error) {
		signal.throwIfAborted()
		if (!isDriverError(error) || error.code === 'not_connected') throw error
		const untried = reasons.get(error.engineCode ?? '')
		return untried === undefined ? { facts: losses, fault: error.message } : { facts: losses, untried }
	} finally {
		if (session.transaction !== undefined) await session.command('rollback', AbortSignal.timeout(5_000))
	}
}

const reasons = new Map([
	[lockNotAvailable, 'Another session has locked the table, so the change was not tried.'],
	[queryCancelled, 'The change takes more than two seconds, so it was not tried to its end.'],
])

type Place = NonNullable<TableChange['before']>

const tableOf = ({ path, name }: Place) => qualified({ schema: path.at(-1) ?? 'public', table: name })

/** Returns which file has the rows of a table, and about how many there are. */
async function storedRows(session: Session, table: Place | undefined, signal: AbortSignal) {
	if (!table) return undefined
	const sql =
		"select relfilenode, to_char(greatest(reltuples, 0), 'FM999,999,999,990') from pg_catalog.pg_class where oid = $1::regclass"
	const { rows } = await session.query({ sql, values: [tableOf(table)] }, signal)
	const [file, count] = rows[0] ?? []
	return { file, rows: count ?? '0' }
}

/** Counts the values of the columns that are dropped. */
async function lossesOf(
	session: Session,
	{ before, after }: TableChange,
	signal: AbortSignal,
): Promise<readonly Fact[]> {
	if (!before) return []
	const facts: Fact[] = []
	for (const { name } of changedParts(before.columns, after.columns).removed) {
		const sql = `select to_char(count(${quoted(name)}), 'FM999,999,999,990') from ${tableOf(before)}`
		const settings = ['set local statement_timeout to 2000']
		const count = await session.read({ sql }, signal, { lockWaitMs: 200, settings }).then(
			({ rows }) => rows[0]?.[0] ?? '0',
			error => {
				signal.throwIfAborted()
				if (!isDriverError(error) || error.code === 'not_connected') throw error
				return 'not counted in time'
			},
		)
		facts.push({ name: `Values lost with ${name}`, value: count, ...(count !== '0' && { state: 'bad' }) })
	}
	return facts
}
