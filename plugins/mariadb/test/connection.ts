import type { DriverContext, Settings } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { call } from '@roundhouse/sql/testing'
import { afterAll } from 'vitest'
import { connect } from '../connect.ts'
import type { MariadbConnection } from '../connection.ts'
import { hasServer, type ServerOptions, startServer, type TestServer } from '../servers/server.ts'

/** Connections of tests. */

export { call, everything, pageOf, run, statement } from '@roundhouse/sql/testing'

export async function connected(
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
