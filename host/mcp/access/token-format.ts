import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * Access tokens: `rh_`, 32 random bytes in base62, and six characters of checksum, so that secret scanners can find
 * one without asking us. 256 random bits need neither salt nor a slow hash.
 */
const prefix = 'rh_'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 43
const checksumLength = 6
const shape = new RegExp(`^${prefix}([0-9A-Za-z]{${secretLength}})([0-9A-Za-z]{${checksumLength}})$`)

export function newToken(): string {
	const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength)
	return `${prefix}${secret}${checksum(secret)}`
}

/** Whether the text has the form of a token and its checksum fits. */
export function isToken(text: string): boolean {
	const [, secret, sum] = shape.exec(text) ?? []
	return secret !== undefined && checksum(secret) === sum
}

/** What is stored of a token, and what it is looked up by: no comparison ever touches the token itself. */
export function tokenDigest(token: string): string {
	return createHash('sha256').update(token).digest('hex')
}

function checksum(secret: string): string {
	return base62(BigInt(crc32(secret)), checksumLength)
}

function base62(value: bigint, length: number): string {
	let text = ''
	for (let rest = value; rest > 0n; rest /= 62n) text = digits[Number(rest % 62n)] + text
	return text.padStart(length, '0')
}
