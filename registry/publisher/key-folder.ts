import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { registryErrors } from '../format/errors.ts'
import { SigningKey } from './signing-key.ts'

/**
 * Private keys as files: `<role>-<start of the id>.pem`, mode 0600 in a folder of mode 0700. The name is for people.
 * The metadata says which role a key may sign for, so a folder may contain any keys, and keys may come from several
 * folders.
 */

export type KeyRing = ReadonlyMap<string, SigningKey>

/** Creates a key and stores it in `folder`. @throws HostError `registry/key_folder_link` */
export async function makeKey(folder: string, role: string): Promise<SigningKey> {
	const { privateKey } = generateKeyPairSync('ed25519')
	const key = new SigningKey(privateKey)
	const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined
	// In a shared Git repository, a link could lead into the folder that is published.
	if ((await lstat(folder)).isSymbolicLink()) throw registryErrors.make('key_folder_link', { folder })
	// A registry kept in Git may have its keys in the same repository. An existing folder is not changed.
	if (isNew) await writeFile(join(folder, '.gitignore'), '*\n', { mode: 0o600 })
	await writeFile(
		join(folder, `${role}-${key.id.slice(0, 8)}.pem`),
		privateKey.export({ format: 'pem', type: 'pkcs8' }),
		{ mode: 0o600, flag: 'wx', flush: true },
	)
	return key
}

/** Reads all keys in `folders`, by id. A missing folder contains none. @throws HostError `registry/key_unreadable` */
export async function openKeys(...folders: readonly string[]): Promise<KeyRing> {
	const keys = new Map<string, SigningKey>()
	for (const folder of folders) {
		for (const name of await readdir(folder).catch(() => [])) {
			if (!name.endsWith('.pem')) continue
			const key = await openKey(join(folder, name))
			keys.set(key.id, key)
		}
	}
	return keys
}

async function openKey(file: string): Promise<SigningKey> {
	try {
		const key = createPrivateKey(await readFile(file))
		if (key.asymmetricKeyType === 'ed25519') return new SigningKey(key)
	} catch (error) {
		throw registryErrors.make('key_unreadable', { file }, { cause: error })
	}
	throw registryErrors.make('key_unreadable', { file })
}
