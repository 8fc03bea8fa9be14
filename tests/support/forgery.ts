import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { models } from '../../registry/format/metadata-schema.ts'
import { openKeys } from '../../registry/publisher/key-folder.ts'
import type { SigningKey } from '../../registry/publisher/signing-key.ts'
import type { TestRegistry } from './test-registry.ts'

/** What a thief with some keys of a registry can do with a file editor, without the restrictions of the library. */

/** The signed part of any role, as far as tests change it. */
interface Signed {
	version: number
	targets: Record<string, unknown>
	meta: Record<string, object>
	keys: Record<string, object>
	roles: Record<string, { keyids: string[]; threshold: number }>
	delegations: { keys: Record<string, object>; roles: object[] }
}

/** Returns the keys that were created for a role. */
export async function keysOf(registry: TestRegistry, role: string): Promise<readonly SigningKey[]> {
	const names = (await readdir(registry.keyFolder)).filter(name => name.startsWith(`${role}-`))
	const keys = [...(await openKeys(registry.keyFolder)).values()]
	return keys.filter(({ id }) => names.some(name => name.includes(id.slice(0, 8))))
}

const isTop = (role: string): role is keyof typeof models => Object.hasOwn(models, role)

/** Returns the newest version of a role in the registry's folder. */
export async function newestOf(registry: TestRegistry, role: string): Promise<Signed> {
	const folder = join(registry.folder, 'metadata')
	const versions = (await readdir(folder)).flatMap(name => {
		const [, version] = new RegExp(`^(\\d+)\\.${role}\\.json$`).exec(name) ?? []
		return version ? [Number(version)] : []
	})
	const name = role === 'timestamp' ? 'timestamp.json' : `${Math.max(...versions)}.${role}.json`
	return JSON.parse(await readFile(join(folder, name), 'utf8')).signed
}

/** Writes the next version of a role, or the `version` that `change` sets, signed by these keys. */
export async function forge(
	registry: TestRegistry,
	role: string,
	keys: readonly SigningKey[],
	change: (signed: Signed) => void = () => {},
): Promise<{ readonly version: number; readonly length: number; readonly hashes: { readonly sha512: string } }> {
	const before = await newestOf(registry, role)
	const signed: Signed = { ...before, version: before.version + 1 }
	change(signed)
	// Without the schemas, so that a document can have any shape.
	const data = { signed: JSON.parse(JSON.stringify(signed)), signatures: [] }
	const metadata = models[isTop(role) ? role : 'targets'](data)
	for (const key of keys) key.sign(metadata)
	const bytes = Buffer.from(JSON.stringify(metadata.toJSON()))
	const name = role === 'timestamp' ? 'timestamp.json' : `${signed.version}.${role}.json`
	await writeFile(join(registry.folder, 'metadata', name), bytes)
	return {
		version: signed.version,
		length: bytes.length,
		hashes: { sha512: createHash('sha512').update(bytes).digest('hex') },
	}
}

/** Publishes forged roles to readers, with the keys of the two online roles. */
export async function publishForged(
	registry: TestRegistry,
	roles: Readonly<Record<string, object>>,
	versions: { readonly snapshot?: number; readonly timestamp?: number } = {},
): Promise<void> {
	const snapshot = await forge(registry, 'snapshot', await keysOf(registry, 'snapshot'), signed => {
		for (const [role, meta] of Object.entries(roles)) signed.meta[`${role}.json`] = meta
		if (versions.snapshot) signed.version = versions.snapshot
	})
	await forge(registry, 'timestamp', await keysOf(registry, 'timestamp'), signed => {
		signed.meta['snapshot.json'] = snapshot
		if (versions.timestamp) signed.version = versions.timestamp
	})
}
