import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openBundle } from '@roundhouse/registry/format/bundle-file'
import { fingerprintOf } from '@roundhouse/registry/format/digests'
import { metadataFolder, releaseTargets, targetsFolder } from '@roundhouse/registry/format/format'
import { parse } from '@roundhouse/registry/format/metadata-schema'
import { satisfies } from 'semver'
import { makePrivateFolder, readIfExists } from '../../base/atomic-file.ts'
import { messageOf } from '../../base/errors.ts'
import { readRegularFile } from '../../base/regular-file.ts'
import type { ListedRelease, Listing } from '../../registry/client/listing.ts'
import type { RegistrySource } from '../../registry/client/registry-client.ts'
import { newestRoot } from '../../registry/client/root-chain.ts'
import { driversOf, releasesByDriver } from './choose-release.ts'
import { pluginErrors } from './errors.ts'

/** Upper limit of a bundle, which is held in memory while it is unpacked. Real bundles are far smaller. */
const maxBytes = 512 * 1024 * 1024
const firstRoot = `${metadataFolder}/1.root.json`

/** Selects drivers of a bundle: all drivers if it has no id. */
export interface BundleSelection {
	readonly id?: string | undefined
	readonly publisher?: string | undefined
	readonly range?: string | undefined
}

interface BundleContent {
	readonly path: string
	readonly folder: string
	readonly fingerprint: string
	readonly files: ReadonlySet<string>
}

/** An unpacked file with a registry and some of its drivers. It is read and verified like a registry on the network. */
export class Bundle implements AsyncDisposable {
	/** The file's name. */
	readonly name: string
	/** The registry in the bundle. Its address is the folder it was unpacked to. */
	readonly source: RegistrySource
	/** `file:` URL of the bundle: the address of a registry that is known only from the bundle. */
	readonly url: string
	readonly #folder: string
	readonly #files: ReadonlySet<string>

	private constructor({ path, folder, fingerprint, files }: BundleContent) {
		this.name = basename(path)
		this.url = pathToFileURL(path).href
		this.source = { url: pathToFileURL(folder).href, fingerprint }
		this.#folder = folder
		this.#files = files
	}

	/** Unpacks a bundle into a new folder in `staging`. @throws HostError `plugin/bundle_unreadable` */
	static async open(path: string, staging: string): Promise<Bundle> {
		const folder = join(staging, `bundle-${randomBytes(4).toString('hex')}`)
		try {
			const files = openBundle(await readRegularFile(path, maxBytes))
			const root = files.get(firstRoot)
			if (!root) throw new Error('it has no first root')
			for (const [name, bytes] of files) {
				const file = join(folder, name)
				await makePrivateFolder(dirname(file))
				await writeFile(file, bytes, { mode: 0o600, flag: 'wx' })
			}
			return new Bundle({ path, folder, fingerprint: fingerprintOf(Buffer.from(root)), files: new Set(files.keys()) })
		} catch (error) {
			await rm(folder, { recursive: true, force: true })
			throw pluginErrors.make('bundle_unreadable', { file: path, reason: messageOf(error) }, { cause: error })
		}
	}

	/**
	 * Returns the newest release of each selected driver whose package is in the bundle. @throws HostError
	 * `plugin/bundle_lacks`
	 */
	choose(listing: Listing, { id, publisher, range = '*' }: BundleSelection): readonly ListedRelease[] {
		const releasesOf = releasesByDriver(listing)
		const chosen = driversOf(listing)
			.filter(driver => (!id || driver.id === id) && (!publisher || driver.publisher === publisher))
			.flatMap(driver => {
				const newest = releasesOf(driver).find(
					release => this.#has(release) && satisfies(release.version, range, { includePrerelease: true }),
				)
				return newest ? [newest] : []
			})
		if (chosen.length === 0) throw pluginErrors.make('bundle_lacks', { file: this.name, driver: id ?? 'any driver' })
		return chosen
	}

	/**
	 * Returns the last moment before its timestamp or its snapshot expires. Returns `undefined` if its root or its
	 * targets have expired, which a user cannot accept. Verifies all four roles, starting from the first root.
	 * @throws HostError `plugin/bundle_unreadable`
	 */
	async validUntil(): Promise<Date | undefined> {
		try {
			const root = await newestRoot(await this.#read('1.root.json'), version =>
				readIfExists(join(this.#folder, metadataFolder, `${version}.root.json`)),
			)
			const timestamp = parse.timestamp(await this.#read('timestamp.json'))
			root.metadata.verifyDelegate('timestamp', timestamp)
			const { version } = timestamp.signed.snapshotMeta
			const snapshot = parse.snapshot(await this.#read(`${version}.snapshot.json`))
			root.metadata.verifyDelegate('snapshot', snapshot)
			const listed = snapshot.signed.meta['targets.json']?.version
			const targets = parse.targets(await this.#read(`${listed}.targets.json`))
			root.metadata.verifyDelegate('targets', targets)
			if (earliestEnd(root.metadata, targets) <= Date.now()) return undefined
			return new Date(earliestEnd(timestamp, snapshot) - 1000)
		} catch (error) {
			throw pluginErrors.make('bundle_unreadable', { file: this.name, reason: messageOf(error) }, { cause: error })
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await rm(this.#folder, { recursive: true, force: true })
	}

	#has({ publisher, id, version, package: { hashes } }: ListedRelease): boolean {
		const path = releaseTargets(publisher, id, version).package
		return this.#files.has(`${targetsFolder}/${path.replace(/[^/]*$/, name => `${hashes.sha512}.${name}`)}`)
	}

	#read(file: string): Promise<Buffer> {
		return readFile(join(this.#folder, metadataFolder, file))
	}
}

const earliestEnd = (...roles: readonly { readonly signed: { readonly expires: string } }[]) =>
	Math.min(...roles.map(({ signed }) => Date.parse(signed.expires)))
