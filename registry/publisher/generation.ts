import type { Metadata, Root, Targets, Timestamp } from '@tufjs/models'
import { sha512Of } from '../format/digests.ts'
import { parse } from '../format/metadata-schema.ts'
import { snapshotFrom, timestampFrom } from './drafts.ts'
import type { KeyRing } from './key-folder.ts'
import { expiryOf, isDue, type Lifetimes } from './lifetimes.ts'
import { encode, isFar, type MetadataFolder } from './metadata-folder.ts'
import { canSign, type Delegators, isSigned, sign } from './signatures.ts'
import type { SignedMetadata } from './signing-key.ts'

/**
 * A generation is what readers see at one moment: the roles' documents, a snapshot that lists them, a timestamp that
 * names the snapshot. All files except the timestamp are new. So a reader finds the complete previous generation until
 * the timestamp is replaced.
 */

/** The result of `publish`. */
export interface Publication {
	/** Roles that were signed and written, in that order. */
	readonly signed: readonly { readonly role: string; readonly version: number }[]
	/** Roles that others signed, whose new versions readers see from now on. */
	readonly takenIn: readonly { readonly role: string; readonly version: number }[]
	/**
	 * Roles whose keys were not available. They must sign before readers see every change, or before their signature
	 * expires.
	 */
	readonly waitsFor: readonly string[]
}

export interface Documents {
	readonly roots: { readonly before: Metadata<Root>; readonly now: Metadata<Root> }
	/** `targets` and all roles that it delegates to, by role. */
	readonly targets: ReadonlyMap<string, Metadata<Targets>>
	/** Roles that are new and not written yet. */
	readonly changed: ReadonlySet<string>
	/** Roles that expire soon and could not be signed. */
	readonly due: readonly string[]
}

interface Signer {
	readonly keys: KeyRing
	readonly lifetimes: Lifetimes
	readonly now: () => Date
}

/** Entry of one document in another. */
type MetaFile = { version: number; length: number; hashes: { sha512: string } }

interface New {
	readonly role: string
	readonly version: number
	readonly bytes: Buffer
}

export async function writeGeneration(
	folder: MetadataFolder,
	signer: Signer,
	{ roots, targets, changed, due }: Documents,
): Promise<Publication> {
	const waitsFor = new Set(due)
	const written: New[] = [...targets].filter(([role]) => changed.has(role)).map(([role, found]) => asNew(role, found))
	const online = new Online(folder, { signer, roots, waitsFor })
	const snapshot = await online.snapshot(targets, written)
	const takenIn = snapshot.isNew ? snapshot.listed.filter(({ role }) => !changed.has(role)) : []
	const timestamp = await online.timestamp(snapshot)
	if (snapshot.isNew) written.push(snapshot)
	if (timestamp) written.push(timestamp)
	if (changed.has('root')) {
		const root = asNew('root', roots.now)
		// Readers take the root first, so the files that it refers to must exist by then. Therefore the root is written
		// last, and the other roles also carry signatures by its old keys. Before the first timestamp there are no readers.
		if (root.version === 1) written.unshift(root)
		else written.push(root)
	}
	for (const { role, version, bytes } of written)
		await folder.write(role === 'timestamp' ? 'timestamp.json' : `${version}.${role}.json`, bytes)
	return { signed: written.map(({ role, version }) => ({ role, version })), takenIn, waitsFor: [...waitsFor] }
}

interface OnlineParts {
	readonly signer: Signer
	readonly roots: Delegators
	/** The roles whose keys are not available. This object adds those that it could not sign. */
	readonly waitsFor: Set<string>
}

/** The two roles that sign on every change. */
class Online {
	readonly #folder: MetadataFolder
	readonly #signer: Signer
	readonly #roots: Delegators
	readonly #waitsFor: Set<string>

	constructor(folder: MetadataFolder, { signer, roots, waitsFor }: OnlineParts) {
		this.#folder = folder
		this.#signer = signer
		this.#roots = roots
		this.#waitsFor = waitsFor
	}

