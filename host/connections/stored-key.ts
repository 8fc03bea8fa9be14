import { randomBytes } from 'node:crypto'
import type { SecretStore } from './secrets.ts'

/** A key of 32 bytes in the secret store. It is made at its first use. */
export class StoredKey {
	readonly #name: string
	readonly #secrets: Pick<SecretStore, 'get' | 'set'>
	#key: Promise<Buffer> | undefined

	constructor(name: string, secrets: Pick<SecretStore, 'get' | 'set'>) {
		this.#name = name
		this.#secrets = secrets
	}

	/** @throws what the store says. A store that was locked is asked again. */
	get(): Promise<Buffer> {
		this.#key ??= this.#read()
		this.#key.catch(() => {
			this.#key = undefined
		})
		return this.#key
	}

	async #read(): Promise<Buffer> {
		const known = await this.#secrets.get(this.#name)
		if (known !== undefined) return Buffer.from(known, 'base64')
		const fresh = randomBytes(32)
		await this.#secrets.set(this.#name, fresh.toString('base64'))
		return fresh
	}
}
