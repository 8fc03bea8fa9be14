import { randomBytes } from 'node:crypto'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openBundle } from '@roundhouse/registry/bundle-file'
import { fingerprintOf } from '@roundhouse/registry/digests'
import { metadataFolder, releaseTargets, targetsFolder } from '@roundhouse/registry/format'
import { compare, satisfies } from 'semver'
import { z } from 'zod'
import { makePrivateFolder } from '../base/atomic-file.ts'
import { messageOf } from '../base/errors.ts'
import { driversOf } from './choose-release.ts'
import { pluginErrors } from './errors.ts'
import type { ListedRelease, Listing } from './registry/listing.ts'
import type { RegistrySource } from './registry/registry-client.ts'

/** Far above any real one; it is held in memory while it is unpacked. */
const maxBytes = 512 * 1024 * 1024
const firstRoot = `${metadataFolder}/1.root.json`

/** Which of a bundle's drivers are meant; all of them where no id is given. */
export interface Wanted {
	readonly id?: string | undefined
	readonly publisher?: string | undefined
	readonly range?: string | undefined
}

/** A registry with some of its drivers that came in one file, unpacked: it is read, and verified, as any other is. */
export class Bundle implements AsyncDisposable {
	/** The file's name. */
	readonly name: string
	/** The registry as the file has it; its address is the folder it was unpacked to. */
	readonly source: RegistrySource
	/** The file itself, as an address for a registry that is known by nothing else. */
	readonly url: string
	readonly #folder: string
	readonly #files: ReadonlySet<string>

	private constructor(path: string, folder: string, fingerprint: string, files: ReadonlySet<string>) {
		this.name = basename(path)
		this.url = pathToFileURL(path).href
		this.source = { url: pathToFileURL(folder).href, fingerprint }
		this.#folder = folder
		this.#files = files
	}

	/** Unpacks it into a folder of its own in `staging`. @throws HostError `plugin/bundle_unreadable` */
	static async open(path: string, staging: string): Promise<Bundle> {
		const folder = join(staging, `bundle-${randomBytes(4).toString('hex')}`)
		try {
			if ((await stat(path)).size > maxBytes) throw new Error('it is too large')
			const files = openBundle(await readFile(path))
			const root = files.get(firstRoot)
			if (!root) throw new Error('it has no first root')
			for (const [name, bytes] of files) {
				const file = join(folder, name)
				await makePrivateFolder(dirname(file))
				await writeFile(file, bytes, { mode: 0o600, flag: 'wx' })
			}
			return new Bundle(path, folder, fingerprintOf(Buffer.from(root)), new Set(files.keys()))
		} catch (error) {
			await rm(folder, { recursive: true, force: true })
			throw pluginErrors.make('bundle_unreadable', { file: path, reason: messageOf(error) }, { cause: error })
		}
	}

	/** Of each driver that is meant, the newest release whose package is in it. @throws HostError `plugin/bundle_lacks` */
	choose(listing: Listing, { id, publisher, range = '*' }: Wanted): readonly ListedRelease[] {
		const chosen = driversOf(listing)
			.filter(driver => (!id || driver.id === id) && (!publisher || driver.publisher === publisher))
			.flatMap(driver => {
				const [newest] = listing.releases
					.filter(release => release.id === driver.id && release.publisher === driver.publisher)
					.filter(release => this.#has(release) && satisfies(release.version, range, { includePrerelease: true }))
					.sort((a, b) => compare(b.version, a.version))
				return newest ? [newest] : []
			})
		if (chosen.length === 0) throw pluginErrors.make('bundle_lacks', { file: this.name, driver: id ?? 'any driver' })
		return chosen
	}

	/**
	 * The last moment at which it was the newest, as its timestamp and its snapshot have it. What else it says must hold
	 * now: whose keys count, and what they list.
	 */
	async lastMoment(): Promise<Date | undefined> {
		const timestamp = await this.#read('timestamp.json')
		const snapshot = await this.#read(`${timestamp.meta?.['snapshot.json']?.version}.snapshot.json`)
		const targets = await this.#read(`${snapshot.meta?.['targets.json']?.version}.targets.json`)
		const roots = [...this.#files].flatMap(file => /(\d+)\.root\.json$/.exec(file)?.[1] ?? [])
		const root = await this.#read(`${Math.max(...roots.map(Number))}.root.json`)
		if (Math.min(Date.parse(targets.expires), Date.parse(root.expires)) <= Date.now()) return undefined
		return new Date(Math.min(Date.parse(timestamp.expires), Date.parse(snapshot.expires)) - 1000)
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await rm(this.#folder, { recursive: true, force: true })
	}

	#has({ publisher, id, version, package: { hashes } }: ListedRelease): boolean {
		const path = releaseTargets(publisher, id, version).package
		return this.#files.has(`${targetsFolder}/${path.replace(/[^/]*$/, name => `${hashes.sha512}.${name}`)}`)
	}

	/** What a file says of its age: believed by nobody until the registry's client has verified the same file. */
	async #read(file: string): Promise<z.infer<typeof dated>['signed']> {
		try {
			return dated.parse(JSON.parse(await readFile(join(this.#folder, metadataFolder, file), 'utf8'))).signed
		} catch (error) {
			throw pluginErrors.make('bundle_unreadable', { file: this.name, reason: messageOf(error) }, { cause: error })
		}
	}
}

const dated = z.object({
	signed: z.object({
		expires: z.string(),
		meta: z.record(z.string(), z.object({ version: z.int() })).optional(),
	}),
})
