import { LRUCache } from 'lru-cache'

/** A client as it shows itself with its requests; the name proves nothing, the token does. */
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
const mostClients = 200

/** Clients that called within the last five minutes, the last ones first. In memory alone. */
export class ConnectedClients {
	readonly #now: () => number
	readonly #clients = new LRUCache<string, ConnectedClient>({ max: mostClients })

	constructor(now: () => number = Date.now) {
		this.#now = now
	}

	saw(sighting: ClientSighting): void {
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
