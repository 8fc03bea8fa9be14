import { Agent } from 'node:http'
import type { Duplex } from 'node:stream'
import { connectProven } from '../../../base/proven-socket.ts'
import { endpointPath } from '../wire/handshake-file.ts'

/** The port of the endpoint, and the token that it must know. */
export interface Address {
	readonly port: number
	readonly token: string
}

/** Opens a verified connection to the endpoint. @throws NotTheHostError; Error of the socket */
export const connectToEndpoint = ({ port, token }: Address) =>
	connectProven({ port, path: endpointPath, secret: token })

/** An agent with keep-alive connections to one host. Each is verified before anything is sent. */
export class ProvenAgent extends Agent {
	readonly #address: Address

	constructor(address: Address) {
		// `maxSockets` would have no effect: Node counts a socket only when it is open, and the verification takes a
		// moment.
		super({ keepAlive: true })
		this.#address = address
	}

	override createConnection(_options: unknown, done?: (error: Error | null, socket: Duplex) => void): undefined {
		const failed = (error: Error) => (done as ((error: Error) => void) | undefined)?.(error)
		connectToEndpoint(this.#address).then(socket => done?.(null, socket), failed)
	}
}
