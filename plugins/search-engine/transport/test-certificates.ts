import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/**
 * X.509 certificates for the TLS tests, made on the spot: Node can read certificates and not make them. DER by hand,
 * as far as RFC 5280 needs it for an EC key, a validity, a name, and who may sign.
 */

export interface Certificate {
	/** PEM. */
	readonly cert: string
	/** PEM. */
	readonly key: string
	/** SHA-256 with colons, as Elasticsearch prints it. */
	readonly fingerprint: string
	readonly name: string
	readonly privateKey: KeyObject
}

export interface CertificateOptions {
	readonly name: string
	/** Left out: signs itself. */
	readonly issuer?: Certificate
	readonly isAuthority?: boolean
	readonly hosts?: readonly string[]
	readonly addresses?: readonly string[]
	readonly from?: Date
	readonly until?: Date
}

const day = 86_400_000

export function makeCertificate(options: CertificateOptions): Certificate {
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
	const from = options.from ?? new Date(Date.now() - day)
	const until = options.until ?? new Date(Date.now() + day)
	const body = sequence(
		tagged(0xa0, integer(Buffer.from([2]))),
		integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
		ecdsaWithSha256,
		nameOf(options.issuer?.name ?? options.name),
		sequence(time(from), time(until)),
		nameOf(options.name),
		publicKey.export({ type: 'spki', format: 'der' }),
		tagged(0xa3, sequence(...extensionsOf(options))),
	)
	const signature = sign('sha256', body, options.issuer?.privateKey ?? privateKey)
	const der = sequence(body, ecdsaWithSha256, bits(signature))
	return {
		cert: pem('CERTIFICATE', der),
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
		fingerprint: createHash('sha256')
			.update(der)
			.digest('hex')
			.toUpperCase()
			.replaceAll(/(..)(?=.)/g, '$1:'),
		name: options.name,
		privateKey,
	}
}

function extensionsOf({ isAuthority = false, hosts = [], addresses = [] }: CertificateOptions): Buffer[] {
	const names = [
		...hosts.map(host => tagged(0x82, Buffer.from(host))),
		...addresses.map(address => tagged(0x87, Buffer.from(address.split('.').map(Number)))),
	]
	return [
		extension('551d13', isAuthority ? sequence(Buffer.from('0101ff', 'hex')) : sequence()),
		...(names.length > 0 ? [extension('551d11', sequence(...names))] : []),
	]
}

function extension(id: string, value: Buffer): Buffer {
	return sequence(object(id), tagged(0x04, value))
}

const ecdsaWithSha256 = sequence(object('2a8648ce3d040302'))

function nameOf(name: string): Buffer {
	return sequence(tagged(0x31, sequence(object('550403'), tagged(0x0c, Buffer.from(name)))))
}

function time(date: Date): Buffer {
	return tagged(0x18, Buffer.from(date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')))
}

function object(hex: string): Buffer {
	return tagged(0x06, Buffer.from(hex, 'hex'))
}

function integer(bytes: Buffer): Buffer {
	return tagged(0x02, bytes)
}

function bits(bytes: Buffer): Buffer {
	return tagged(0x03, Buffer.concat([Buffer.from([0]), bytes]))
}

function sequence(...parts: readonly Buffer[]): Buffer {
	return tagged(0x30, Buffer.concat(parts))
}

function tagged(tag: number, content: Buffer): Buffer {
	const { length } = content
	const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
	return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function pem(label: string, der: Buffer): string {
	const lines = der.toString('base64').replaceAll(/(.{64})(?=.)/g, '$1\n')
	return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`
}
