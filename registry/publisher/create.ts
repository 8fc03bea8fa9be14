import { registrySchema, registryTarget, revocationsRole } from '../format/format.ts'
import { delegateRole, signersIn } from './delegations.ts'
import type { RootDraft } from './drafts.ts'
import { type KeyRing, makeKey } from './key-folder.ts'
import { type Keeper, Repository } from './repository.ts'
import { writeRevocations } from './revocations.ts'
import type { SigningKey } from './signing-key.ts'
import { writeJsonTarget } from './target-files.ts'

export interface NewRegistry extends Omit<Keeper, 'keys'> {
	readonly folder: string
	/** Name by which the registry describes itself. */
	readonly name: string
	/** Folder for the new keys. */
	readonly keyFolder: string
	/** Number of root keys, and how many of them must sign the root. */
	readonly rootKeys: number
	readonly rootThreshold: number
}

const topRoles = ['targets', 'snapshot', 'timestamp'] as const

/** Creates a registry without publishers, and its keys. @throws HostError `registry/exists` */
export async function createRegistry({
	folder,
	name,
	keyFolder,
	rootKeys,
	rootThreshold,
	...keeper
}: NewRegistry): Promise<KeyRing> {
	const keys = new Map<string, SigningKey>()
	const make = async (role: string) => {
		const key = await makeKey(keyFolder, role)
		keys.set(key.id, key)
		return key.publicKey
	}
	const root: RootDraft = { keys: {}, roles: {} }
	const ofRoot: string[] = []
	for (let made = 0; made < rootKeys; made++) ofRoot.push(await make('root'))
	root.roles.root = signersIn(root.keys, { publicKeys: ofRoot, threshold: rootThreshold })
	for (const role of topRoles) root.roles[role] = signersIn(root.keys, { publicKeys: [await make(role)], threshold: 1 })

	const repository = await Repository.create(folder, { keys, ...keeper }, { root, targets: { targets: {} } })
	await writeJsonTarget(repository, { role: 'targets', path: registryTarget, value: registrySchema.parse({ name }) })
	delegateRole(repository, revocationsRole, { publicKeys: [await make(revocationsRole)], threshold: 1 })
	await writeRevocations(repository, [])
	await repository.publish()
	return keys
}
