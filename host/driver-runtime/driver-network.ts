import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Address } from '@roundhouse/kit'
import type { DriverMessage, HostMessage } from '@roundhouse/kit/wire/messages'
import { HostError } from '../base/errors.ts'
import type { SocketChannel } from './socket-channel.ts'

/** Opens a paused connection where that is allowed; throws with Node's `code`, or a HostError. */
export interface Reaching {
	dial(
		address: Address,
		options: { readonly signal: AbortSignal; readonly timeoutMs?: number | undefined },
	): Promise<Socket>
	close(): void
}

/** What one process may have under way at once. */
const mostDials = 256
const mostListeners = 4
/** Guests that are accepted faster than the driver takes them. */
const mostWaiting = 256

type NetworkMessage = Extract<DriverMessage, { readonly kind: 'dial' | 'listen' | 'letGo' }>

/**
 * The network of one driver process: it has none of its own. Sockets are opened here for the connections it was asked to
 * make, each within what that connection may reach; and places to listen, for a process that runs a sample.
 */
export class DriverNetwork {
	readonly #sockets: Pick<SocketChannel, 'pass'>
	readonly #send: (message: HostMessage) => void
	readonly #reaches = new Map<number, { readonly reaching: Reaching; readonly closing: AbortController }>()
	readonly #dials = new Map<number, AbortController>()
	readonly #servers = new Map<number, Server>()
	#lastReach = 0
	/** Where the process may listen, beside what the kernel picks; `undefined` where it may not. */
	#givenPort: number | undefined
	#isClosed = false

	constructor(sockets: Pick<SocketChannel, 'pass'>, send: (message: HostMessage) => void) {
		this.#sockets = sockets
		this.#send = send
	}

	/** Lets the process reach something more. @returns what it asks with, until {@link closeReach} */
	openReach(reaching: Reaching): number {
		this.#reaches.set(++this.#lastReach, { reaching, closing: new AbortController() })
		return this.#lastReach
	}

	closeReach(reach: number): void {
		const found = this.#reaches.get(reach)
		this.#reaches.delete(reach)
		found?.closing.abort(new Error('The connection was closed.'))
		found?.reaching.close()
	}

	/** From now on the process may serve others on loopback, on this port or one that the kernel picks. */
	allowListening(port = 0): void {
		this.#givenPort = port
	}

	/** The ports that it serves. */
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
				this.#dials.get(message.id)?.abort(new Error('Nobody waits any more.'))
				this.#servers.get(message.id)?.close()
				this.#servers.delete(message.id)
		}
	}

	/** The process has ended. What it had said before may still arrive. */
	close(): void {
		this.#isClosed = true
		for (const reach of this.#reaches.keys()) this.closeReach(reach)
		for (const server of this.#servers.values()) server.close()
		this.#servers.clear()
	}

	async #dial({ id, reach, host, port, timeoutMs }: Extract<NetworkMessage, { kind: 'dial' }>): Promise<void> {
		const found = this.#reaches.get(reach)
		if (!found) return this.#failed(id, denied('This connection is closed.'))
		if (this.#dials.has(id) || this.#dials.size >= mostDials) {
			return this.#failed(id, Object.assign(new Error('Too many connections are being opened.'), { code: 'EMFILE' }))
		}
		const letGo = new AbortController()
		this.#dials.set(id, letGo)
		const signal = AbortSignal.any([letGo.signal, found.closing.signal])
		try {
			const socket = await found.reaching.dial({ host, port }, { signal, timeoutMs })
			if (signal.aborted) {
				socket.destroy()
				throw signal.reason
			}
			const isPassed = await this.#sockets.pass({ id }, socket)
			if (!isPassed) throw Object.assign(new Error('The connection was lost as it was opened.'), { code: 'ECONNRESET' })
		} catch (error) {
			if (!letGo.signal.aborted) this.#failed(id, error)
		} finally {
			this.#dials.delete(id)
		}
	}

	#listen({ id, port = 0 }: Extract<NetworkMessage, { kind: 'listen' }>): void {
		if (this.#givenPort === undefined || this.#isClosed) return this.#failed(id, denied('Only a sample may listen.'))
		if (port !== 0 && port !== this.#givenPort) return this.#failed(id, denied('A sample listens where it is told.'))
		if (this.#servers.has(id) || this.#servers.size >= mostListeners) {
			return this.#failed(id, denied(`A sample may listen on ${mostListeners} ports.`))
		}
		let waiting = 0
		const server = createServer({ pauseOnConnect: true }, async guest => {
			if (waiting >= mostWaiting) return void guest.destroy()
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
 * Node keeps book of which process has a server's sockets, by messages of the processes; here none says anything. What is
 * nobody's server's is not in the books.
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

/** Ours are refusals; Node's keep their own. */
function codeOf(error: unknown): string {
	if (error instanceof HostError) return error.code === 'network/proxy_refused' ? 'ERR_PROXY' : 'ERR_ACCESS_DENIED'
	return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'ECONNABORTED'
}
