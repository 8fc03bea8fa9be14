import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * Format of access tokens: `rh_`, 32 random bytes in base62, and a checksum of six characters. With it, secret scanners
 * can recognize a token offline. 256 random bits need neither a salt nor a slow hash.
 */
const prefix = 'rh_'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 43
const checksumLength = 6

export function newToken(): string {
	const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength)
	return `${prefix}${secret}${checksum(secret)}`
}

/** Returns the digest by which a token is stored and looked up. The token itself is never compared. */
export function tokenDigest(token: string): string {
	return hash('sha256', token)
}

function checksum(secret: string): string {
	return base62(BigInt(crc32(secret)), checksumLength)
}

function base62(value: bigint, length: number): string {
	let text = ''
	for (let rest = value; rest > 0n; rest /= 62n) text = digits[Number(rest % 62n)] + text
	return text.padStart(length, '0')
}
