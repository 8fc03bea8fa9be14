import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/**
 * How a program makes sure that it talks to the host before it shows it anything: by a challenge that only someone who
 * knows the secret of the two can answer. The bridge asks the endpoint so, and a command the host API.
 */

/** Headers of `OPTIONS`: the challenge, and its answer. */
export const challengeHeader = 'roundhouse-challenge'
export const proofHeader = 'roundhouse-proof'
const challengePattern = /^[A-Za-z0-9_-]{43}$/

/**
 * The answer to a challenge; it gives nothing of the secret away. The port is part of it, so that nobody on another
 * port can pass the challenge on to the host and the host's answer back.
 */
export function proofOf(secret: string, port: number, challenge: string): string {
	return createHmac('sha256', secret).update(`roundhouse-proof ${port} ${challenge}`).digest('base64url')
}

/** The host's side: the header that proves it; none where that was no challenge. */
export function proofHeaders(
	secret: string,
	port: number,
	challenge: string | string[] | undefined,
): Readonly<Record<string, string>> {
	if (typeof challenge !== 'string' || !challengePattern.test(challenge)) return {}
	return { [proofHeader]: proofOf(secret, port, challenge) }
}

/** Who listens on the port, where it takes challenges, and what it must know. */
export interface ProvenAddress {
	readonly port: number
	readonly path: string
	readonly secret: string
}

const patienceMs = 2000
const longestHead = 16 * 1024

/** Whoever listens there does not know the secret, or says nothing. Nothing of ours was shown to it. */
class NotTheHostError extends Error {
	override readonly name = 'NotTheHostError'
	readonly code = 'ENOTTHEHOST'
}

/**
 * Connects, and has the other end prove on this very connection that it knows the secret. A port that was the host's a
 * moment ago may be anybody's now, so what was proved on one connection says nothing of the next.
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
		const isProved = end === head.length - 4 && proves(head, proofOf(secret, port, challenge))
		if (isProved) resolve(socket)
		else distrust()
	}
	socket.on('data', onData).on('error', fail).on('close', distrust)
	socket.once('close', () => clearTimeout(timer))
	socket.write(`OPTIONS ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${challengeHeader}: ${challenge}\r\n\r\n`)
	return promise
}

function proves(head: string, expected: string): boolean {
	const proof = new RegExp(`^${proofHeader}: *([\\w-]+)\\r?$`, 'im').exec(head)?.[1] ?? ''
	return proof.length === expected.length && timingSafeEqual(Buffer.from(proof), Buffer.from(expected))
}
