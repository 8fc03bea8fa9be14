import { registryErrors } from '@roundhouse/registry/format/errors'
import { createRegistry } from '@roundhouse/registry/publisher/create'
import { delegatePublisher, dropPublisher } from '@roundhouse/registry/publisher/delegations'
import { announceHost } from '@roundhouse/registry/publisher/host-releases'
import { makeKey, openKeys } from '@roundhouse/registry/publisher/key-folder'
import { Repository } from '@roundhouse/registry/publisher/repository'
import { delegatorOf, rotateKeys, signersOfRole } from '@roundhouse/registry/publisher/rotation'
import { type CommandContext, print } from '../context.ts'
import { alone, change, describePublication, type Keeping, keyFoldersOf } from './keeper.ts'

/** Commands of registry maintainers. */

interface InitOptions {
	readonly name: string
	readonly rootKeys: number
	readonly threshold?: number
	readonly publisher: readonly string[]
	readonly keys?: readonly string[]
}

export async function initRegistry(
	context: CommandContext,
	folder: string,
	{ name, rootKeys, threshold = rootKeys, publisher: publishers, keys }: InitOptions,
): Promise<void> {
	if (threshold > rootKeys) throw registryErrors.make('threshold', { threshold, keys: rootKeys })
	const keeping = { registry: folder, ...(keys && { keys }) }
	const [keyFolder] = keyFoldersOf(keeping)
	const fingerprint = await alone(folder, async () => {
		await createRegistry({ folder, keyFolder, name, rootKeys, rootThreshold: threshold })
		const made = new Map<string, string>()
		for (const publisher of publishers) made.set(publisher, (await makeKey(keyFolder, publisher)).publicKey)
		const repository = await Repository.open(folder, { keys: await openKeys(keyFolder) })
		for (const [publisher, key] of made) delegatePublisher(repository, publisher, { publicKeys: [key], threshold: 1 })
		await repository.publish()
		return repository.fingerprint()
	})
	const text = [
		`Made the registry "${name}" in ${folder}.`,
		`Fingerprint: ${fingerprint}`,
		`Keys: ${keyFolder}. Everyone who has them can publish.`,
		`Move the ${rootKeys} root keys off this machine, each to another place; ${threshold} of them must sign whenever a role gets other keys.`,
		'The timestamp is good for a day: let `roundhouse registry sign` run every few hours where the keys of snapshot and timestamp are.',
	]
	print(context, { folder, name, fingerprint, keys: keyFolder, rootKeys, threshold, publishers }, text.join('\n'))
}

/** Names the newest release of Roundhouse, for the notice that hosts show. */
export async function announce(
	context: CommandContext,
	version: string,
	options: Keeping & { readonly channel: string },
): Promise<void> {
	const release = { version, releasedAt: new Date().toISOString() }
	const { publication } = await change(options, repository => announceHost(repository, options.channel, release))
	const text = `${options.channel} is now Roundhouse ${version}.\n${describePublication(publication)}`
	print(context, { channel: options.channel, ...release, ...publication }, text)
}

export async function makeSigningKey(context: CommandContext, folder: string, name: string): Promise<void> {
	const { publicKey, id } = await makeKey(folder, name)
	print(context, { publicKey, id, folder }, publicKey)
}

interface DelegateOptions extends Keeping {
	readonly key?: readonly string[]
	readonly threshold: number
	readonly remove: boolean
}

export async function delegate(context: CommandContext, publisher: string, options: DelegateOptions): Promise<void> {
	const { remove, threshold } = options
	const keyFolders = keyFoldersOf(options)
	const open = async () => Repository.open(options.registry, { keys: await openKeys(...keyFolders) })
	const { publicKeys, publication } = await alone(options.registry, async () => {
		;(await open()).requireKeys('targets')
		const publicKeys = remove ? [] : (options.key ?? (await makeKeys(keyFolders[0], publisher, threshold)))
		if (!remove && threshold > publicKeys.length)
			throw registryErrors.make('threshold', { threshold, keys: publicKeys.length })
		const repository = await open()
		if (remove) dropPublisher(repository, publisher)
		else delegatePublisher(repository, publisher, { publicKeys, threshold })
		return { publicKeys, publication: await repository.publish() }
	})
	print(
		context,
		{ publisher, removed: remove, publicKeys, threshold, ...publication },
		`${remove ? `Took ${publisher} out.` : `${publisher} signs for ${publisher}/*/*, with ${threshold} of: ${publicKeys.join(', ')}`}\n${describePublication(publication)}`,
	)
}

interface SignOptions extends Keeping {
	readonly role: readonly string[]
}

export async function signRegistry(context: CommandContext, options: SignOptions): Promise<void> {
	const { publication } = await change(options, repository => {
		for (const role of options.role) repository.renew(role)
	})
	print(context, publication, describePublication(publication))
}

interface RotateOptions extends Keeping {
	readonly role: string
	readonly key?: readonly string[]
	readonly threshold?: number
}

export async function rotate(context: CommandContext, options: RotateOptions): Promise<void> {
	const { role } = options
	const keyFolders = keyFoldersOf(options)
	const open = async () => Repository.open(options.registry, { keys: await openKeys(...keyFolders) })
	const { publicKeys, threshold, left, publication } = await alone(options.registry, async () => {
		const before = await open()
		const { keyIDs, threshold: needed } = signersOfRole(before, role)
		// Before a key is created: nothing is left behind if required signers are missing.
		before.requireKeys(delegatorOf(before, role))
		const threshold = options.threshold ?? needed
		const publicKeys = options.key ?? (await makeKeys(keyFolders[0], role, keyIDs.length))
		if (threshold > publicKeys.length) throw registryErrors.make('threshold', { threshold, keys: publicKeys.length })
		const repository = await open()
		rotateKeys(repository, role, { publicKeys, threshold })
		const publication = await repository.publish()
		const left = keyIDs.filter(id => !signersOfRole(repository, role).keyIDs.includes(id))
		return { publicKeys, threshold, left, publication }
	})
	const done = left.length ? '\nIts keys from before sign nothing any more: remove them.' : ''
	print(
		context,
		{ role, publicKeys, threshold, ...publication },
		`${role} signs with ${threshold} of: ${publicKeys.join(', ')}\n${describePublication(publication)}${done}`,
	)
}

async function makeKeys(folder: string, role: string, count: number): Promise<string[]> {
	const publicKeys: string[] = []
	for (let made = 0; made < count; made++) publicKeys.push((await makeKey(folder, role)).publicKey)
	return publicKeys
}
