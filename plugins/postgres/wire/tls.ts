import { once } from 'node:events'
import { isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import type { Tls } from '../settings.ts'

/** The request for TLS, before the login: length 8 and the code 80877103. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/**
 * Asks the server for TLS and returns the encrypted socket, or `undefined` if the server has none.
 * @throws Error of the handshake
 */
export async function encrypted(
	socket: Socket,
	{ tls, host }: { readonly tls: Tls; readonly host: string },
	signal: AbortSignal,
): Promise<TLSSocket | undefined> {
	socket.write(sslRequest)
	const answer = await firstBytes(socket, signal)
	// Such as too many clients.
	if (answer[0] === 'E'.charCodeAt(0)) throw new Error(messageIn(answer))
	// More than this byte is data that was sent before the encryption: an attack (CVE-2021-23222).
	if (answer.length !== 1) throw new Error('the server sent data before the encryption')
	if (answer[0] === 'N'.charCodeAt(0)) return undefined
	if (answer[0] !== 'S'.charCodeAt(0)) throw new Error('the server does not speak the protocol of PostgreSQL')
	socket.removeAllListeners('data')
	const secure = connectTls({ ...optionsOf(tls, host), socket })
	await once(secure, 'secureConnect', { signal })
	return secure
}

/** @throws Error if the server closes the connection instead */
async function firstBytes(socket: Socket, signal: AbortSignal): Promise<Buffer> {
	const over = new AbortController()
	const options = { signal: AbortSignal.any([signal, over.signal]) }
	const closed = once(socket, 'close', options).then(() => {
		throw new Error('the server closed the connection')
	})
	try {
		const [bytes] = (await Promise.race([once(socket, 'data', options), closed])) as [Buffer]
		return bytes
	} finally {
		over.abort()
	}
}

/** Returns the message of an error of the protocol: fields of a letter and a text, each with a zero byte at its end. */
function messageIn(error: Buffer): string {
	const fields = error.subarray(5).toString('utf8').split('\0')
	return fields.find(field => field.startsWith('M'))?.slice(1) ?? 'the server refused the connection'
}

function optionsOf({ mode, ca, cert, key, passphrase }: Tls, host: string): ConnectionOptions {
	const isVerifying = mode === 'verify-ca' || mode === 'verify-full'
	return {
		host,
		ALPNProtocols: ['postgresql'],
		rejectUnauthorized: isVerifying,
		...(isIP(host) === 0 && { servername: host }),
		...(ca !== '' && { ca }),
		...(cert !== '' && { cert }),
		...(key !== '' && { key }),
		...(passphrase !== '' && { passphrase }),
		...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
	}
}
