import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { Tls } from '../settings.ts'
import type { WireConnection } from './protocol.ts'

/** A failure of the handshake, after which `PREFERRED` logs in without TLS. */
export class TlsError extends Error {}

/**
 * Makes a connection encrypt its socket as the SSL mode demands, once the server has taken the request for TLS. mysql2's own
 * function compares the certificate with `localhost` if the host is an IP address, and keeps what was sent before.
 */
export function encryptBy(connection: WireConnection, plain: Duplex, { tls, host }: { tls: Tls; host: string }): void {
	let received = 0
	let greeting: number | undefined
	plain.prependListener('data', (data: Buffer) => {
		received += data.length
		// Three bytes of length, and one for the number of the packet.
		if (data.length >= 3) greeting ??= data.readUIntLE(0, 3) + 4
	})
	connection.startTLS = done => {
		// What follows the greeting was sent before the encryption, by the server or by an attacker (CVE-2021-23222).
		if (received !== greeting) return done(new Error('the server sent data before the encryption'))
		plain.removeAllListeners('data')
		let isSecure = false
		const secure = connectTls({ ...optionsOf(tls, host), socket: plain }, () => {
			isSecure = true
			done()
		})
		secure.on('error', (error: Error) => {
			if (isSecure) plain.destroy(error)
			else done(tls.mode === 'PREFERRED' ? new TlsError(error.message, { cause: error }) : error)
		})
		secure.on('data', (data: Buffer) => connection.packetParser.execute(data))
		connection.stream = secure
	}
}

function optionsOf({ mode, ca, cert, key, passphrase }: Tls, host: string): ConnectionOptions {
	return {
		host,
		rejectUnauthorized: mode === 'VERIFY_CA' || mode === 'VERIFY_IDENTITY',
		...(isIP(host) === 0 && { servername: host }),
		...(ca !== '' && { ca }),
		...(cert !== '' && { cert }),
		...(key !== '' && { key }),
		...(passphrase !== '' && { passphrase }),
		...(mode !== 'VERIFY_IDENTITY' && { checkServerIdentity: () => undefined }),
	}
}
