import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * Access tokens: `rh_`, 32 random bytes in base62, and six characters of checksum, so that secret scanners can find
 * one without asking us. 256 random bits need neither salt nor a slow hash.
 */
const prefix = 'rh_'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 43
const checksumLength = 6

export function newToken(): string {
	const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength)
	return `${prefix}${secret}${checksum(secret)}`
}

/** What is stored of a token, and what it is looked up by: no comparison ever touches the token itself. */
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
