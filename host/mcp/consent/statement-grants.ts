import { randomUUID } from 'node:crypto'
import type { Access } from '@roundhouse/kit'
import type { SavedConnection } from '../../connections/connection-fields.ts'
import { identityOf } from '../../connections/connection-identity.ts'
import type { Asker } from '../protocol/asker.ts'
import type { Caller } from '../protocol/caller.ts'
import { type Clock, type Expiry, expiryIn, hasExpired } from '../protocol/clock.ts'
import { type ConnectionOfCall, isSaved, type OfferedGrant } from './question.ts'

interface Asked {
	readonly connection: ConnectionOfCall
	readonly access: Access
	readonly grant: Pick<OfferedGrant, 'target' | 'scope'>
	/** Number of rows that the statement affects at most. */
	readonly rows: number
}

interface Granted {
	readonly connection: ConnectionOfCall
	readonly access: Access
	readonly grant?: OfferedGrant | undefined
	readonly asker: Asker
}

/** Smallest row limit of a grant. A consent for a few rows must not cover thousands. */
const minRows = 100

/**
 * Returns the row limit of the grant that is offered for a statement.
 * @param rows number of rows that the statement affects
 */
export function rowsCovered(rows: number): number {
	return Math.max(minRows, rows)
}

/**
 * A temporary consent that the user gave in the window: for a client, a connection, a kind of statement on a table, and
 * a limited number of rows. It never covers statements that destroy or replace something, or for which the driver names
 * no target and scope.
 */
export interface StatementGrant {
	readonly id: string
	readonly callerKey: string
	/** The token's name, and below it the name that the client claims. */
	readonly token: string
	readonly client: string
	readonly connectionId: string
	/** Identity of the connection when the user agreed (connection-identity.ts). */
	readonly identity: string
	readonly access: Access
	/** The covered target, as it was shown to the user. */
	readonly target: string
	/** What the target was when the user agreed. A statement that would write elsewhere is not covered. */
	readonly scope: string
	readonly rowsLeft: number
	readonly expiry: Expiry
}

/** The temporary consents. In memory only: a restart ends them. */
export class StatementGrants {
	readonly #clock: Clock
	#grants: readonly StatementGrant[] = []

	constructor(clock: Clock) {
		this.#clock = clock
	}

	list(): readonly StatementGrant[] {
		this.#grants = this.#grants.filter(({ expiry }) => !hasExpired(this.#clock, expiry))
		return this.#grants
	}

	/** Uses a grant that covers the statement, and reduces its remaining rows. @returns `false` if no grant covers it */
	spend({ key }: Caller, { connection, access, grant: asked, rows }: Asked): boolean {
		if (!isSaved(connection)) return false
		const wanted = identityOf(connection)
		const covering = this.list().find(
			({ callerKey, identity, target, scope, rowsLeft, ...grant }) =>
				callerKey === key &&
				identity === wanted &&
				grant.access === access &&
				target === asked.target &&
				scope === asked.scope &&
				rowsLeft >= rows,
		)
		if (!covering) return false
		const spent = { ...covering, rowsLeft: covering.rowsLeft - rows }
		this.#grants = this.#grants.map(grant => (grant === covering ? spent : grant))
		return true
	}

	add({ key: callerKey }: Caller, { connection, access, grant, asker }: Granted, minutes: number): void {
		if (grant === undefined || !isSaved(connection)) return
		const { target, scope, mostRows: rowsLeft } = grant
		const [id, connectionId, identity] = [randomUUID(), connection.id, identityOf(connection)]
		const expiry = expiryIn(this.#clock, minutes * 60_000)
		const added = { id, callerKey, ...asker, connectionId, identity, access, target, scope, rowsLeft, expiry }
		this.#grants = [...this.list(), added]
	}

	/** Removes the grants for connections that were changed or removed. */
	retain(connections: readonly SavedConnection[]): void {
		const current = new Set(connections.map(identityOf))
		this.#grants = this.#grants.filter(({ identity }) => current.has(identity))
	}

	end(id: string): void {
		this.#grants = this.#grants.filter(grant => grant.id !== id)
	}
}
