import { X509Certificate } from 'node:crypto'
import { type DetailedPeerCertificate, TLSSocket } from 'node:tls'
import { type Connect, DriverError } from '@roundhouse/kit'
import { undiciConnect } from '@roundhouse/kit/http'
import type { buildConnector } from 'undici'

/** The contract's five SSL modes, as the form names them. */
export const sslModes = ['Disabled', 'Preferred', 'Required (skip verify)', 'Verify CA', 'Verify Identity'] as const
export type SslMode = (typeof sslModes)[number]

export interface TlsFields {
	readonly sslMode: SslMode
	/** Overrides both Verify modes. A fingerprint is still compared, because a user who pins a certificate wants that. */
	readonly skipTlsVerify: boolean
	/** PEM. Empty means the authorities that Node trusts. */
	readonly ca: string
	readonly clientCert: string
	readonly clientKey: string
	readonly clientKeyPassphrase: string
	readonly certFingerprint: string
}

/** Returns a connector that opens sockets with the checks of the SSL mode. */
export function connectorFor(fields: TlsFields, timeoutMs: number, open: Connect): buildConnector.connector {
	if (fields.sslMode === 'Disabled') return undiciConnect(open, { timeout: timeoutMs })
	const fingerprint = readFingerprint(fields.certFingerprint)
	const isVerifying = fields.sslMode.startsWith('Verify') && !fields.skipTlsVerify
	const checksName = fields.sslMode === 'Verify Identity' && isVerifying
	// Without a CA file, a pinned certificate proves itself, because no authority has signed a new cluster's certificate.
	const checksChain = isVerifying && (fingerprint === undefined || fields.ca !== '')
	const connect = undiciConnect(open, {
		timeout: timeoutMs,
		rejectUnauthorized: checksChain,
		...(fields.ca !== '' && { ca: fields.ca }),
		...(fields.clientCert !== '' && { cert: fields.clientCert }),
		...(fields.clientKey !== '' && { key: fields.clientKey }),
		...(fields.clientKeyPassphrase !== '' && { passphrase: fields.clientKeyPassphrase }),
		...(!checksName && { checkServerIdentity: () => undefined }),
		// A resumed session has no certificate chain, so a pinned connection always uses a full handshake.
		...(fingerprint !== undefined && { maxCachedSessions: 0 }),
	})
	return fingerprint === undefined ? connect : pinned(connect, { fingerprint, checksName, checksDates: isVerifying })
}

interface Pin {
	/** SHA-256 in upper-case hexadecimal digits. */
	readonly fingerprint: string
	readonly checksName: boolean
	readonly checksDates: boolean
}

function pinned(connect: buildConnector.connector, pin: Pin): buildConnector.connector {
	return (options, callback) =>
		connect(options, (...[error, socket]) => {
			if (error !== null) return callback(error, null)
			const chain = socket instanceof TLSSocket ? chainOf(socket.getPeerCertificate(true)) : []
			const problem = pinProblem(chain, pin, options.hostname)
			if (problem === undefined) return callback(null, socket)
			socket.destroy()
			callback(Object.assign(new Error(problem), { code: 'PIN_MISMATCH' }), null)
		})
}

/**
 * Searches the pinned certificate in the server's chain. Each link's signature is verified, because anyone can send a
 * copy of a public CA certificate after their own leaf.
 */
function pinProblem(chain: readonly X509Certificate[], pin: Pin, hostname: string): string | undefined {
	const leaf = chain[0]
	if (leaf === undefined) return 'the server sent no certificate'
	const host = hostname.replace(/^\[|\]$/g, '')
	if (pin.checksName && leaf.checkHost(host) === undefined && leaf.checkIP(host) === undefined) {
		return `the certificate is not for ${host} (it names ${leaf.subjectAltName ?? 'no host'})`
	}
	if (pin.checksDates && leaf.validToDate.getTime() < Date.now()) return `the certificate expired on ${leaf.validTo}`
	for (const [index, certificate] of chain.entries()) {
		if (certificate.fingerprint256.replaceAll(':', '') === pin.fingerprint) return undefined
		const issuer = chain[index + 1]
		if (issuer === undefined || !certificate.verify(issuer.publicKey)) break
	}
	return `no certificate of the server has the entered fingerprint (the fingerprint of the server is ${leaf.fingerprint256})`
}

function chainOf(leaf: DetailedPeerCertificate): X509Certificate[] {
	const chain: X509Certificate[] = []
	const seen = new Set<string>()
	let next: DetailedPeerCertificate | undefined = leaf
	while (next?.raw !== undefined && !seen.has(next.fingerprint256)) {
		seen.add(next.fingerprint256)
		chain.push(new X509Certificate(next.raw))
		next = next.issuerCertificate
	}
	return chain
}

function readFingerprint(text: string): string | undefined {
	const digits = text.replaceAll(/[:\s]/g, '').toUpperCase()
	if (digits === '') return undefined
	if (/^[0-9A-F]{64}$/.test(digits)) return digits
	throw new DriverError(
		'invalid_argument',
		'Connection failed: the certificate fingerprint must be SHA-256: 64 hexadecimal digits.',
	)
}
