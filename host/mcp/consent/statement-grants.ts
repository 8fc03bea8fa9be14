import { randomUUID } from 'node:crypto'
import type { Access } from '@roundhouse/kit'
import type { Asker } from '../protocol/asker.ts'
import type { Caller } from '../protocol/caller.ts'
import { type Clock, type Expiry, expiryIn, hasExpired } from '../protocol/clock.ts'

interface Asked {
	readonly connection: { readonly id: string }
	readonly access: Access
	readonly grantTarget?: string | undefined
}

interface Granted extends Asked {
	readonly asker: Asker
}

/**
 * A consent that a person gave for a while, in the window: this client, this connection, this kind of statement on this
 * table. What destroys is never covered, nor is a statement of which the driver names no kind.
 */
export interface StatementGrant {
	readonly id: string
	readonly callerKey: string
	/** The token's name, and what the client called itself. */
	readonly token: string
	readonly client: string
	readonly connectionId: string
	readonly access: Access
	/** What it covers, as the person read it. */
	readonly target: string
	readonly expiry: Expiry
}

/** Held in memory alone: a restart ends them all. */
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

	covers({ key }: Caller, { connection: { id }, access, grantTarget }: Asked): boolean {
		const isMeant = ({ callerKey, connectionId, ...grant }: StatementGrant) =>
			callerKey === key && connectionId === id && grant.access === access && grant.target === grantTarget
		return this.list().some(isMeant)
	}

	add({ key: callerKey }: Caller, { connection, access, grantTarget: target, asker }: Granted, minutes: number): void {
		if (target === undefined) return
		const expiry = expiryIn(this.#clock, minutes * 60_000)
		const grant = { id: randomUUID(), callerKey, ...asker, connectionId: connection.id, access, target, expiry }
		this.#grants = [...this.list(), grant]
	}

	end(id: string): void {
		this.#grants = this.#grants.filter(grant => grant.id !== id)
	}
}
