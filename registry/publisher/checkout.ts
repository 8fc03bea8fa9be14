import { access, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRegistry } from './create.ts'
import { delegatePublisher } from './delegations.ts'
import { makeKey, openKeys } from './key-folder.ts'
import type { Lifetimes } from './lifetimes.ts'
import { mirrorRegistry, pruneMirror } from './mirror.ts'
import { packDriver } from './pack.ts'
import { addRelease, releasesOf } from './releases.ts'
import { Repository } from './repository.ts'
import { Source } from './source.ts'

export interface CheckoutRegistry {
	readonly name: string
	/** Folders of the drivers to publish. */
	readonly drivers: readonly string[]
	/** Folder of the published registry, which hosts read. */
	readonly output: string
	/** Folder of the keys and of the state. Versions continue from there if `output` is removed. */
	readonly state: string
	readonly minHostVersion: string
}

/**
 * Only the next build signs this registry again, and a checkout built last month must start. The registry is on the
 * machine that reads it, where expiry protects against nothing.
 */
const year = 366
const lifetimes: Lifetimes = { root: year, targets: year, publisher: year, snapshot: year, timestamp: year }

const publisher = 'roundhouse'
/** Name of the file beside the registry that contains its fingerprint. */
export const fingerprintFile = 'root.sha256'

/** What was published. */
export interface PublishedCheckout {
	/** The registry's fingerprint. */
	readonly fingerprint: string
	/** Files of the drivers that were not packed, because they may be secrets. */
	readonly leftOut: readonly string[]
}

/** Publishes a checkout's drivers for this machine. */
export async function buildCheckoutRegistry(plan: CheckoutRegistry): Promise<PublishedCheckout> {
	const [folder, keyFolder] = [join(plan.state, 'registry'), join(plan.state, 'keys')]
	const isThere = await access(join(folder, 'metadata', 'timestamp.json')).then(
		() => true,
		() => false,
	)
	if (!isThere) {
		// Remove what an interrupted build left. Also remove a copy of a registry whose keys are lost, because it cannot be
		// signed again.
		for (const left of [folder, plan.output]) await rm(left, { recursive: true, force: true })
		await createRegistry({ folder, keyFolder, name: plan.name, rootKeys: 1, rootThreshold: 1, lifetimes })
	}
	const leftOut = await publish(plan, folder, keyFolder)

	const published = await mirrorRegistry(new Source(folder), plan.output)
	await Promise.all([folder, plan.output].map(copy => pruneMirror(copy, published)))
	await writeFile(join(plan.output, fingerprintFile), `${published.fingerprint}\n`)
	return { fingerprint: published.fingerprint, leftOut }
}

async function publish(
	{ drivers, minHostVersion }: CheckoutRegistry,
	folder: string,
	keyFolder: string,
): Promise<readonly string[]> {
	const before = await openKeys(keyFolder)
	const isNew = !(await Repository.open(folder, { keys: before })).delegations.includes(publisher)
	const key = isNew ? await makeKey(keyFolder, publisher) : undefined
	const repository = await Repository.open(folder, { keys: await openKeys(keyFolder), lifetimes })
	if (key) delegatePublisher(repository, publisher, { publicKeys: [key.publicKey], threshold: 1 })
	const leftOut: string[] = []
	for (const driver of drivers) {
		const packed = await packDriver(driver, { minHostVersion, publishedAt: new Date().toISOString() })
		leftOut.push(...packed.leftOut)
		const last = releasesOf(repository).find(({ id, version }) => id === packed.id && version === packed.version)
		// A build from the same sources is the same release, with the same date.
		const isSame = last?.summary.document === packed.summary.document && last.summary.minHostVersion === minHostVersion
		// In a checkout a version may change until it is released.
		if (!isSame) await addRelease(repository, packed, { publisher, replaces: true })
	}
	await repository.publish()
	return leftOut
}
