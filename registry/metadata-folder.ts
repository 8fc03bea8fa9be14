import './linear-models.ts'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Metadata, MetadataKind } from '@tufjs/models'
import writeFileAtomic from 'write-file-atomic'
import { metadataFolder } from './format.ts'
import type { SignedMetadata } from './signing-key.ts'

/** How a document is read. */
export const parse = {
	root: (bytes: Buffer) => Metadata.fromJSON(MetadataKind.Root, JSON.parse(bytes.toString('utf8'))),
	targets: (bytes: Buffer) => Metadata.fromJSON(MetadataKind.Targets, JSON.parse(bytes.toString('utf8'))),
	snapshot: (bytes: Buffer) => Metadata.fromJSON(MetadataKind.Snapshot, JSON.parse(bytes.toString('utf8'))),
	timestamp: (bytes: Buffer) => Metadata.fromJSON(MetadataKind.Timestamp, JSON.parse(bytes.toString('utf8'))),
}

/** A document as it is written. */
export const encode = (metadata: SignedMetadata) => Buffer.from(`${JSON.stringify(metadata.toJSON(), null, '\t')}\n`)

/**
 * The folder of signed documents. `<version>.<role>.json` is written once and never again; `timestamp.json` alone is
 * replaced. Each is written by a rename, so that a reader finds it whole.
 */
export class MetadataFolder {
	readonly #folder: string
	/** The versions of each role that lie here, the highest first. */
	readonly #versions: ReadonlyMap<string, readonly number[]>

	private constructor(folder: string, versions: ReadonlyMap<string, readonly number[]>) {
		this.#folder = folder
		this.#versions = versions
	}

	static async open(registry: string): Promise<MetadataFolder> {
		const folder = join(registry, metadataFolder)
		const versions = new Map<string, number[]>()
		for (const name of await readdir(folder).catch(() => [])) {
			const [, version, role] = /^([1-9]\d*)\.([a-z0-9-]+)\.json$/.exec(name) ?? []
			if (version && role) versions.set(role, [...(versions.get(role) ?? []), Number(version)])
		}
		for (const all of versions.values()) all.sort((a, b) => b - a)
		return new MetadataFolder(folder, versions)
	}

	/** The highest version that lay here when this was opened, trusted or not; 0 where there was none. */
	highest(role: string): number {
		return this.#versions.get(role)?.[0] ?? 0
	}

	/** The newest version of a role that `isTrusted`: a broken or foreign one that lies here is passed over. */
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

	bytes(name: string): Promise<Buffer> {
		return readFile(join(this.#folder, name))
	}

	async write(name: string, bytes: Buffer): Promise<void> {
		await mkdir(this.#folder, { recursive: true })
		await writeFileAtomic(join(this.#folder, name), bytes)
	}
}
