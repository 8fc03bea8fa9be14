import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Index, Root } from '../../registry/documents.ts'
import { openKeys, type SigningKeys } from '../../registry/keys.ts'
import { type PackedDriver, packDriver } from '../../registry/pack.ts'
import { signIndex, signRoot } from '../../registry/sign.ts'
import { plainManifest } from './manifest.ts'

/** A registry made for one test, so that anything in it can be wrong. */

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

export class TestRegistry implements AsyncDisposable {
	readonly folder: string
	readonly keys: SigningKeys
	readonly #root: string
	readonly releases: PackedDriver['release'][] = []

	private constructor(root: string, keys: SigningKeys) {
		this.#root = root
		this.folder = join(root, 'registry')
		this.keys = keys
	}

	/** A signed registry without releases. */
	static async make(): Promise<TestRegistry> {
		const root = await mkdtemp(join(tmpdir(), 'roundhouse-registry-'))
		const registry = new TestRegistry(root, await openKeys(join(root, 'keys')))
		await mkdir(registry.folder)
		await registry.writeRoot()
		return registry
	}

	/** A registry with one release of the driver `tiny`. */
	static async withDriver(source = workingDriver, version = '1.0.0'): Promise<TestRegistry> {
		const registry = await TestRegistry.make()
		await registry.add(source, version)
		await registry.writeIndex()
		return registry
	}

	get source() {
		return { url: pathToFileURL(this.folder).href, fingerprint: this.keys.root.id }
	}

	/** Packs a release of the driver `tiny`. */
	async add(source: string, version: string, manifest: Readonly<Record<string, unknown>> = {}): Promise<PackedDriver> {
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
		const packed = await packDriver(folder, { minHostVersion: '0.1.0', publishedAt: new Date().toISOString() })
		await writeFile(join(this.folder, packed.fileName), packed.tarball)
		this.releases.push(packed.release)
		return packed
	}

	async writeRoot(change: Partial<Root> = {}, signers = [this.keys.root]): Promise<void> {
		const root: Root = {
			type: 'root',
			version: 1,
			expires: inDays(30),
			rootKeys: [this.keys.root.publicJwk],
			indexKeys: [this.keys.index.publicJwk],
			...change,
		}
		await writeFile(join(this.folder, 'root.jws'), await signRoot(root, signers))
	}

	async writeIndex(change: Partial<Index> = {}, signer = this.keys.index): Promise<void> {
		const index: Index = {
			type: 'index',
			version: 10,
			expires: inDays(30),
			name: 'Test registry',
			releases: this.releases,
			...change,
		}
		await writeFile(join(this.folder, 'index.jws'), await signIndex(index, signer))
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

export function inDays(days: number): string {
	return new Date(Date.now() + days * 24 * 3600 * 1000).toISOString()
}
