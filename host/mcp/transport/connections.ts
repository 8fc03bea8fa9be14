import type { Socket } from 'node:net'
import type { Clock } from '../protocol/clock.ts'

interface Connection {
	readonly socket: Socket
	/** The token that its last request has shown. */
	holder: string | undefined
	/** Requests that are not answered yet. */
	running: number
	/** By the monotonic clock (`Clock.elapsed`). */
	usedAt: number
}

/** How long a new connection may take to show a token. */
const introductionMs = 250

/**
 * Shares the connections that the endpoint has (contract, "Limits": 64) among all who want one. A new one is let in where
 * somebody holds one without need: first who has shown no token, then the token that holds the most. And of what the
 * others leave, one token keeps half at most busy, so there is always room for the next.
 */
export class Connections {
	readonly #most: number
	readonly #clock: Pick<Clock, 'elapsed'>
	readonly #connections = new Map<Socket, Connection>()

	constructor(most: number, clock: Pick<Clock, 'elapsed'>) {
		this.#most = most
		this.#clock = clock
	}

	/** Takes a new socket in, or closes it where nobody can make room. */
	add(socket: Socket): void {
		if (this.#connections.size >= this.#most) {
			const idle = this.#leastNeeded()
			if (!idle) return void socket.destroy()
			this.#connections.delete(idle.socket)
			idle.socket.destroy()
		}
		this.#connections.set(socket, { socket, holder: undefined, running: 0, usedAt: this.#clock.elapsed() })
		socket.once('close', () => this.#connections.delete(socket))
	}

	/** A request begins; the returned function says that it has its answer. */
	begin(socket: Socket): () => void {
		const connection = this.#connections.get(socket)
		if (!connection) return () => {}
		connection.running++
		return () => {
			connection.running--
			connection.usedAt = this.#clock.elapsed()
		}
	}

	/** The request's token is known: whether it may keep one more connection busy. */
	hold(socket: Socket, holder: string): boolean {
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

	#leastNeeded(): Connection | undefined {
		const held = new Map<string, number>()
		for (const { holder } of this.#connections.values()) {
			if (holder !== undefined) held.set(holder, (held.get(holder) ?? 0) + 1)
		}
		const now = this.#clock.elapsed()
		/** Connections that showed no token go first, except those that have just come. */
		const weight = ({ holder, usedAt }: Connection) => {
			if (holder !== undefined) return held.get(holder) ?? 0
			return now - usedAt < introductionMs ? 0 : Number.POSITIVE_INFINITY
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
