import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connectProven } from '../../../base/proven-socket.ts'
import { endpointPath } from '../wire/handshake-file.ts'

/** The port of the endpoint, and the token that it must know. */
export interface Address {
	readonly port: number
	readonly token: string
}

/** No verified connection was made, so nothing was sent. */
export class NotConnectedError extends Error {
	override readonly name = 'NotConnectedError'
}

/** Opens a verified connection to the endpoint. @throws NotConnectedError */
export async function connectToEndpoint({ port, token }: Address): Promise<Socket> {
	try {
		const socket = await connectProven({ port, path: endpointPath, secret: token })
		// The agent listens only once it uses the connection.
		return socket.on('error', () => {})
	} catch (error) {
		throw new NotConnectedError((error as Error).message, { cause: error })
	}
}

/** An agent with keep-alive connections to one host. Each is verified before anything is sent. */
export class ProvenAgent extends Agent {
	readonly #address: Address
	/** The connection that the host was found with, for the first request. */
	#first: Socket | undefined

	constructor(address: Address, first: Socket) {
		// `maxSockets` would have no effect: Node counts a socket only when it is open, and the verification takes a
		// moment.
		super({ keepAlive: true })
		this.#address = address
		// Like the agent's idle connections, it does not keep this process running.
		this.#first = first.unref()
	}

	override createConnection(
		_options: unknown,
		done?: (error: Error | null, socket: Duplex) => void,
	): Duplex | undefined {
		const first = this.#first
		this.#first = undefined
		if (first && !first.destroyed) return first.ref()
		const failed = (error: Error) => (done as ((error: Error) => void) | undefined)?.(error)
		connectToEndpoint(this.#address).then(socket => done?.(null, socket), failed)
		return undefined
	}
}
