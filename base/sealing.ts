import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** AES-256-GCM. Sealed bytes are a nonce of 12 bytes, a tag of 16, and what is encrypted. */

const algorithm = 'aes-256-gcm'

/** Encrypts a text. @param boundTo what must be given again to open it, for example the name of its file */
export function seal(text: string, key: Buffer, boundTo = ''): Buffer {
	const nonce = randomBytes(12)
	const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(boundTo))
	const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
	return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Decrypts what {@link seal} returned. @throws Error if the key or `boundTo` is another one, or a byte was changed */
export function unseal(bytes: Buffer, key: Buffer, boundTo = ''): string {
	const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, 12)).setAAD(Buffer.from(boundTo))
	decipher.setAuthTag(bytes.subarray(12, 28))
	return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}
