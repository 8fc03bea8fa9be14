import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readRegularFile } from '../../base/regular-file.ts'
import { registryErrors } from '../format/errors.ts'
import { metadataFolder } from '../format/format.ts'
import { maxMetadataBytes } from '../format/metadata-schema.ts'
import { replaceFile } from './replace-file.ts'
import type { SignedMetadata } from './signing-key.ts'

/** Serializes a document for its file. */
export const encode = (metadata: SignedMetadata) => Buffer.from(`${JSON.stringify(metadata.toJSON(), null, '\t')}\n`)

/** Whether no number of interrupted publications can explain a version. */
export const isFar = (version: number, newest: number) => version - newest > 1000

/**
 * The folder of signed documents. `<version>.<role>.json` is written once and never changed. Only `timestamp.json` is
 * replaced. Each file is written by a rename, so that a reader finds it complete.
 */
export class MetadataFolder {
	readonly #folder: string
	/** The versions of each role in the folder, highest first. A number of more digits is no version. */
	readonly #versions: ReadonlyMap<string, readonly number[]>

	private constructor(folder: string, versions: ReadonlyMap<string, readonly number[]>) {
		this.#folder = folder
		this.#versions = versions
	}

	static async open(registry: string): Promise<MetadataFolder> {
		const folder = join(registry, metadataFolder)
		const versions = new Map<string, number[]>()
		for (const name of await readdir(folder).catch(() => [])) {
			const [, version, role] = /^([1-9]\d{0,14})\.([a-z0-9-]+)\.json$/.exec(name) ?? []
			if (version && role) versions.set(role, [...(versions.get(role) ?? []), Number(version)])
		}
		for (const all of versions.values()) all.sort((a, b) => b - a)
		return new MetadataFolder(folder, versions)
	}

	/** Returns the highest version of a role when the folder was opened, trusted or not, or 0 if there was none. */
	highest(role: string): number {
		return this.#versions.get(role)?.[0] ?? 0
	}

	/**
	 * Returns the version that follows all of a role in the folder, including what an interrupted publication left, so that
	 * a version never has two contents. Any publisher may write files into the folder, and hosts refuse each version
	 * below one that they have seen. So a file far above the newest version that counts is refused.
	 * @param newest that version, if there is one @throws HostError `registry/version_far`
	 */
	next(role: string, newest: number | undefined): number {
		const highest = this.highest(role)
		if (newest !== undefined && isFar(highest, newest))
			throw registryErrors.make('version_far', { file: `${highest}.${role}.json`, newest })
		return highest + 1
	}

	/** Returns the newest version of a role that `isTrusted`. Broken and foreign files are skipped. */
	async newest<T>(
		role: string,
		parse: (bytes: Buffer) => T,
		isTrusted: (metadata: T) => boolean,
	): Promise<T | undefined> {
		for (const version of this.#versions.get(role) ?? []) {
			const found = await this.bytes(`${version}.${role}.json`)
				.then(parse)
				.catch(() => undefined)
			if (found && isTrusted(found)) return found
		}
		return undefined
	}

	/** A publisher may have put a pipe there, or a link to a device. */
	bytes(name: string): Promise<Buffer> {
		return readRegularFile(join(this.#folder, name), maxMetadataBytes)
	}

	async write(name: string, bytes: Buffer): Promise<void> {
		await mkdir(this.#folder, { recursive: true })
		await replaceFile(join(this.#folder, name), bytes)
	}
}