	/** Returns the snapshot of this generation, or the last one if it is still valid or its keys are not available. */
	async snapshot(targets: ReadonlyMap<string, Metadata<Targets>>, written: readonly New[]) {
		const last = await this.#folder.newest('snapshot', parse.snapshot, found =>
			isSigned(this.#roots.before, 'snapshot', found),
		)
		// A snapshot must list every role that an earlier one listed, also if the delegation was removed; otherwise readers
		// reject it.
		const meta = { ...(last?.signed.toJSON().meta as Record<string, MetaFile> | undefined) }
		const listed: { role: string; version: number }[] = []
		for (const [role, { signed }] of targets) {
			const name = `${role}.json`
			const known = meta[name]?.version ?? 0
			if (known >= signed.version) continue
			// With a stolen key of a publisher, its owner could never sign a newer list than this one.
			if (known > 0 && isFar(signed.version, known)) {
				this.#waitsFor.add(role)
				continue
			}
			const bytes =
				written.find(one => one.role === role)?.bytes ?? (await this.#folder.bytes(`${signed.version}.${name}`))
			meta[name] = metaFile(signed.version, bytes)
			listed.push({ role, version: signed.version })
		}
		const isSame = last !== undefined && JSON.stringify(meta) === JSON.stringify(last.signed.toJSON().meta)
		if (last && !this.#mustSign('snapshot', last, isSame))
			return {
				...asNew('snapshot', last),
				bytes: await this.#folder.bytes(`${last.signed.version}.snapshot.json`),
				isNew: false,
				listed,
			}
		const next = snapshotFrom(meta, this.#stamp('snapshot', this.#folder.next('snapshot', last?.signed.version)))
		sign('snapshot', next, { keys: this.#signer.keys, delegators: this.#roots })
		return { ...asNew('snapshot', next), isNew: true, listed }
	}

	/** Returns the new timestamp, or `undefined` if the published one is still valid or its keys are not available. */
	async timestamp({ version, bytes }: New): Promise<New | undefined> {
		const last = await this.#folder.bytes('timestamp.json').then(parse.timestamp, () => undefined)
		const isSame = last?.signed.snapshotMeta.version === version
		if (last && !this.#mustSign('timestamp', last, isSame)) return undefined
		const next = timestampFrom(metaFile(version, bytes), this.#stamp('timestamp', this.#afterTimestamp(last)))
		sign('timestamp', next, { keys: this.#signer.keys, delegators: this.#roots })
		return asNew('timestamp', next)
	}

	/**
	 * Returns the next version. If the timestamp was lost, its version is unknown; the time in seconds is higher than any
	 * earlier count.
	 */
	#afterTimestamp(last: Metadata<Timestamp> | undefined): number {
		if (last) return last.signed.version + 1
		return this.#folder.highest('snapshot') === 0 ? 1 : Math.floor(this.#signer.now().getTime() / 1000)
	}

	#mustSign(role: 'snapshot' | 'timestamp', last: SignedMetadata, isSame: boolean): boolean {
		const { keys, lifetimes, now } = this.#signer
		if (!isSigned(this.#roots.now, role, last)) return true
		if (isSame && !isDue({ role, expires: last.signed.expires }, lifetimes, now())) return false
		if (canSign(this.#roots.now, role, keys)) return true
		this.#waitsFor.add(role)
		return false
	}

	#stamp(role: string, version: number) {
		return { version, expires: expiryOf(role, this.#signer.lifetimes, this.#signer.now()) }
	}
}

function asNew(role: string, metadata: SignedMetadata): New {
	return { role, version: metadata.signed.version, bytes: encode(metadata) }
}

function metaFile(version: number, bytes: Buffer): MetaFile {
	return { version, length: bytes.length, hashes: { sha512: sha512Of(bytes) } }
}
