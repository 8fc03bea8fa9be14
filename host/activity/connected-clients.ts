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

/** Times in milliseconds since 1970. Changed in place, because every request is counted. */
interface Seen {
	sighting: ClientSighting
	readonly firstMs: number
	lastMs: number
	requests: number
}

const idleMs = 5 * 60_000
const maxClients = 200

/** Clients with requests within the last five minutes, most recent first. In memory only. */
export class ConnectedClients {
	readonly #now: () => number
	readonly #clients = new LRUCache<string, Seen>({ max: maxClients })

	constructor(now: () => number = Date.now) {
		this.#now = now
	}

	recordRequest(sighting: ClientSighting): void {
		const key = JSON.stringify([sighting.name, sighting.version, sighting.tokenId])
		const now = this.#now()
		const known = this.#clients.get(key)
		if (!known) return void this.#clients.set(key, { sighting, firstMs: now, lastMs: now, requests: 1 })
		known.sighting = sighting
		known.lastMs = now
		known.requests++
	}

	list(): readonly ConnectedClient[] {
		const live = this.#now() - idleMs
		const isoOf = (ms: number) => new Date(ms).toISOString()
		return [...this.#clients.values()]
			.filter(({ lastMs }) => lastMs >= live)
			.map(({ sighting, firstMs, lastMs, requests }) => ({
				...{ ...sighting, firstSeen: isoOf(firstMs), lastSeen: isoOf(lastMs) },
				requests,
			}))
	}
}
