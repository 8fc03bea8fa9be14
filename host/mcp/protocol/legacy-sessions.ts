import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@roundhouse/kit'
import type { LegacyVersion } from '../wire/versions.ts'
import type { Caller } from './caller.ts'
import { ProtocolError } from './errors.ts'
import type { ClientInfo } from './meta.ts'

export interface LegacySession {
	readonly id: string
	/** The caller that created it; nobody else may use it. */
	readonly owner: string
	/** The token that it counts for, whatever bridges call themselves. */
	readonly tokenId: string | undefined
	readonly version: LegacyVersion
	readonly client: ClientInfo | undefined
	readonly clientCapabilities: JsonObject
}

/** Contract, "Limits": legacy sessions stored. */
const most = 16

/**
 * Sessions of the legacy era, in memory. Where there are too many, the token that has the most loses the one that it used
 * longest ago (contract, "Legacy session": least recently used goes first), so that none can end the sessions of others.
 */
export class LegacySessions {
	/** A Map keeps the order of insertion; used sessions move to its end. */
	readonly #sessions = new Map<string, LegacySession>()

	create(caller: Caller, session: Omit<LegacySession, 'id' | 'owner' | 'tokenId'>): LegacySession {
		const created = { id: randomUUID(), owner: caller.key, tokenId: caller.tokenId, ...session }
		this.#sessions.set(created.id, created)
		if (this.#sessions.size > most) this.#evict()
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
