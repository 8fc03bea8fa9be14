import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/**
 * Lets a program verify that it talks to the host before it sends anything secret. It sends a challenge that only a
 * holder of the shared secret can answer. The bridge verifies the MCP endpoint so, and a command the host API.
 */

/** Headers of `OPTIONS`: the challenge and its answer. */
export const challengeHeader = 'roundhouse-challenge'
export const proofHeader = 'roundhouse-proof'
const challengePattern = /^[A-Za-z0-9_-]{43}$/

/**
 * Returns the answer to a challenge. The answer reveals nothing about the secret. The answer depends on the port. A
 * program on another port therefore cannot relay the challenge to the host and send the answer back.
 */
export function proofOf(secret: string, port: number, challenge: string): string {
	return createHmac('sha256', secret).update(`roundhouse-proof ${port} ${challenge}`).digest('base64url')
}

/** Returns the header that proves the host's identity, or no header if the request has no valid challenge. */
export function proofHeaders(
	secret: string,
	port: number,
	challenge: string | string[] | undefined,
): Readonly<Record<string, string>> {
	if (typeof challenge !== 'string' || !challengePattern.test(challenge)) return {}
	return { [proofHeader]: proofOf(secret, port, challenge) }
}

/** Where a program expects the host: the port, the path that takes challenges, and the shared secret. */
export interface ProvenAddress {
	readonly port: number
	readonly path: string
	readonly secret: string
}

const timeoutMs = 2000
const maxHeadBytes = 16 * 1024

/** The program on the port does not know the secret or does not answer. Only the challenge was sent to it. */
class NotTheHostError extends Error {
	override readonly name = 'NotTheHostError'
	readonly code = 'ENOTTHEHOST'
}

/**
 * Connects, and requires the server to prove on the same connection that it knows the secret. Every connection needs a
 * proof, because another program can take over the host's port between two connections.
 * @throws NotTheHostError; Error of the socket
 */
export function connectProven({ port, path, secret }: ProvenAddress): Promise<Socket> {
	const { promise, resolve, reject } = Promise.withResolvers<Socket>()
	const challenge = randomBytes(32).toString('base64url')
	const socket = connect(port, '127.0.0.1')
	const fail = (error: Error) => {
		socket.destroy()
		reject(error)
	}
	const refuse = () => fail(new NotTheHostError('Another program is listening on the port of Roundhouse.'))
	const timer = setTimeout(refuse, timeoutMs)
	let head = ''
	const onData = (chunk: Buffer) => {
		head += chunk.toString('latin1')
		const end = head.indexOf('\r\n\r\n')
		if (end < 0 && head.length < maxHeadBytes) return
		clearTimeout(timer)
		socket.off('data', onData).off('error', fail).off('close', refuse)
		// The client requested nothing beyond the head, so more bytes mean another program.
		const isProved = end === head.length - 4 && proves(head, proofOf(secret, port, challenge))
		if (isProved) resolve(socket)
		else refuse()
	}
	socket.on('data', onData).on('error', fail).on('close', refuse)
	socket.once('close', () => clearTimeout(timer))
	socket.write(`OPTIONS ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${challengeHeader}: ${challenge}\r\n\r\n`)
	return promise
}

function proves(head: string, expected: string): boolean {
	const proof = new RegExp(`^${proofHeader}: *([\\w-]+)\\r?$`, 'im').exec(head)?.[1] ?? ''
	return proof.length === expected.length && timingSafeEqual(Buffer.from(proof), Buffer.from(expected))
}
