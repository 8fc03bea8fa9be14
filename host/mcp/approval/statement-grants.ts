import { randomUUID } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import type { Clock } from '../protocol/clock.ts'
import type { Asker } from './question.ts'

interface Asked {
	readonly connection: { readonly id: string }
	readonly access: 'write' | 'destructive'
}

interface Granted extends Asked {
	readonly asker: Asker
}

/** A consent that a person gave for a while, in the window: this client, this connection, this kind of statement. */
export interface StatementGrant {
	readonly id: string
	readonly callerKey: string
	/** The token's name, and what the client called itself. */
	readonly token: string
	readonly client: string
	readonly connectionId: string
	readonly access: 'write' | 'destructive'
	readonly expiresAt: number
}

/** Held in memory alone: a restart ends them all. */
export class StatementGrants {
	readonly #clock: Clock
	#grants: readonly StatementGrant[] = []

	constructor(clock: Clock) {
		this.#clock = clock
	}

	list(): readonly StatementGrant[] {
		const now = this.#clock.now()
		this.#grants = this.#grants.filter(grant => grant.expiresAt > now)
		return this.#grants
	}

	covers(caller: Caller, { connection, access }: Asked): boolean {
		return this.list().some(
			grant => grant.callerKey === caller.key && grant.connectionId === connection.id && grant.access === access,
		)
	}

	add({ key: callerKey }: Caller, { connection, access, asker }: Granted, minutes: number): void {
		const expiresAt = this.#clock.now() + minutes * 60_000
		const grant = { id: randomUUID(), callerKey, ...asker, connectionId: connection.id, access, expiresAt }
		this.#grants = [...this.list(), grant]
	}

	end(id: string): void {
		this.#grants = this.#grants.filter(grant => grant.id !== id)
	}
}
