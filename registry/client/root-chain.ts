import { join } from 'node:path'
import { type Metadata, MetadataKind, type Root } from '@tufjs/models'
import { readIfExists, writePrivateFile } from '../../base/atomic-file.ts'
import { fingerprintOf } from '../format/digests.ts'
import { parse } from '../format/metadata-schema.ts'

/** A verified root, with its bytes. */
export interface TrustedRoot {
	readonly metadata: Metadata<Root>
	readonly bytes: Buffer
}

/** The first root does not match the pinned fingerprint. */
export class FingerprintError extends Error {}

const pinnedName = 'pinned.root.json'

/**
 * Every root since the pinned one, each signed by a threshold of the previous root's keys and of its keys. The chain is
 * verified from the fingerprint each time, so that no file is trusted just for being on the disk.
 */
export class RootChain {
	readonly #folder: string
	readonly #fingerprint: string

	constructor(folder: string, fingerprint: string) {
		this.#folder = folder
		this.#fingerprint = fingerprint
	}

	/**
	 * Returns the newest root, or the root of `version`. Returns `undefined` if the pinned root is missing or does not
	 * match.
	 */
	async follow(version = Number.POSITIVE_INFINITY): Promise<TrustedRoot | undefined> {
		const bytes = await readIfExists(join(this.#folder, pinnedName))
		if (!bytes || fingerprintOf(bytes) !== this.#fingerprint) return undefined
		return newestRoot(bytes, next => readIfExists(this.#file(next)), version)
	}

	/** Client workflow 5.2: load the trusted root, which is shipped by its fingerprint. @throws FingerprintError */
	async pin(root: Buffer): Promise<void> {
		if (fingerprintOf(root) !== this.#fingerprint)
			throw new FingerprintError('the fingerprint of its first root differs')
		await writePrivateFile(join(this.#folder, pinnedName), root)
	}

	async keep(version: number, root: Buffer): Promise<void> {
		await writePrivateFile(this.#file(version), root)
	}

	#file(version: number): string {
		return join(this.#folder, `${version}.root.json`)
	}
}

/**
 * Client workflow 5.3: update the root role. Follows roots upwards from the first, each signed by a threshold of the previous root's keys and of its keys. A file
 * that is not such a root ends the chain; the library fetches it again.
 * @param read returns the bytes of a root by its version
 * @param version the newest to follow
 */
export async function newestRoot(
	first: Buffer,
	read: (version: number) => Promise<Buffer | undefined>,
	version = Number.POSITIVE_INFINITY,
): Promise<TrustedRoot> {
	let last: TrustedRoot = { metadata: parse.root(first), bytes: first }
	while (last.metadata.signed.version < version) {
		// Client workflow 5.3.3: the next root has the next version
		const bytes = await read(last.metadata.signed.version + 1)
		const metadata = bytes && successorOf(last.metadata, bytes)
		if (!metadata) break
		last = { metadata, bytes }
	}
	return last
}

function successorOf(before: Metadata<Root>, bytes: Buffer): Metadata<Root> | undefined {
	try {
		const metadata = parse.root(bytes)
		// Client workflow 5.3.4: signed by a threshold of the keys of the root before and of this one
		before.verifyDelegate(MetadataKind.Root, metadata)
		metadata.verifyDelegate(MetadataKind.Root, metadata)
		// Client workflow 5.3.5: its version follows that of the root before, so no root is left out or older
		return metadata.signed.version === before.signed.version + 1 ? metadata : undefined
	} catch {
		return undefined
	}
}
