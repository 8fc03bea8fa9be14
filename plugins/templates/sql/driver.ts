import {
	type Call,
	type Change,
	type ChangeOutcome,
	type Connection,
	type ConsoleResult,
	type DriverContext,
	DriverError,
	defineDriver,
	encode,
	encodeWithRaw,
	isDriverError,
	type Json,
	Pool,
	parameterPlaces,
	type RunOptions,
	type Settings,
	type Statement,
	stringifyJson,
	withPlaceholders,
} from '@roundhouse/kit'
import { cellOf, engineValue, type Query, Session } from './client.ts'
import { analyse } from './console.ts'
import { changeQuery, countQuery, listTables, pageQuery, rowOf, rowQuery, type Shape, shapeOf } from './sql.ts'

/** Sockets of one connection for everything but consoles of users. */
const mostSessions = 4

async function open(settings: Settings, context: DriverContext, call: Call): Promise<Connection> {
	const login = (signal: AbortSignal) => Session.open(settings, context, signal)
	const pool = new Pool<Session>({
		most: mostSessions,
		open: login,
		close: session => session.close(),
		isUsable: session => session.isUsable,
	})
	const using = <T>({ signal }: Call, work: (session: Session, signal: AbortSignal) => Promise<T>) =>
		pool.use(session => work(session, signal), signal)
	const { server } = await using(call, async session => session)
	return {
		info: () => ({ product: server.product, version: server.version, notices: [] }),
		listTables: call => using(call, listTables),
		describeTable: (table, call) =>
			using(call, async (session, signal) => {
				const { name, columns, references } = await shapeOf(session, table, signal)
				return { name, columns, references }
			}),
		openGrid: (query, call) =>
			using(call, async (session, signal) => {
				const shape = await shapeOf(session, query.table, signal)
				const value = await count(session, countQuery(shape, query), signal)
				return {
					page: (range, call) =>
						using(call, async (session, signal) => {
							const startedAt = performance.now()
							const { rows } = await session.query(pageQuery(shape, query, range), signal)
							return encode({
								columns: shape.columns,
								rows: rows.map(row => rowOf(shape, row)),
								references: shape.references,
								total: { value, isExact: true },
								tookMs: Math.round(performance.now() - startedAt),
								notices: [],
							})
						}),
					close: async () => {},
				}
			}),
		countRows: (query, call) =>
			using(call, async (session, signal) => {
				const shape = await shapeOf(session, query.table, signal)
				return { value: await count(session, countQuery(shape, query), signal), isExact: true }
			}),
		readRow: (table, id, call) =>
			using(call, async (session, signal) => {
				const shape = await shapeOf(session, table, signal)
				const values = await readValues(session, rowQuery(shape, id), signal)
				if (!values) throw new DriverError('not_found', `There is no row ${id}.`)
				const { version = '' } = rowOf(shape, values)
				return encodeWithRaw({ id, version, meta: { id, version }, raw: documentOf(shape, values) })
			}),
		previewChanges: (table, changes, call) =>
			using(call, async (session, signal) => {
				const shape = await shapeOf(session, table, signal)
				return changes.map(change => textOf(changeQuery(shape, change)))
			}),
		applyChanges: (table, changes, call) =>
			using(call, async (session, signal) => {
				const shape = await shapeOf(session, table, signal)
				return applyTogether(session, { shape, changes }, signal)
			}),
		console: {
			analyse,
			run: async (statement, { maxRows }, { signal }) => {
				if (/^(begin|commit|rollback|savepoint|release|end)\b/i.test(statement.text))
					throw new DriverError('unsupported', 'A transaction needs a console with a session.')
				// A pooled session would keep what the statement sets.
				const session = await login(signal)
				try {
					return encode(await run(session, statement, { maxRows, signal }))
				} finally {
					session.close()
				}
			},
		},
		openSession: async ({ signal }) => {
			const session = await login(signal)
			return {
				run: (statement, { maxRows }, { signal }) => run(session, statement, { maxRows, signal }),
				isOpen: () => session.isUsable,
				transaction: () => (session.isInTransaction ? 'open' : undefined),
				close: async () => session.close(),
			}
		},
		close: () => pool.close(),
	}
}

async function count(session: Session, query: Query, signal: AbortSignal): Promise<number> {
	return Number((await readValues(session, query, signal))?.[0])
}

