import { createHash } from 'node:crypto'

/** What a host pins of a registry: the SHA-256 of the bytes of its first root, in hexadecimal digits. */
export function fingerprintOf(firstRoot: Uint8Array): string {
	return createHash('sha256').update(firstRoot).digest('hex')
}
