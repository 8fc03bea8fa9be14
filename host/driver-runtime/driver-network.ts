import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Address } from '@roundhouse/kit'
import type { DriverMessage, HostMessage } from '@roundhouse/kit/wire/messages'
import { HostError } from '../../base/errors.ts'
import type { SocketChannel } from './socket-channel.ts'

/**
 * Opens connections within a policy. `dial` returns a paused socket; it throws an error with Node's `code`, or a
 * HostError.
 */
export interface Dialer {
	dial(
		address: Address,
		options: { readonly signal: AbortSignal; readonly timeoutMs?: number | undefined },
	): Promise<Socket>
	close(): void
}

/** Limits of one process. */
const maxDials = 256
const maxListeners = 4
/** Accepted connections that the driver has not acknowledged yet. */
const maxUnacknowledged = 256

type NetworkMessage = Extract<DriverMessage, { readonly kind: 'dial' | 'listen' | 'letGo' }>

/**
 * The network of one driver process, which cannot open sockets itself. The host opens sockets for each connection,
 * within what that connection may reach. It also listens for a process that runs a sample.
 */
export class DriverNetwork {
	readonly #sockets: Pick<SocketChannel, 'pass'>
	readonly #send: (message: HostMessage) => void
	readonly #reaches = new Map<number, { readonly dialer: Dialer; readonly closing: AbortController }>()
	readonly #dials = new Map<number, AbortController>()
	readonly #servers = new Map<number, Server>()
	#lastReach = 0
	/** The port that the process may listen on, besides ports that the kernel picks; `undefined` if it may not listen. */
	#givenPort: number | undefined
	#isClosed = false

	constructor(sockets: Pick<SocketChannel, 'pass'>, send: (message: HostMessage) => void) {
		this.#sockets = sockets
		this.#send = send
	}

	/** Registers a dialer. @returns the number by which the process uses it, until {@link removeDialer} */
	addDialer(dialer: Dialer): number {
		this.#reaches.set(++this.#lastReach, { dialer, closing: new AbortController() })
		return this.#lastReach
	}

	removeDialer(reach: number): void {
		const found = this.#reaches.get(reach)
		this.#reaches.delete(reach)
		found?.closing.abort(new Error('The connection was closed.'))
		found?.dialer.close()
	}

	/** Allows the process to listen on loopback, on this port or one that the kernel picks. */
	allowListening(port = 0): void {
		this.#givenPort = port
	}

	/** The ports that the process listens on. */
	get ports(): readonly number[] {
		return [...this.#servers.values()].filter(({ listening }) => listening).map(portOf)
	}

	receive(message: NetworkMessage): void {
		switch (message.kind) {
			case 'dial':
				return void this.#dial(message)
			case 'listen':
				return this.#listen(message)
			case 'letGo':
				this.#dials.get(message.id)?.abort(new Error('The driver gave up on this.'))
				this.#servers.get(message.id)?.close()
				this.#servers.delete(message.id)
		}
	}

	/** Closes everything after the process has ended. Its earlier messages may still arrive. */
	close(): void {
		this.#isClosed = true
		for (const reach of this.#reaches.keys()) this.removeDialer(reach)
		for (const server of this.#servers.values()) server.close()
		this.#servers.clear()
	}

	async #dial({ id, reach, address, timeoutMs }: Extract<NetworkMessage, { kind: 'dial' }>): Promise<void> {
		const found = this.#reaches.get(reach)
		if (!found) return this.#failed(id, denied('This connection is closed.'))
		if (this.#dials.has(id) || this.#dials.size >= maxDials) {
			return this.#failed(id, Object.assign(new Error('Too many connections are being opened.'), { code: 'EMFILE' }))
		}
		const givenUp = new AbortController()
		this.#dials.set(id, givenUp)
		const signal = AbortSignal.any([givenUp.signal, found.closing.signal])
		try {
			const socket = await found.dialer.dial(address, { signal, timeoutMs })
			if (signal.aborted) {
				socket.destroy()
				throw signal.reason
			}
			const isPassed = await this.#sockets.pass({ id }, socket)
			if (!isPassed)
				throw Object.assign(new Error('The connection was lost while it was opened.'), { code: 'ECONNRESET' })
		} catch (error) {
			if (!givenUp.signal.aborted) this.#failed(id, error)
		} finally {
			this.#dials.delete(id)
		}
	}

	#listen({ id, port = 0 }: Extract<NetworkMessage, { kind: 'listen' }>): void {
		if (this.#givenPort === undefined || this.#isClosed) return this.#failed(id, denied('Only a sample may listen.'))
		if (port !== 0 && port !== this.#givenPort)
			return this.#failed(id, denied('A sample may listen only on the port that it was given.'))
		if (this.#servers.has(id) || this.#servers.size >= maxListeners) {
			return this.#failed(id, denied(`A sample may listen on ${maxListeners} ports.`))
		}
		let waiting = 0
		const server = createServer({ pauseOnConnect: true }, async guest => {
			if (waiting >= maxUnacknowledged) return void guest.destroy()
			waiting++
			await this.#sockets.pass({ id }, detached(guest))
			waiting--
		})
		this.#servers.set(id, server)
		server.once('listening', () => this.#send({ kind: 'listening', id, port: portOf(server) }))
		server.on('error', (error: NodeJS.ErrnoException) => {
			if (error.code === 'EADDRINUSE' && port !== 0 && !server.listening) return void server.listen(0, '127.0.0.1')
			this.#servers.delete(id)
			this.#failed(id, error)
		})
		server.listen(port, '127.0.0.1')
	}

	#failed(id: number, error: unknown): void {
		const message = error instanceof Error ? error.message : 'The connection could not be opened.'
		this.#send({ kind: 'failed', id, code: codeOf(error), message })
	}
}

/**
 * Detaches a socket from its server. Otherwise Node synchronizes the server's connections between the processes by
 * messages over its channel, which the host does not read.
 */
function detached(guest: Socket): Socket {
	Reflect.set(guest, 'server', null)
	return guest
}

function portOf(server: Server): number {
	// A TCP server that listens has a port.
	return (server.address() as AddressInfo).port
}

function denied(message: string): Error {
	return Object.assign(new Error(message), { code: 'ERR_ACCESS_DENIED' })
}

/** What was refused on the way, and by no rule of the host. */
const ways: ReadonlySet<string> = new Set(['network/proxy_refused', 'network/ssh_failed'])

/** Returns a code for the driver: a HostError is a refusal; an error of Node keeps its own code. */
function codeOf(error: unknown): string {
	if (error instanceof HostError) return ways.has(error.code) ? 'ERR_PROXY' : 'ERR_ACCESS_DENIED'
	return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'ECONNABORTED'
}
