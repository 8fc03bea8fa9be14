import type { Socket } from 'node:net'
import type { Clock } from '../protocol/clock.ts'

interface Connection {
	readonly socket: Socket
	/** The token of its last request. */
	holder: string | undefined
	/** Requests without an answer yet. */
	running: number
	/** By the monotonic clock (`Clock.elapsed`). */
	usedAt: number
}

/** Time for a new connection to present a token. */
const tokenGraceMs = 250

/**
 * Shares the limited connections of the endpoint (contract, "Limits": 64) fairly. If all are in use, a new connection
 * replaces an idle one: first one without a token, then one of the token with the most connections. One token may keep
 * at most half of the connections busy that others do not use, so that there is always room for another client.
 */
export class Connections {
	readonly #most: number
	readonly #clock: Pick<Clock, 'elapsed'>
	readonly #connections = new Map<Socket, Connection>()

	constructor(most: number, clock: Pick<Clock, 'elapsed'>) {
		this.#most = most
		this.#clock = clock
	}

	/** Adds a new socket. Closes it if no other connection can be closed for it. */
	add(socket: Socket): void {
		if (this.#connections.size >= this.#most) {
			const idle = this.#mostExpendable()
			if (!idle) return void socket.destroy()
			this.#connections.delete(idle.socket)
			idle.socket.destroy()
		}
		this.#connections.set(socket, { socket, holder: undefined, running: 0, usedAt: this.#clock.elapsed() })
		socket.once('close', () => this.#connections.delete(socket))
	}

	/** Marks the start of a request. @returns a function that marks its end */
	begin(socket: Socket): () => void {
		const connection = this.#connections.get(socket)
		if (!connection) return () => {}
		connection.running++
		return () => {
			connection.running--
			connection.usedAt = this.#clock.elapsed()
		}
	}

	/** Assigns a connection to a token. @returns whether the token may keep one more connection busy */
	claim(socket: Socket, holder: string): boolean {
		const connection = this.#connections.get(socket)
		if (!connection) return false
		connection.holder = holder
		let own = 0
		let others = 0
		for (const { holder: other, running } of this.#connections.values()) {
			if (running === 0 || other === undefined) continue
			if (other === holder) own++
			else others++
		}
		return own <= Math.max(1, Math.floor((this.#most - others) / 2))
	}

	#mostExpendable(): Connection | undefined {
		const held = new Map<string, number>()
		for (const { holder } of this.#connections.values()) {
			if (holder !== undefined) held.set(holder, (held.get(holder) ?? 0) + 1)
		}
		const now = this.#clock.elapsed()
		/** Connections without a token are closed first, except new ones. */
		const weight = ({ holder, usedAt }: Connection) => {
			if (holder !== undefined) return held.get(holder) ?? 0
			return now - usedAt < tokenGraceMs ? 0 : Number.POSITIVE_INFINITY
		}
		let least: Connection | undefined
		for (const connection of this.#connections.values()) {
			if (connection.running > 0) continue
			const isLess =
				!least ||
				weight(connection) > weight(least) ||
				(weight(connection) === weight(least) && connection.usedAt < least.usedAt)
			if (isLess) least = connection
		}
		return least
	}
}
