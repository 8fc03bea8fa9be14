import { randomBytes, timingSafeEqual } from 'node:crypto'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { challengeHeader, proofHeader, proofOf } from './handshake-file.ts'

/** Who listens on the port, and what it must know. */
export interface Address {
	readonly port: number
	readonly token: string
}

const patienceMs = 2000
const longestHead = 16 * 1024

/** Whoever listens there does not know the token, or says nothing. Nothing of ours was shown to it. */
class NotTheHostError extends Error {
	override readonly name = 'NotTheHostError'
	readonly code = 'ENOTTHEHOST'
}

/**
 * Connects, and has the other end prove on this very connection that it knows the token. A port that was the host's a
 * moment ago may be anybody's now, so what was proved on one connection says nothing of the next.
 * @throws NotTheHostError; Error of the socket
 */
export function connectProven({ port, token }: Address): Promise<Socket> {
	const { promise, resolve, reject } = Promise.withResolvers<Socket>()
	const challenge = randomBytes(32).toString('base64url')
	const socket = connect(port, '127.0.0.1')
	const fail = (error: Error) => {
		socket.destroy()
		reject(error)
	}
	const distrust = () => fail(new NotTheHostError('Another program listens on the port of Roundhouse.'))
	const timer = setTimeout(distrust, patienceMs)
	let head = ''
	const onData = (chunk: Buffer) => {
		head += chunk.toString('latin1')
		const end = head.indexOf('\r\n\r\n')
		if (end < 0 && head.length < longestHead) return
		clearTimeout(timer)
		socket.off('data', onData).off('error', fail).off('close', distrust)
		// Beyond the head nobody was asked for anything.
		const isProved = end === head.length - 4 && proves(head, proofOf(token, port, challenge))
		if (isProved) resolve(socket)
		else distrust()
	}
	socket.on('data', onData).on('error', fail).on('close', distrust)
	socket.once('close', () => clearTimeout(timer))
	socket.write(`OPTIONS /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${challengeHeader}: ${challenge}\r\n\r\n`)
	return promise
}

function proves(head: string, expected: string): boolean {
	const proof = new RegExp(`^${proofHeader}: *([\\w-]+)\\r?$`, 'im').exec(head)?.[1] ?? ''
	return proof.length === expected.length && timingSafeEqual(Buffer.from(proof), Buffer.from(expected))
}

/** Keeps connections to one host, each of them proved before anything is sent on it. */
export class ProvenAgent extends Agent {
	readonly #address: Address

	constructor(address: Address) {
		// Answers may wait for a person; the endpoint's own deadline comes first.
		super({ keepAlive: true, maxSockets: 48 })
		this.#address = address
	}

	override createConnection(_options: unknown, done?: (error: Error | null, socket: Duplex) => void): undefined {
		const failed = (error: Error) => (done as ((error: Error) => void) | undefined)?.(error)
		connectProven(this.#address).then(socket => done?.(null, socket), failed)
	}
}
