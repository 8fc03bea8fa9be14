import { Socket } from 'node:net'
import type { Connect, ConnectOptions, Listen, Listener } from '../api/network.ts'
import type { DriverMessage, GivenSocket, HostMessage } from '../wire/messages.ts'

/** Who waits for the host's answer to a `dial` or a `listen`. */
interface Waiting<T> {
	resolve(value: T): void
	reject(error: unknown): void
}

/** What the host says where it opened no socket. The text is the host's, and may be told. */
export class SocketFailure extends Error {
	override readonly name = 'SocketFailure'
	/** Node's, for example `ECONNREFUSED`. */
	readonly code: string

	constructor(code: string, message: string) {
		super(message)
		this.code = code
	}
}

/** The sockets that the host opens for this process, by the number that it asked with. */
export class GivenSockets {
	readonly #send: (message: DriverMessage) => void
	readonly #dials = new Map<number, Waiting<Socket>>()
	readonly #listens = new Map<number, Waiting<number>>()
	readonly #serving = new Map<number, (socket: Socket) => void>()
	#last = 0

	constructor(send: (message: DriverMessage) => void) {
		this.#send = send
		process.on('message', (given, socket) => {
			// The host sends nothing else this way.
			if (socket instanceof Socket) this.#take(given as GivenSocket, socket)
		})
	}

	/** The way out of one connection. */
	connectFor(reach: number): Connect {
		return async ({ host, port }, { signal, timeoutMs }: ConnectOptions = {}) => {
			signal?.throwIfAborted()
			const id = ++this.#last
			const { promise, resolve, reject } = Promise.withResolvers<Socket>()
			this.#dials.set(id, { resolve, reject })
			const letGo = () => {
				// A socket that comes all the same is closed.
				if (this.#dials.delete(id)) this.#send({ kind: 'letGo', id })
				reject(signal?.reason)
			}
			signal?.addEventListener('abort', letGo, { once: true })
			this.#send({ kind: 'dial', id, reach, host, port, ...(timeoutMs !== undefined && { timeoutMs }) })
			try {
				return await promise
			} finally {
				signal?.removeEventListener('abort', letGo)
			}
		}
	}

	readonly listen: Listen = async (onConnection, { port } = {}): Promise<Listener> => {
		const id = ++this.#last
		const { promise, resolve, reject } = Promise.withResolvers<number>()
		this.#listens.set(id, { resolve, reject })
		this.#serving.set(id, onConnection)
		this.#send({ kind: 'listen', id, ...(port !== undefined && { port }) })
		const close = async () => {
			if (this.#serving.delete(id)) this.#send({ kind: 'letGo', id })
		}
		try {
			return { port: await promise, close }
		} catch (error) {
			this.#serving.delete(id)
			throw error
		} finally {
			this.#listens.delete(id)
		}
	}

	/** Takes what the host says of a dial or a listen. */
	receive(message: Extract<HostMessage, { readonly kind: 'listening' | 'failed' }>): void {
		const { id } = message
		if (message.kind === 'listening') return this.#listens.get(id)?.resolve(message.port)
		const waiting = this.#dials.get(id) ?? this.#listens.get(id)
		this.#dials.delete(id)
		waiting?.reject(new SocketFailure(message.code, message.message))
	}

	#take({ id, head }: GivenSocket, socket: Socket): void {
		const waiting = this.#dials.get(id)
		this.#dials.delete(id)
		const take = waiting ? waiting.resolve : this.#serving.get(id)
		if (!take) return void socket.destroy()
		if (head !== undefined) socket.unshift(Buffer.from(head, 'base64'))
		take(socket)
	}
}
