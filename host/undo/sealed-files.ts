import { randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists, writePrivateFile } from '../../base/atomic-file.ts'
import { KeyedMutex } from '../../base/keyed-mutex.ts'
import { seal, unseal } from '../../base/sealing.ts'
import type { SecretStore } from '../connections/secrets.ts'
import { StoredKey } from '../connections/stored-key.ts'

/**
 * Encrypted files, in a folder for each connection. The key is a secret of the secret store; names and contents of the
 * files say nothing about the data. A file ends after 30 days, and the oldest ones end when all are too large.
 */

const retentionMs = 30 * 24 * 3600 * 1000
const mostBytes = 200 * 1024 * 1024
const keyName = 'replaced-rows'
const nameForm = /^[0-9a-f]{32}$/

export interface SealedFilesOptions {
	readonly secrets: Pick<SecretStore, 'get' | 'set'>
	readonly now: () => number
	/** Size of all files, beyond which the oldest are removed. */
	readonly mostBytes?: number | undefined
}

interface StoredFile {
	readonly path: string
	readonly bytes: number
	readonly at: number
}

export class SealedFiles {
	readonly #folder: string
	readonly #options: SealedFilesOptions
	readonly #mutex = new KeyedMutex()
	readonly #key: StoredKey

	constructor(folder: string, options: SealedFilesOptions) {
		this.#folder = folder
		this.#options = options
		this.#key = new StoredKey(keyName, options.secrets)
	}

	newName(): string {
		return randomBytes(16).toString('hex')
	}

	/** Writes a file. A new one needs a {@link sweep} after it. */
	async write(connection: string, name: string, content: string): Promise<void> {
		// A file that is moved to another name or connection cannot be read there.
		const sealed = seal(content, await this.#key.get(), `${connection}/${name}`)
		await writePrivateFile(this.#path(connection, name), sealed)
	}

	/** Returns the content, or `undefined` if there is no such file, or it cannot be decrypted. @throws what the store says */
	async read(connection: string, name: string): Promise<string | undefined> {
		if (!nameForm.test(name)) return undefined
		const bytes = await readIfExists(this.#path(connection, name))
		if (!bytes) return undefined
		// A store that is locked says nothing about the file.
		const key = await this.#key.get()
		try {
			return unseal(bytes, key, `${connection}/${name}`)
		} catch {
			return undefined
		}
	}

	async remove(connection: string, name: string): Promise<void> {
		await rm(this.#path(connection, name), { force: true })
	}

	/** Removes files that have ended, those of connections that are gone, and the oldest beyond the limit of size. */
	async sweep(isThere: (connection: string) => boolean): Promise<void> {
		await this.#mutex.run(this.#folder, async () => {
			const kept: StoredFile[] = []
			for (const connection of await readdir(this.#folder).catch(() => [])) {
				const folder = join(this.#folder, connection)
				if (!isThere(connection)) {
					await rm(folder, { recursive: true, force: true })
					continue
				}
				for (const name of await readdir(folder).catch(() => [])) {
					const path = join(folder, name)
					const found = await stat(path).catch(() => undefined)
					if (!found) continue
					if (this.#isOver(found.mtimeMs)) await rm(path, { force: true })
					else kept.push({ path, bytes: found.size, at: found.mtimeMs })
				}
			}
			let left = this.#options.mostBytes ?? mostBytes
			for (const { path, bytes } of kept.toSorted((a, b) => b.at - a.at)) {
				left -= bytes
				if (left < 0) await rm(path, { force: true })
			}
		})
	}

	async clear(): Promise<void> {
		await this.#mutex.run(this.#folder, () => rm(this.#folder, { recursive: true, force: true }))
	}

	#isOver(at: number): boolean {
		return at < this.#options.now() - retentionMs
	}

	/** The id of a connection is that of a saved one. */
	#path(connection: string, name: string): string {
		return join(this.#folder, connection, name)
	}
}