/** Returns the values of the first row. */
async function readValues(session: Session, query: Query, signal: AbortSignal): Promise<readonly Json[] | undefined> {
	return (await session.query(query, signal)).rows[0]
}

function documentOf({ columns }: Shape, values: readonly Json[]): Uint8Array {
	const members = columns.map(({ name }, at) => {
		const value = values[at] ?? null
		// Bytes are a base64 string in a document.
		return [
			name,
			typeof value === 'object' && value !== null && 'bytes' in value ? String(value.bytes) : value,
		] as const
	})
	return Buffer.from(stringifyJson(Object.fromEntries(members)))
}

const textOf = ({ sql, values = [] }: Query) =>
	[sql, ...(values.length > 0 ? [`-- ${stringifyJson(values)}`] : [])].join('\n')

/** Applies all changes in one transaction, or none. */
async function applyTogether(
	session: Session,
	{ shape, changes }: { readonly shape: Shape; readonly changes: readonly Change[] },
	signal: AbortSignal,
): Promise<readonly ChangeOutcome[]> {
	const outcomes: ChangeOutcome[] = []
	await session.query({ sql: 'begin' }, signal)
	for (const change of changes) {
		const outcome = await apply(session, { shape, change }, signal)
		outcomes.push(outcome)
		if (outcome.status === 'applied') continue
		await session.query({ sql: 'rollback' }, signal)
		return changes.map((_, at) => (at === outcomes.length - 1 ? outcome : { status: 'not_sent' }))
	}
	try {
		await session.query({ sql: 'commit' }, signal)
		return outcomes
	} catch (error) {
		// The engine may have committed before the connection was lost. Earlier, it rolls back.
		if (!isDriverError(error) || error.code !== 'not_connected') throw error
		return changes.map(() => ({ status: 'unknown', message: error.message }))
	}
}

async function apply(
	session: Session,
	{ shape, change }: { readonly shape: Shape; readonly change: Change },
	signal: AbortSignal,
): Promise<ChangeOutcome> {
	try {
		if (change.kind !== 'insert' && change.version !== undefined) {
			const before = await readValues(session, rowQuery(shape, change.rowId), signal)
			if (before && rowOf(shape, before).version !== change.version)
				return { status: 'conflict', message: 'The row was changed meanwhile.' }
		}
		const stored = await readValues(session, changeQuery(shape, change), signal)
		if (!stored) return { status: 'failed', message: 'The row is no longer there.' }
		if (change.kind === 'delete') return { status: 'applied' }
		const { id, version = '' } = rowOf(shape, stored)
		return { status: 'applied', rowId: id, version }
	} catch (error) {
		// A statement that the engine refuses fails the save. A lost connection ends it.
		if (!isDriverError(error) || error.code === 'not_connected' || error.code === 'denied') throw error
		return { status: 'failed', message: error.message }
	}
}

/** Runs one statement. The host has allowed it by its verdict. */
async function run(
	session: Session,
	{ text, parameters = {} }: Statement,
	{ maxRows, signal }: Pick<RunOptions, 'maxRows'> & { readonly signal: AbortSignal },
): Promise<ConsoleResult> {
	const startedAt = performance.now()
	const values = parameterPlaces(text).flatMap(({ name }) =>
		name === undefined ? [] : [engineValue(parameters[name] ?? null)],
	)
	// One row more shows that there are more.
	const query = { sql: withPlaceholders(text, () => '?'), values, most: maxRows + 1 }
	const { columns, rows, affected } = await session.query(query, signal)
	const tookMs = Math.round(performance.now() - startedAt)
	if (columns.length === 0) {
		return { status: 'OK', affected, tookMs, notices: [], body: { view: 'text', text: '' } }
	}
	const body = {
		view: 'rows',
		columns: columns.map((name, at) => {
			const kind = rows.every(row => typeof row[at] === 'number' || row[at] === null) ? 'number' : 'text'
			return { name, type: '', kind, isKey: false, isReadOnly: true, isSortable: false } as const
		}),
		rows: rows.slice(0, maxRows).map(row => row.map(cellOf)),
		isTruncated: rows.length > maxRows,
	} as const
	return { status: `${body.rows.length} rows`, tookMs, notices: [], body }
}

export default defineDriver({ connect: open })
