import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@roundhouse/kit'
import { ProtocolError } from './errors.ts'
import type { ClientInfo } from './meta.ts'
import type { LegacyVersion } from './versions.ts'

export interface LegacySession {
	readonly id: string
	/** The caller that created it; nobody else may use it. */
	readonly owner: string
	readonly version: LegacyVersion
	readonly client: ClientInfo | undefined
	readonly clientCapabilities: JsonObject
}

/** Contract, "Limits": legacy sessions stored. */
const most = 16

/** Sessions of the legacy era, in memory; the least recently used goes first (contract, "Legacy session"). */
export class LegacySessions {
	/** A Map keeps the order of insertion; used sessions move to its end. */
	readonly #sessions = new Map<string, LegacySession>()

	create(session: Omit<LegacySession, 'id'>): LegacySession {
		const created = { id: randomUUID(), ...session }
		this.#sessions.set(created.id, created)
		const [oldest] = this.#sessions.keys()
		if (this.#sessions.size > most && oldest !== undefined) this.#sessions.delete(oldest)
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
}
