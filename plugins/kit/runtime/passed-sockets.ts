import { Socket } from 'node:net'
import type { Connect, ConnectOptions, Listen, Listener } from '../api/network.ts'
import type { DriverMessage, HostMessage, SocketMessage } from '../wire/messages.ts'

/** A pending `dial` or `listen`, until the host answers. */
interface Waiting<T> {
	resolve(value: T): void
	reject(error: unknown): void
}

/** The host's error if it opened no socket. The text comes from the host, so it may be shown. */
export class SocketFailure extends Error {
	override readonly name = 'SocketFailure'
	/** Node's code, for example `ECONNREFUSED`. */
	readonly code: string

	constructor(code: string, message: string) {
		super(message)
		this.code = code
	}
}

/** The sockets that the host opens for this process, by the number of the request. */
export class PassedSockets {
	readonly #send: (message: DriverMessage) => void
	readonly #dials = new Map<number, Waiting<Socket>>()
	readonly #listens = new Map<number, Waiting<number>>()
	readonly #serving = new Map<number, (socket: Socket) => void>()
	#last = 0

	constructor(send: (message: DriverMessage) => void) {
		this.#send = send
		// Node acknowledges each socket over its channel, which the host does not read.
		Reflect.set(process, '_send', ({ cmd }: { readonly cmd: string }) => {
			if (cmd === 'NODE_HANDLE_ACK') return send({ kind: 'taken' })
			process.stderr.write('A socket was lost on its way here: too many files are open.\n')
			process.exit(1)
		})
		process.on('message', (given, socket) => {
			// The host sends nothing else on Node's channel.
			if (socket instanceof Socket) this.#take(given as SocketMessage, socket)
		})
	}

	/** Returns the `connect` function of one connection. */
	connectFor(reach: number): Connect {
		return async (address, { signal, timeoutMs }: ConnectOptions = {}) => {
			signal?.throwIfAborted()
			const id = ++this.#last
			const { promise, resolve, reject } = Promise.withResolvers<Socket>()
			this.#dials.set(id, { resolve, reject })
			const cancel = () => {
				// If the socket arrives anyway, it is closed.
				if (this.#dials.delete(id)) this.#send({ kind: 'letGo', id })
				reject(signal?.reason)
			}
			signal?.addEventListener('abort', cancel, { once: true })
			this.#send({ kind: 'dial', id, reach, address, ...(timeoutMs !== undefined && { timeoutMs }) })
			try {
				return await promise
			} finally {
				signal?.removeEventListener('abort', cancel)
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

	/** Handles the host's answer to a dial or a listen. */
	receive(message: Extract<HostMessage, { readonly kind: 'listening' | 'failed' }>): void {
		const { id } = message
		if (message.kind === 'listening') return this.#listens.get(id)?.resolve(message.port)
		const waiting = this.#dials.get(id) ?? this.#listens.get(id)
		this.#dials.delete(id)
		waiting?.reject(new SocketFailure(message.code, message.message))
	}

	#take({ id, head }: SocketMessage, socket: Socket): void {
		const waiting = this.#dials.get(id)
		this.#dials.delete(id)
		const take = waiting ? waiting.resolve : this.#serving.get(id)
		if (!take) return void socket.destroy()
		if (head !== undefined) socket.unshift(Buffer.from(head, 'base64'))
		take(socket)
	}
}
