import { LRUCache } from 'lru-cache'

/** A client as seen in a request. The name is not verified, the token is. */
export interface ClientSighting {
	readonly name: string
	readonly version?: string | undefined
	/** The token's id, absent for an anonymous caller. */
	readonly tokenId?: string | undefined
	readonly token: string
}

export interface ConnectedClient extends ClientSighting {
	readonly firstSeen: string
	readonly lastSeen: string
	readonly requests: number
}

const idleMs = 5 * 60_000
const maxClients = 200

/** Clients with requests within the last five minutes, most recent first. In memory only. */
export class ConnectedClients {
	readonly #now: () => number
	readonly #clients = new LRUCache<string, ConnectedClient>({ max: maxClients })

	constructor(now: () => number = Date.now) {
		this.#now = now
	}

	recordRequest(sighting: ClientSighting): void {
		const key = JSON.stringify([sighting.name, sighting.version, sighting.tokenId])
		const known = this.#clients.get(key)
		const time = new Date(this.#now()).toISOString()
		this.#clients.set(key, {
			...sighting,
			firstSeen: known?.firstSeen ?? time,
			lastSeen: time,
			requests: (known?.requests ?? 0) + 1,
		})
	}

	list(): readonly ConnectedClient[] {
		const live = this.#now() - idleMs
		return [...this.#clients.values()].filter(({ lastSeen }) => Date.parse(lastSeen) >= live)
	}
}
