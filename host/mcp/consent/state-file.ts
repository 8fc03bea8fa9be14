import { z } from 'zod'
import { readIfExists, writePrivateFile } from '../../../base/atomic-file.ts'
import { seal, unseal } from '../../../base/sealing.ts'
import type { SecretStore } from '../../connections/secrets.ts'
import { StoredKey } from '../../connections/stored-key.ts'
import type { Expiry } from '../protocol/clock.ts'

const expirySchema = z.object({ at: z.number(), atElapsed: z.number() })
const fileSchema = z.object({
	signingKey: z.string(),
	used: z.array(z.object({ id: z.string(), expiry: expirySchema })),
})

/** What a host needs to know of states that an earlier one has signed. */
export interface KeptStates {
	/** 32 bytes in Base64. */
	readonly signingKey: string
	readonly used: readonly { readonly id: string; readonly expiry: Expiry }[]
}

/**
 * The key that signs states, and the states that were used, in one encrypted file. So a yes of the user is valid over a
 * restart of the host, and is valid once. Without the file the next host has a new key, and refuses states of this one.
 */
export class StateFile {
	readonly #path: string
	readonly #key: StoredKey

	constructor(path: string, secrets: Pick<SecretStore, 'get' | 'set'>) {
		this.#path = path
		this.#key = new StoredKey('call-states', secrets)
	}

	/** Returns `undefined` if there is no file, or it is not from this store of secrets. @throws what the store says */
	async read(): Promise<KeptStates | undefined> {
		const bytes = await readIfExists(this.#path)
		if (!bytes) return undefined
		const key = await this.#key.get()
		try {
			return fileSchema.parse(JSON.parse(unseal(bytes, key)))
		} catch {
			return undefined
		}
	}

	async write(kept: KeptStates): Promise<void> {
		await writePrivateFile(this.#path, seal(JSON.stringify(kept), await this.#key.get()))
	}
}
