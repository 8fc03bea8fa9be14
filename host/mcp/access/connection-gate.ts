import { type Access, DriverError } from '@roundhouse/kit'
import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import type { SavedConnection, SavedConnections } from '../../connections/saved-connections.ts'
import type { Sessions } from '../../connections/sessions.ts'
import type { Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { McpCall } from '../protocol/method.ts'
import { repeated } from '../protocol/outgoing-text.ts'
import type { AccessGrants } from './access-grants.ts'
import { ClientSession } from './client-session.ts'
import { notGranted, refusalOf } from './policy.ts'

/** Enough to choose from; `list_connections` has the rest. */
const mostListed = 10

function listed(connections: readonly SavedConnection[]): string {
	const some = connections.slice(0, mostListed).map(({ name, id }) => `"${repeated(name)}" (${id})`)
	return [...some, ...(connections.length > mostListed ? ['…'] : [])].join(', ')
}

/** The one way to a connection for AI clients: every refusal names the setting that refused (docs/mcp.md). */
export class ConnectionGate {
	readonly #connections: SavedConnections
	readonly #sessions: Sessions
	readonly #grants: AccessGrants
	readonly #requireServed: (caller: Caller) => void
	readonly #hasReadOnlySessions: (driverId: string) => boolean
	readonly #costLimitRows: () => number

	/** `requireServed` throws where the endpoint serves this caller no more: a token that ended, AI access switched off. */
	constructor(
		connections: SavedConnections,
		sessions: Sessions,
		grants: AccessGrants,
		requireServed: (caller: Caller) => void,
		hasReadOnlySessions: (driverId: string) => boolean,
		costLimitRows: () => number,
	) {
		this.#costLimitRows = costLimitRows
		this.#hasReadOnlySessions = hasReadOnlySessions
		this.#connections = connections
		this.#sessions = sessions
		this.#grants = grants
		this.#requireServed = requireServed
	}

	/** The connections this caller may know of. */
	visible(caller: Caller): readonly SavedConnection[] {
		return this.#connections
			.list()
			.filter(connection => refusalOf(connection, caller, 'read') === undefined)
			.sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1))
	}

	/** A connection on which the caller may do so much once the person allows it. @throws DriverError `not_found`; ProtocolError `forbidden` */
	find(connectionId: string, caller: Caller, access: Access = 'read', group?: ToolGroup): SavedConnection {
		const connection = this.#connections.find(connectionId)
		if (!connection) {
			throw new DriverError(
				'not_found',
				`There is no connection "${repeated(connectionId)}". \`list_connections\` shows them.`,
			)
		}
		const reason = refusalOf(connection, caller, access, group)
		if (reason !== undefined) throw new ProtocolError('forbidden', reason)
		return connection
	}

	/**
	 * A connection by its id or by its name, or the only one there is. @throws as `find`; DriverError `invalid_argument` where
	 * several may be meant
	 */
	choose(wanted: string | undefined, caller: Caller, access: Access = 'read', group?: ToolGroup): SavedConnection {
		const visible = this.visible(caller)
		if (wanted === undefined) {
			const [only, ...others] = visible
			if (only && others.length === 0) return this.find(only.id, caller, access, group)
			if (!only) throw new DriverError('not_found', 'There is no connection that you may use.')
			throw new DriverError('invalid_argument', `connection_id: there are ${visible.length}: ${listed(visible)}.`)
		}
		const named = visible.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase())
		if (this.#connections.find(wanted) || named.length === 0) return this.find(wanted, caller, access, group)
		const [only, ...others] = named
		if (only && others.length === 0) return this.find(only.id, caller, access, group)
		throw new DriverError('invalid_argument', `connection_id: several have this name: ${listed(named)}. Use the id.`)
	}

	/** Whether the person has to be asked first. */
	needsPermission(connection: SavedConnection, caller: Caller): boolean {
		return connection.aiPolicy !== 'allow' && !this.#grants.has(caller, connection.id)
	}

	/** Opens a connection, or finds it open. @throws DriverError, HostError; ProtocolError */
	async open(
		connection: SavedConnection,
		call: McpCall,
		access: Access = 'read',
		group?: ToolGroup,
	): Promise<ClientSession> {
		const { id, driverId, externalAccess } = connection
		const requireAllowed = () => this.requireAllowed({ id }, call, access, group)
		requireAllowed()
		return new ClientSession(
			await this.#sessions.open(id, {
				signal: call.signal,
				isReadOnly: externalAccess === 'read-only' && this.#hasReadOnlySessions(driverId),
			}),
			requireAllowed,
			this.#costLimitRows,
		)
	}

	/**
	 * Looks at everything: after a wait, what was found when the call came may have been taken away.
	 * @throws DriverError `not_found`; ProtocolError
	 */
	requireAllowed({ id }: Pick<SavedConnection, 'id'>, call: McpCall, access: Access = 'read', group?: ToolGroup): void {
		this.requireServed(call)
		const connection = this.find(id, call.caller, access, group)
		if (this.needsPermission(connection, call.caller)) throw notGranted(connection, 'The user has not allowed it')
	}

	/** The same for a call that is for no connection. @throws ProtocolError */
	requireServed({ signal, caller }: McpCall): void {
		signal.throwIfAborted()
		this.#requireServed(caller)
	}
}
