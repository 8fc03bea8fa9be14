import { startEndpoint } from '../mcp/endpoint.ts'
import { underWatch } from './watch.ts'

/** The endpoint as a separate program, with a writable connection, a session, and a token with all scopes. */

/** What the fuzzer needs to know about it. */
export interface EndpointUnderFuzz {
	readonly port: number
	readonly token: string
	readonly connectionId: string
	readonly sessionId: string
}

if (import.meta.main) {
	const fixture = await startEndpoint({ hasRealClock: true })
	const { id } = await fixture.addConnection()
	// Opened now, so that no message of the run includes the start of the driver.
	await fixture.callTool('connect', { connection_id: id })
	const { port, token } = fixture
	const sessionId = await fixture.initialize()
	underWatch<EndpointUnderFuzz>({ port, token, connectionId: id, sessionId }, () => fixture[Symbol.asyncDispose]())
}
