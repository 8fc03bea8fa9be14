import { type Access, DriverError, type HiddenColumns } from '@roundhouse/kit'
import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import { hiddenFromClients, type SavedConnection } from '../../connections/connection-fields.ts'
import { identityOf } from '../../connections/connection-identity.ts'
import type { SavedConnections } from '../../connections/saved-connections.ts'
import type { Sessions } from '../../connections/sessions.ts'
import type { Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { McpCall } from '../protocol/method.ts'
import { quotedInput } from '../protocol/outgoing-text.ts'
import type { AccessGrants } from './access-grants.ts'
import { ClientSession } from './client-session.ts'
import { notGranted, refusalOf } from './policy.ts'

/** Upper limit of connections in a message. `list_connections` returns all. */
const maxListed = 10

function listed(connections: readonly SavedConnection[]): string {
	const some = connections.slice(0, maxListed).map(({ name, id }) => `"${quotedInput(name)}" (${id})`)
	return [...some, ...(connections.length > maxListed ? ['…'] : [])].join(', ')
}

export interface ConnectionGateOptions {
	readonly connections: SavedConnections
	readonly sessions: Sessions
	readonly grants: AccessGrants
	/** Throws if the caller is no longer served: its token expired, or AI access was switched off. */
	readonly requireServed: (caller: Caller) => void
	readonly costLimitRows: () => number
	/** Columns that the administrator hides on each connection that has them. */
	readonly hiddenByPolicy: readonly HiddenColumns[]
}

/** What a call needs of a connection. The default access is `read`. */
interface ConnectionNeed {
	readonly access?: Access | undefined
	readonly group?: ToolGroup | undefined
}

/** The only access to connections for AI clients. Every refusal names the setting that caused it (docs/mcp.md). */
export class ConnectionGate {
	readonly #connections: SavedConnections
	readonly #options: ConnectionGateOptions
	#byName: Record<'list' | 'sorted', readonly SavedConnection[]> = { list: [], sorted: [] }

	constructor(options: ConnectionGateOptions) {
		this.#connections = options.connections
		this.#options = options
	}

	/** Returns the connections that this caller may see. */
	visible(caller: Caller): readonly SavedConnection[] {
		return this.#sorted().filter(connection => refusalOf(connection, caller, { access: 'read' }) === undefined)
	}

	/** Returns all connections by name. Every call asks for them, so they are sorted once for each change. */
	#sorted(): readonly SavedConnection[] {
		const list = this.#connections.list()
		if (list !== this.#byName.list) {
			const order = (a: SavedConnection, b: SavedConnection) =>
				a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1)
			this.#byName = { list, sorted: list.toSorted(order) }
		}
		return this.#byName.sorted
	}

	/**
	 * Returns a connection that allows this access to the caller, if the user confirms. @throws DriverError `not_found`;
	 * ProtocolError `forbidden`
	 */
	find(connectionId: string, caller: Caller, { access = 'read', group }: ConnectionNeed = {}): SavedConnection {
		const connection = this.#connections.find(connectionId)
		if (!connection) {
			throw new DriverError(
				'not_found',
				`There is no connection "${quotedInput(connectionId)}". \`list_connections\` shows them.`,
			)
		}
		const reason = refusalOf(connection, caller, { access, group })
		if (reason !== undefined) throw new ProtocolError('forbidden', reason)
		return connection
	}

	/**
	 * Returns a connection by its id or by its name; without either, the only one. @throws the errors of `find`;
	 * DriverError `invalid_argument` if several match
	 */
	choose(wanted: string | undefined, caller: Caller, { access = 'read', group }: ConnectionNeed = {}): SavedConnection {
		const visible = this.visible(caller)
		if (wanted === undefined) {
			const [only, ...others] = visible
			if (only && others.length === 0) return this.find(only.id, caller, { access, group })
			if (!only) throw new DriverError('not_found', 'There is no connection that you may use.')
			throw new DriverError('invalid_argument', `connection_id: there are ${visible.length}: ${listed(visible)}.`)
		}
		const named = visible.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase())
		if (this.#connections.find(wanted) || named.length === 0) return this.find(wanted, caller, { access, group })
		const [only, ...others] = named
		if (only && others.length === 0) return this.find(only.id, caller, { access, group })
		throw new DriverError('invalid_argument', `connection_id: several have this name: ${listed(named)}. Use the id.`)
	}

	/** Whether the user must confirm the first use. */
	needsPermission(connection: SavedConnection, caller: Caller): boolean {
		return connection.aiPolicy !== 'allow' && !this.#options.grants.has(caller, connection)
	}

	/** Returns an open session of a connection. @throws DriverError, HostError; ProtocolError */
	async open(
		connection: SavedConnection,
		call: McpCall,
		{ access = 'read', group }: ConnectionNeed = {},
	): Promise<ClientSession> {
		const { id, externalAccess } = connection
		const requireAllowed = () => this.requireAllowed(connection, call, { access, group })
		requireAllowed()
		return new ClientSession(
			await this.#options.sessions.open(id, {
				signal: call.signal,
				isReadOnly: externalAccess === 'read-only',
			}),
			{
				requireStillAllowed: requireAllowed,
				costLimitRows: this.#options.costLimitRows,
				hiddenColumns: () => this.hiddenColumns(id),
			},
		)
	}

	/** Returns the columns that are hidden now. Those of a removed connection do not matter: its calls are refused. */
	hiddenColumns(id: string): readonly HiddenColumns[] {
		const marks = this.#connections.find(id)?.hiddenColumns ?? []
		return hiddenFromClients(marks, this.#options.hiddenByPolicy)
	}

	/** Returns them as a text that another mark changes. */
	hiddenMarks(id: string): string {
		return JSON.stringify(this.hiddenColumns(id))
	}

	/**
	 * Repeats all checks after a wait, because the permission may have been revoked and the connection may have been
	 * changed meanwhile. @throws DriverError `not_found`, `denied`; ProtocolError
	 */
	requireAllowed(found: SavedConnection, call: McpCall, { access = 'read', group }: ConnectionNeed = {}): void {
		this.requireServed(call)
		const connection = this.find(found.id, call.caller, { access, group })
		this.requireUnchanged(found)
		if (this.needsPermission(connection, call.caller)) throw notGranted(connection, 'The user has not allowed it')
	}

	/** @throws DriverError `denied` */
	requireUnchanged(found: SavedConnection): void {
		const connection = this.#connections.find(found.id)
		if (!connection || identityOf(connection) === identityOf(found)) return
		throw new DriverError('denied', 'The user changed this connection during the call. Send the call again.')
	}

	/** Aborts when the connection is changed or removed. */
	watchChange(connection: SavedConnection): { readonly signal: AbortSignal } & Disposable {
		const change = new AbortController()
		const before = identityOf(connection)
		const subscription = this.#connections.onChange(() => {
			const now = this.#connections.find(connection.id)
			if (!now || identityOf(now) !== before) change.abort()
		})
		return { signal: change.signal, [Symbol.dispose]: () => subscription[Symbol.dispose]() }
	}

	/** Repeats the checks for a call without a connection. @throws ProtocolError */
	requireServed({ signal, caller }: McpCall): void {
		signal.throwIfAborted()
		this.#options.requireServed(caller)
	}
}
