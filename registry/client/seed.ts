import { readFile } from 'node:fs/promises'
import { TargetFile } from '@tufjs/models'
import { sha512Of } from '../format/digests.ts'
import { type ListedRelease, type Listing, type ReleaseName, releaseAmong } from './listing.ts'
import { type DownloadOptions, downloadTarget, TargetError } from './target.ts'

/**
 * Releases that come with the host, so that a first installation needs no network. The release of the host fixes their
 * digests, as a registry's metadata would. They count only until the registry was read for the first time: a host that
 * has never read it knows nothing newer, and a later expiry or revocation must not be bypassed.
 */
export interface Seed {
	/** Name of the registry until it was read. */
	readonly name: string
	/** `file:` URL of the folder with the targets, under their paths. */
	readonly folder: string
	/** When these releases were packed with the host, ISO 8601. */
	readonly releasedAt: string
	/** Length, digests and description of each target, by its path. */
	readonly targets: Readonly<Record<string, SeededTarget>>
}

type Fields = NonNullable<ConstructorParameters<typeof TargetFile>[0]['unrecognizedFields']>
type SeededTarget = Pick<TargetFile, 'length' | 'hashes'> & { readonly custom?: Fields[string] | undefined }

export class SeededReleases {
	readonly #targets: Readonly<Record<string, TargetFile>>
	readonly #baseUrl: URL

	constructor({ folder, targets }: Seed) {
		this.#baseUrl = new URL(`${folder.replace(/\/$/, '')}/`)
		this.#targets = Object.fromEntries(
			Object.entries(targets).map(([path, { custom, ...target }]) => [
				path,
				new TargetFile({ path, ...target, unrecognizedFields: custom === undefined ? {} : { custom } }),
			]),
		)
	}

	/** Returns the releases as a registry would list them. */
	listing(): Listing {
		const releases = Object.keys(this.#targets).flatMap(path => this.#releaseAt(path) ?? [])
		return { releases, tooNew: [], faults: new Map() }
	}

	find(name: ReleaseName): ListedRelease | undefined {
		return releaseAmong(this.#targets, name)
	}

	/** Returns whether a listed release is one of these, and not one of a registry with the same name. */
	has({ package: { path, hashes } }: ListedRelease): boolean {
		return hashes.sha512 !== undefined && this.#targets[path]?.hashes.sha512 === hashes.sha512
	}

	/** Returns the bytes of a release's document. @throws TargetError if the file was changed */
	async document({ document: { path, hashes } }: ListedRelease): Promise<Buffer> {
		const bytes = await readFile(new URL(path, this.#baseUrl))
		if (sha512Of(bytes) !== hashes.sha512) throw new TargetError('digest', `${path} has another digest`)
		return bytes
	}

	/** @throws TargetError, Error */
	download(
		{ package: target }: ListedRelease,
		options: Pick<DownloadOptions, 'path' | 'signal' | 'onBytes'>,
	): Promise<void> {
		return downloadTarget(target, { ...options, baseUrl: this.#baseUrl, hasHashedName: false })
	}

	#releaseAt(path: string): ListedRelease | undefined {
		const [publisher = '', id = '', file = ''] = path.split('/')
		if (!file.endsWith('.tgz')) return undefined
		return this.find({ publisher, id, version: file.slice(0, -'.tgz'.length) })
	}
}
