import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@roundhouse/kit'
import type { LegacyVersion } from '../wire/versions.ts'
import type { Caller } from './caller.ts'
import { ProtocolError } from './errors.ts'
import type { ClientInfo } from './meta.ts'

export interface LegacySession {
	readonly id: string
	/** The caller that created it, and the only one that may use it. */
	readonly owner: string
	/** The token whose sessions are counted, independent of the names of bridges. */
	readonly tokenId: string | undefined
	readonly version: LegacyVersion
	readonly client: ClientInfo | undefined
	readonly clientCapabilities: JsonObject
}

/** Contract, "Limits": legacy sessions stored. */
const maxSessions = 16

/**
 * Sessions of the legacy era, in memory. If there are too many, the token with the most sessions loses its least
 * recently used one (contract, "Legacy session"). So one token cannot evict the sessions of others.
 */
export class LegacySessions {
	/** Ordered by last use: a Map keeps the order of insertion, and a used session is inserted again. */
	readonly #sessions = new Map<string, LegacySession>()

	get size(): number {
		return this.#sessions.size
	}

	create(caller: Caller, session: Omit<LegacySession, 'id' | 'owner' | 'tokenId'>): LegacySession {
		const created = { id: randomUUID(), owner: caller.key, tokenId: caller.tokenId, ...session }
		this.#sessions.set(created.id, created)
		if (this.#sessions.size > maxSessions) this.#evict()
		return created
	}

	/** @throws ProtocolError `session_not_found`; the session of another token stays active */
	use(id: string | undefined, owner: string): LegacySession {
		const session = id === undefined ? undefined : this.#sessions.get(id)
		if (!session || session.owner !== owner) throw new ProtocolError('session_not_found')
		this.#sessions.delete(session.id)
		this.#sessions.set(session.id, session)
		return session
	}

	#evict(): void {
		const sessions = [...this.#sessions.values()]
		const counted = new Map<string | undefined, number>()
		for (const { tokenId } of sessions) counted.set(tokenId, (counted.get(tokenId) ?? 0) + 1)
		const highest = Math.max(...counted.values())
		const oldest = sessions.find(({ tokenId }) => counted.get(tokenId) === highest)
		if (oldest) this.#sessions.delete(oldest.id)
	}
}
