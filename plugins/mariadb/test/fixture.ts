import type { DriverContext, Settings } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { afterAll } from 'vitest'
import { hasServer, type ServerOptions, startServer, type TestServer } from '../servers/server.ts'
import { readSettings } from '../settings.ts'
import { openSession } from '../wire/open-session.ts'
import type { Session, SessionUse } from '../wire/session.ts'

/** Sessions of tests. */

export const signal = new AbortController().signal

if (!hasServer) console.log('SKIPPED: this machine has no MariaDB server. Install mariadb-server.')

export async function open(
	settings: Settings,
	{ use = 'driver', context = {} }: { readonly use?: SessionUse; readonly context?: Partial<DriverContext> } = {},
): Promise<Session & Disposable> {
	const session = await openSession(readSettings(settings), { ...directContext(), ...context }, signal, use)
	return Object.assign(session, { [Symbol.dispose]: () => session.close() })
}

/** Starts a server and opens a session of the driver for the tests of a file, after which both end. */
export async function openForFile(options: ServerOptions): Promise<{ server: TestServer; session: Session }> {
	// Without a server, all tests of the file are skipped.
	if (!hasServer) return {} as { server: TestServer; session: Session }
	await using owned = new AsyncDisposableStack()
	const server = owned.use(await startServer(options))
	const session = owned.use(await open(server.settings))
	const kept = owned.move()
	afterAll(() => kept.disposeAsync())
	return { server, session }
}

/** Returns the rows of a statement of the driver. */
export async function rowsOf(session: Session, sql: string) {
	return (await session.read({ sql }, signal)).rows
}
