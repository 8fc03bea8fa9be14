import { createHash } from 'node:crypto'

/** What a host pins of a registry: the SHA-256 of the bytes of its first root, in hexadecimal digits. */
export function fingerprintOf(firstRoot: Uint8Array): string {
	return createHash('sha256').update(firstRoot).digest('hex')
}

/** How everything that a registry lists is named and compared: SHA-512, in hexadecimal digits. */
export function sha512Of(data: string | Uint8Array): string {
	return createHash('sha512').update(data).digest('hex')
}
