import type { Call, Connection, DriverContext, GridQuery, Settings, Statement } from '@roundhouse/kit'
import { decode } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { afterAll } from 'vitest'
import { connect } from '../connect.ts'
import type { PostgresConnection } from '../connection.ts'
import { type ServerOptions, startServer } from '../servers/server.ts'

/** Calls of tests. */

export const call = (signal: AbortSignal = new AbortController().signal): Call => ({ signal, progress() {} })

export async function open(
	settings: Settings,
	context: Partial<DriverContext> = {},
): Promise<PostgresConnection & AsyncDisposable> {
	const connection = await connect(settings, { ...directContext(), ...context }, call())
	return Object.assign(connection, { [Symbol.asyncDispose]: () => connection.close() })
}

/** Starts a server and opens a connection to it for the tests of a file, after which both end. */
export async function openForFile(options: ServerOptions) {
	await using owned = new AsyncDisposableStack()
	const server = owned.use(await startServer(options))
	const connection = owned.use(await open(server.settings))
	const kept = owned.move()
	afterAll(() => kept.disposeAsync())
	return { server, connection }
}

export const everything = (table: string): GridQuery => ({ table, filters: [], match: 'all', sort: [] })

/** Reads one page of a query. */
export async function pageOf(connection: Connection, query: GridQuery, { offset = 0, limit = 100 } = {}) {
	const grid = await connection.openGrid(query, call())
	try {
		return decode(await grid.page({ offset, limit }, call()))
	} finally {
		await grid.close()
	}
}

/** Returns the one statement of a text, as the host makes it of a verdict. */
export async function statement(connection: Connection, text: string): Promise<Statement> {
	const [verdict] = await connection.console.analyse(text, call())
	if (!verdict) throw new Error(`no statement in ${text}`)
	return { ...verdict, text: text.slice(verdict.start, verdict.end) }
}

/** Opens a session, and returns how to run a statement in it. It closes with the stack. */
export async function openRunner(connection: PostgresConnection, stack: AsyncDisposableStack) {
	const session = await connection.openSession(call())
	stack.defer(() => session.close())
	return async (text: string) => session.run(await statement(connection, text), { maxRows: 1 }, call())
}

export async function run(connection: Connection, text: string, maxRows = 100) {
	return decode(await connection.console.run(await statement(connection, text), { maxRows }, call()))
}
