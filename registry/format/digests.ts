import { createHash } from 'node:crypto'

/**
 * Returns a registry's fingerprint, which a host pins: the SHA-256 of the bytes of its first root, in hexadecimal
 * digits.
 */
export function fingerprintOf(firstRoot: Uint8Array): string {
	return createHash('sha256').update(firstRoot).digest('hex')
}

/** Returns the digest by which a registry names and compares everything it lists: SHA-512, in hexadecimal digits. */
export function sha512Of(data: string | Uint8Array): string {
	return createHash('sha512').update(data).digest('hex')
}
