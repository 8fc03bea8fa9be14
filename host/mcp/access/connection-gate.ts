import { DriverError } from '@roundhouse/kit'
import type { SavedConnection, SavedConnections } from '../../connections/saved-connections.ts'
import type { Sessions } from '../../connections/sessions.ts'
import type { Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { McpCall } from '../protocol/method.ts'
import { repeated } from '../protocol/outgoing-text.ts'
import type { AccessGrants } from './access-grants.ts'
import { ClientSession } from './client-session.ts'

/** What destroys is a write here: it is told apart by scopes and by its own tool. */
type Access = 'read' | 'write'

/** The one way to a connection for AI clients: every refusal names the setting that refused (docs/mcp.md). */
export class ConnectionGate {
	readonly #connections: SavedConnections
	readonly #sessions: Sessions
	readonly #grants: AccessGrants
	readonly #requireServed: (caller: Caller) => void

	/** `requireServed` throws where the endpoint serves this caller no more: a token that ended, AI access switched off. */
	constructor(
		connections: SavedConnections,
		sessions: Sessions,
		grants: AccessGrants,
		requireServed: (caller: Caller) => void,
	) {
		this.#connections = connections
		this.#sessions = sessions
		this.#grants = grants
		this.#requireServed = requireServed
	}

	/** The connections this caller may know of. */
	visible(caller: Caller): readonly SavedConnection[] {
		return this.#connections
			.list()
			.filter(connection => refusal(connection, caller) === undefined)
			.sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1))
	}

	/** @throws DriverError `not_found`; ProtocolError `forbidden` */
	check(connectionId: string, caller: Caller): SavedConnection {
		const connection = this.#connections.find(connectionId)
		if (!connection) {
			throw new DriverError(
				'not_found',
				`There is no connection "${repeated(connectionId)}". \`list_connections\` shows them.`,
			)
		}
		const reason = refusal(connection, caller)
		if (reason !== undefined) throw new ProtocolError('forbidden', reason)
		return connection
	}

	/** @throws ProtocolError `forbidden` */
	requireWritable(connection: SavedConnection): void {
		if (connection.externalAccess === 'read-write') return
		throw new ProtocolError(
			'forbidden',
			`External access of "${connection.name}" is "${connection.externalAccess}". ${whereToChange}`,
		)
	}

	/** Asks the question of first use where the policy says so. @throws ProtocolError `forbidden` */
	async permit(connection: SavedConnection, call: McpCall, access: Access = 'read'): Promise<void> {
		await this.#grants.require(connection, call)
		this.requireStillAllowed(connection, call, access)
	}

	/** Opens a connection whose use was permitted, or finds it open. @throws DriverError, HostError; ProtocolError */
	async open(connection: SavedConnection, call: McpCall, access: Access = 'read'): Promise<ClientSession> {
		const requireStillAllowed = () => this.requireStillAllowed(connection, call, access)
		requireStillAllowed()
		return new ClientSession(await this.#sessions.open(connection.id, { signal: call.signal }), requireStillAllowed)
	}

	/**
	 * Looks at everything again after a wait: what was checked when the call came may have been taken away since.
	 * @throws DriverError `not_found`; ProtocolError
	 */
	requireStillAllowed({ id }: Pick<SavedConnection, 'id'>, call: McpCall, access: Access = 'read'): void {
		this.requireStillServed(call)
		const connection = this.check(id, call.caller)
		if (access === 'write') this.requireWritable(connection)
		this.#grants.requireGranted(connection, call.caller)
	}

	/** The same for a call that is for no connection. @throws ProtocolError */
	requireStillServed({ signal, caller }: McpCall): void {
		signal.throwIfAborted()
		this.#requireServed(caller)
	}
}

const whereToChange = "It is changed in the connection's settings, AI access."

function refusal(connection: SavedConnection, caller: Caller): string | undefined {
	if (connection.aiPolicy === 'never') return `The AI policy of "${connection.name}" is "never". ${whereToChange}`
	if (connection.externalAccess === 'blocked') {
		return `External access of "${connection.name}" is "blocked". ${whereToChange}`
	}
	if (caller.connections && !caller.connections.has(connection.id)) {
		return `The token "${caller.name}" may not reach this connection: it is not in the token's list of connections.`
	}
	return undefined
}
