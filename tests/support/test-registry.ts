import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRegistry } from '../../registry/publisher/create.ts'
import { delegatePublisher } from '../../registry/publisher/delegations.ts'
import { makeKey, openKeys } from '../../registry/publisher/key-folder.ts'
import { packDriver } from '../../registry/publisher/pack.ts'
import type { PackedRelease } from '../../registry/publisher/package.ts'
import { addRelease } from '../../registry/publisher/releases.ts'
import { type Keeper, Repository } from '../../registry/publisher/repository.ts'
import { revokeRelease } from '../../registry/publisher/revocations.ts'
import { plainManifest } from './manifest.ts'

/** A registry for one test, so that any part of it can be wrong. */

/** The smallest driver: it connects to nothing and has one table. */
export const workingDriver = `
	export default {
		async connect(settings) {
			return {
				info: () => ({ product: 'Tiny', version: '1', notices: [] }),
				listTables: async () => [{ name: 'only' }],
				close: async () => {},
			}
		},
	}`

interface Making {
	readonly name?: string
	readonly publisher?: string
	/** The time of creation. The roles expire by their lifetime after it. */
	readonly now?: Keeper['now']
}

export class TestRegistry implements AsyncDisposable {
	readonly folder: string
	readonly keyFolder: string
	readonly publisher: string
	readonly fingerprint: string
	readonly #root: string

	private constructor(root: string, publisher: string, fingerprint: string) {
		this.#root = root
		this.folder = join(root, 'registry')
		this.keyFolder = join(root, 'keys')
		this.publisher = publisher
		this.fingerprint = fingerprint
	}

	/** Creates a signed registry with a publisher, and without releases. */
	static async make({ name = 'Test registry', publisher = 'acme', now }: Making = {}): Promise<TestRegistry> {
		const root = await mkdtemp(join(tmpdir(), 'roundhouse-registry-'))
		const [folder, keyFolder] = [join(root, 'registry'), join(root, 'keys')]
		const clock = now ? { now } : {}
		await createRegistry({ folder, keyFolder, name, rootKeys: 2, rootThreshold: 2, ...clock })
		const repository = await Repository.open(folder, { keys: await openKeys(keyFolder), ...clock })
		const registry = new TestRegistry(root, publisher, await repository.fingerprint())
		await registry.edit(async mine => delegatePublisher(mine, publisher, await registry.newKey(publisher)), clock)
		return registry
	}

	/** Creates a registry with one release of the driver `tiny`. */
	static async withDriver(source = workingDriver, version = '1.0.0', making: Making = {}): Promise<TestRegistry> {
		const registry = await TestRegistry.make(making)
		await registry.add(source, version)
		return registry
	}

	get source() {
		return { url: pathToFileURL(this.folder).href, fingerprint: this.fingerprint }
	}

	/** Creates a key for a role, with a threshold of one signature. */
	async newKey(role: string) {
		return { publicKeys: [(await makeKey(this.keyFolder, role)).publicKey], threshold: 1 }
	}

	/** Changes the registry and publishes the change. */
	async edit(change: (repository: Repository) => unknown, keeper: Omit<Keeper, 'keys'> = {}): Promise<void> {
		const keys = await openKeys(this.keyFolder)
		// A key that is created during the change signs too.
		const repository = await Repository.open(this.folder, { keys, ...keeper })
		await change(repository)
		for (const [id, key] of await openKeys(this.keyFolder)) (keys as Map<string, typeof key>).set(id, key)
		await repository.publish()
	}

	/** Packs a release of the driver `tiny`. */
	async pack(
		source: string,
		version: string,
		manifest: Readonly<Record<string, unknown>> = {},
	): Promise<PackedRelease> {
		const folder = join(this.#root, 'source', version)
		await mkdir(folder, { recursive: true })
		await writeFile(join(folder, 'driver.ts'), source)
		const roundhouse = {
			...plainManifest,
			id: 'tiny',
			displayName: 'Tiny',
			...manifest,
		}
		await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'tiny', version, license: 'MIT', roundhouse }))
		return packDriver(folder, { minHostVersion: '0.1.0', publishedAt: new Date().toISOString() })
	}

	/** Publishes a release of the driver `tiny`. */
	async add(source: string, version: string, manifest: Readonly<Record<string, unknown>> = {}): Promise<PackedRelease> {
		const packed = await this.pack(source, version, manifest)
		await this.publish(packed)
		return packed
	}

	/** Publishes one of the other drivers of the tests, by the name of its folder. */
	async addOwn(name: 'arithmetic' | 'ledger' | 'shop' | 'till'): Promise<void> {
		const drivers = join(import.meta.dirname, '..', 'mcp', 'drivers')
		const manifest = JSON.parse(await readFile(join(drivers, name, 'manifest.json'), 'utf8'))
		// A bundle has no file from outside of the driver's folder.
		const source = join(this.#root, 'source', '1.0.0')
		await cp(join(drivers, name), join(source, name), { recursive: true })
		await cp(join(drivers, 'export-rows.ts'), join(source, 'export-rows.ts'))
		await this.add(`export { default } from './${name}/driver.ts'`, '1.0.0', manifest)
	}

	/** Publishes a release, replacing one of the same version. */
	async publish(packed: PackedRelease, keeper: Omit<Keeper, 'keys'> = {}): Promise<void> {
		await this.edit(mine => addRelease(mine, packed, { publisher: this.publisher, replaces: true }), keeper)
	}

	/** Removes releases of `tiny`, as if they had never existed. */
	async drop(...versions: readonly string[]): Promise<void> {
		await this.edit(mine =>
			mine.changeTargets(this.publisher, ({ targets }) => {
				for (const path of Object.keys(targets))
					if (versions.some(version => path.includes(`/tiny/${version}.`))) delete targets[path]
			}),
		)
	}

	async revoke(version: string, action: 'warn' | 'stop', reason = 'It leaks.'): Promise<void> {
		const release = `${this.publisher}/tiny/${version}`
		await this.edit(mine => revokeRelease(mine, release, { reason, action, at: new Date() }))
	}

	/** Returns the path of a target of the registry. */
	targetFile(path: string, sha512: string): string {
		return `targets/${path.replace(/[^/]*$/, name => `${sha512}.${name}`)}`
	}

	/** Changes a file of the registry in place. */
	async alter(name: string, change: (data: Buffer) => Buffer): Promise<void> {
		const path = join(this.folder, name)
		await writeFile(path, change(await readFile(path)))
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await rm(this.#root, { recursive: true, force: true })
	}
}
