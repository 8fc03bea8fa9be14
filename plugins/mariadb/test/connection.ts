import {
	type Call,
	type Connection,
	type DriverContext,
	decode,
	type GridQuery,
	type Settings,
	type Statement,
} from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { afterAll } from 'vitest'
import { connect } from '../connect.ts'
import type { MariadbConnection } from '../connection.ts'
import { hasServer, type ServerOptions, startServer, type TestServer } from '../servers/server.ts'

/** Connections of tests. */

export const call = (signal: AbortSignal = new AbortController().signal): Call => ({ signal, progress() {} })

async function connected(
	settings: Settings,
	context: Partial<DriverContext> = {},
): Promise<MariadbConnection & AsyncDisposable> {
	const connection = await connect(settings, { ...directContext(), ...context }, call())
	return Object.assign(connection, { [Symbol.asyncDispose]: () => connection.close() })
}

/** Starts a server and opens a connection to it for the tests of a file, after which both end. */
export async function connectedForFile(
	options: ServerOptions,
): Promise<{ readonly server: TestServer; readonly connection: MariadbConnection }> {
	// Without a server, all tests of the file are skipped.
	if (!hasServer) return {} as { server: TestServer; connection: MariadbConnection }
	await using owned = new AsyncDisposableStack()
	const server = owned.use(await startServer(options))
	const connection = owned.use(await connected(server.settings))
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

export async function run(connection: Connection, text: string, maxRows = 100) {
	return decode(await connection.console.run(await statement(connection, text), { maxRows }, call()))
}
