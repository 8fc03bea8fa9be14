import { Agent } from 'node:http'
import type { Duplex } from 'node:stream'
import { connectProven } from '../../base/proven-socket.ts'
import { endpointPath } from '../wire/handshake-file.ts'

/** Where the endpoint listens, and the token that it must know. */
export interface Address {
	readonly port: number
	readonly token: string
}

/** A connection to the endpoint, proved. @throws NotTheHostError; Error of the socket */
export const connectToEndpoint = ({ port, token }: Address) =>
	connectProven({ port, path: endpointPath, secret: token })

/** Keeps connections to one host, each of them proved before anything is sent on it. */
export class ProvenAgent extends Agent {
	readonly #address: Address

	constructor(address: Address) {
		// `maxSockets` would say nothing here: Node counts a socket when it is there, and these take a moment to prove.
		super({ keepAlive: true })
		this.#address = address
	}

	override createConnection(_options: unknown, done?: (error: Error | null, socket: Duplex) => void): undefined {
		const failed = (error: Error) => (done as ((error: Error) => void) | undefined)?.(error)
		connectToEndpoint(this.#address).then(socket => done?.(null, socket), failed)
	}
}
