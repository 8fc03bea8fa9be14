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
	#latest: Seen | undefined

	constructor(now: () => number = Date.now) {
		this.#now = now
	}

	recordRequest(sighting: ClientSighting): void {
		const now = this.#now()
		const seen = this.#seen(sighting, now)
		seen.sighting = sighting
		seen.lastMs = now
		seen.requests++
		this.#latest = seen
	}

	#seen(sighting: ClientSighting, now: number): Seen {
		const { tokenId, name, version } = sighting
		const latest = this.#latest?.sighting
		// The one that asked last usually asks again, and is the newest in the cache.
		if (this.#latest && latest?.tokenId === tokenId && latest?.name === name && latest.version === version) {
			return this.#latest
		}
		// Names and versions of clients are on one line.
		const key = `${tokenId ?? ''}\n${name}\n${version ?? ''}`
		const known = this.#clients.get(key)
		if (known) return known
		const added = { sighting, firstMs: now, lastMs: now, requests: 0 }
		this.#clients.set(key, added)
		return added
	}

	list(): readonly ConnectedClient[] {
		const live = this.#now() - idleMs
		const isoOf = (ms: number) => new Date(ms).toISOString()
		return [...this.#clients.values()]
			.filter(({ lastMs }) => lastMs >= live)
			.map(({ sighting, firstMs, lastMs, requests }) => ({
				...sighting,
				firstSeen: isoOf(firstMs),
				lastSeen: isoOf(lastMs),
				requests,
			}))
	}
}
