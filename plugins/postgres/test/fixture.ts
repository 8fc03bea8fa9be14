import type { DriverContext, Settings } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { call, statement } from '@roundhouse/sql/testing'
import { afterAll } from 'vitest'
import { connect } from '../connect.ts'
import type { PostgresConnection } from '../connection.ts'
import { type ServerOptions, startServer } from '../servers/server.ts'

/** Calls of tests. */

export { call, everything, pageOf, run, statement } from '@roundhouse/sql/testing'

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

/** Opens a session, and returns how to run a statement in it. It closes with the stack. */
export async function openRunner(connection: PostgresConnection, stack: AsyncDisposableStack) {
	const session = await connection.openSession(call())
	stack.defer(() => session.close())
	return async (text: string) => session.run(await statement(connection, text), { maxRows: 1 }, call())
}
