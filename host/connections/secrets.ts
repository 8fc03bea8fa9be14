import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { z } from 'zod'
import { readIfExists, writePrivateFile } from '../../base/atomic-file.ts'
import { JsonStore } from '../../base/json-store.ts'
import { rememberSecret } from '../../base/redaction.ts'
import { seal, unseal } from '../../base/sealing.ts'
import { secretErrors } from './errors.ts'

/** Stores the secrets of connections. Every secret that passes through is redacted from later messages and logs. */
export interface SecretStore {
	/** Describes the storage to the user. */
	readonly description: string
	get(key: string): Promise<string | undefined>
	set(key: string, secret: string): Promise<void>
	delete(key: string): Promise<void>
	/** Returns all keys. Absent if other support directories share the store, like a keychain. */
	keys?(): readonly string[]
}

const service = 'Roundhouse'

/** Returns the operating system's keychain, or `undefined` if it is not available (no secret service, no session). */
async function keychain(): Promise<SecretStore | undefined> {
	try {
		const { AsyncEntry } = await import('@napi-rs/keyring')
		const probe = new AsyncEntry(service, 'probe')
		await probe.setPassword('probe')
		await probe.deletePassword()
		return {
			description: "the operating system's keychain",
			get: async key => (await new AsyncEntry(service, key).getPassword()) ?? undefined,
			set: async (key, secret) => new AsyncEntry(service, key).setPassword(secret),
			delete: async key => void (await new AsyncEntry(service, key).deletePassword().catch(() => false)),
		}
	} catch {
		return undefined
	}
}

const fileSchema = z.object({
	version: z.literal(1),
	/** Description of the cipher that encrypted them. Another cipher cannot decrypt them. */
	sealedBy: z.string(),
	secrets: z.record(z.string(), z.string()),
})

/** Protects a secret at rest. */
interface Cipher {
	readonly description: string
	encrypt(plain: string): Promise<string>
	decrypt(sealed: string): Promise<string>
}

/** Returns an AES-256-GCM cipher whose key is in a file with mode 0600 next to the store. */
async function keyFileCipher(keyPath: string): Promise<Cipher> {
	let key = await readIfExists(keyPath)
	if (!key) {
		key = randomBytes(32)
		await writePrivateFile(keyPath, key)
	}
	const secretKey = key
	return {
		description: 'an encrypted file',
		encrypt: async plain => seal(plain, secretKey).toString('base64'),
		decrypt: async text => unseal(Buffer.from(text, 'base64'), secretKey),
	}
}

/** Opens a file of encrypted secrets. */
async function encryptedFile(path: string, cipher: Cipher): Promise<SecretStore> {
	const store = await JsonStore.open(path, fileSchema, { version: 1, sealedBy: cipher.description, secrets: {} })
	if (store.value.sealedBy !== cipher.description)
		throw secretErrors.make('sealed_elsewhere', { path, by: store.value.sealedBy })
	return {
		description: cipher.description,
		keys: () => Object.keys(store.value.secrets),
		get: async key => {
			const sealed = store.value.secrets[key]
			if (sealed === undefined) return undefined
			try {
				return await cipher.decrypt(sealed)
			} catch (error) {
				throw secretErrors.make('store_damaged', { path, reason: 'the key does not match' }, { cause: error })
			}
		},
		set: async (key, secret) => {
			const sealed = await cipher.encrypt(secret)
			await store.update(file => ({ ...file, secrets: { ...file.secrets, [key]: sealed } }))
		},
		delete: async key => {
			await store.update(file => {
				const { [key]: _, ...secrets } = file.secrets
				return { ...file, secrets }
			})
		},
	}
}

/** Returns the connection of a secret with the key `<connection>/<field>`. */
const connectionOf = (key: string) => key.split('/', 1)[0]

/** Wraps a store and registers every secret for redaction. */
function redacting(store: SecretStore): SecretStore {
	return {
		...store,
		get: async key => {
			const secret = await store.get(key)
			if (secret !== undefined) rememberSecret(secret, connectionOf(key))
			return secret
		},
		set: (key, secret) => {
			rememberSecret(secret, connectionOf(key))
			return store.set(key, secret)
		},
	}
}

/**
 * Opens the secret store: the keychain, or else an encrypted file with a key file. An existing file stays in use, so
 * that secrets are not lost if the keychain is only sometimes available. `ROUNDHOUSE_SECRETS=file` forces a file.
 * @throws HostError `secret/sealed_elsewhere`
 */
export async function openSecretStore(file: (name: string) => string): Promise<SecretStore> {
	const path = file('secrets.json')
	const wantsFile = process.env.ROUNDHOUSE_SECRETS === 'file' || existsSync(path)
	const system = wantsFile ? undefined : await keychain()
	return redacting(system ?? (await encryptedFile(path, await keyFileCipher(file('secrets.key')))))
}
