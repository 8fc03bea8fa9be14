import { join } from 'node:path'
import { fingerprintOf } from '@roundhouse/registry/digests'
import { Metadata, MetadataKind, type Root } from '@tufjs/models'
import { readIfThere, writePrivateFile } from '../../base/atomic-file.ts'

/** A root that is believed, and its bytes. */
export interface TrustedRoot {
	readonly metadata: Metadata<Root>
	readonly bytes: Buffer
}

/** The first root is not the one that is pinned. */
export class FingerprintError extends Error {}

const pinnedName = 'pinned.root.json'

/**
 * Every root since the pinned one, each signed by a threshold of the one before and of its own. They are followed from
 * the fingerprint each time, so that nothing on the disk is believed for lying there.
 */
export class RootChain {
	readonly #folder: string
	readonly #fingerprint: string

	constructor(folder: string, fingerprint: string) {
		this.#folder = folder
		this.#fingerprint = fingerprint
	}

	/** The newest root, or the one of `version`; `undefined` where the pinned one is not here or another. */
	async follow(version = Number.POSITIVE_INFINITY): Promise<TrustedRoot | undefined> {
		const bytes = await readIfThere(join(this.#folder, pinnedName))
		if (!bytes || fingerprintOf(bytes) !== this.#fingerprint) return undefined
		let last: TrustedRoot = { metadata: parseRoot(bytes), bytes }
		while (last.metadata.signed.version < version) {
			const next = await this.#after(last.metadata)
			if (!next) break
			last = next
		}
		return last
	}

	/** @throws FingerprintError */
	async pin(root: Buffer): Promise<void> {
		if (fingerprintOf(root) !== this.#fingerprint) throw new FingerprintError('its first root has another fingerprint')
		await writePrivateFile(join(this.#folder, pinnedName), root)
	}

	async keep(version: number, root: Buffer): Promise<void> {
		await writePrivateFile(this.#file(version), root)
	}

	async #after(before: Metadata<Root>): Promise<TrustedRoot | undefined> {
		const version = before.signed.version + 1
		const bytes = await readIfThere(this.#file(version))
		if (!bytes) return undefined
		try {
			const metadata = parseRoot(bytes)
			before.verifyDelegate(MetadataKind.Root, metadata)
			metadata.verifyDelegate(MetadataKind.Root, metadata)
			return metadata.signed.version === version ? { metadata, bytes } : undefined
		} catch {
			// Half of one, or somebody else's: fetched again.
			return undefined
		}
	}

	#file(version: number): string {
		return join(this.#folder, `${version}.root.json`)
	}
}

function parseRoot(bytes: Buffer): Metadata<Root> {
	return Metadata.fromJSON(MetadataKind.Root, JSON.parse(bytes.toString('utf8')))
}
