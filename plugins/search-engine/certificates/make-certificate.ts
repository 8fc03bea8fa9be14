import 'reflect-metadata'
import { createHash, webcrypto } from 'node:crypto'
import {
	BasicConstraintsExtension,
	type Extension,
	PemConverter,
	SubjectAlternativeNameExtension,
	X509CertificateGenerator,
} from '@peculiar/x509'

/** Creates X.509 certificates for the TLS tests, because Node can read certificates but not create them. */

export interface Certificate {
	/** PEM. */
	readonly cert: string
	/** PEM. */
	readonly key: string
	/** SHA-256 with colons, as Elasticsearch prints it. */
	readonly fingerprint: string
	readonly name: string
	readonly privateKey: webcrypto.CryptoKey
}

export interface CertificateOptions {
	readonly name: string
	/** If absent, self-signed. */
	readonly issuer?: Pick<Certificate, 'name' | 'privateKey'>
	readonly isAuthority?: boolean
	readonly hosts?: readonly string[]
	readonly addresses?: readonly string[]
	readonly from?: Date
	readonly until?: Date
}

const day = 86_400_000
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

export async function makeCertificate(options: CertificateOptions): Promise<Certificate> {
	const { publicKey, privateKey } = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
	const made = await X509CertificateGenerator.create({
		subject: `CN=${options.name}`,
		issuer: `CN=${options.issuer?.name ?? options.name}`,
		publicKey,
		signingKey: options.issuer?.privateKey ?? privateKey,
		signingAlgorithm: algorithm,
		notBefore: options.from ?? new Date(Date.now() - day),
		notAfter: options.until ?? new Date(Date.now() + day),
		extensions: extensionsOf(options),
	})
	const digest = createHash('sha256').update(Buffer.from(made.rawData)).digest('hex').toUpperCase()
	return {
		cert: `${made.toString('pem')}\n`,
		key: PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY'),
		fingerprint: digest.replaceAll(/(..)(?=.)/g, '$1:'),
		name: options.name,
		privateKey,
	}
}

function extensionsOf({ isAuthority = false, hosts = [], addresses = [] }: CertificateOptions): Extension[] {
	const names = [
		...hosts.map(value => ({ type: 'dns', value }) as const),
		...addresses.map(value => ({ type: 'ip', value }) as const),
	]
	return [
		new BasicConstraintsExtension(isAuthority),
		...(names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : []),
	]
}
