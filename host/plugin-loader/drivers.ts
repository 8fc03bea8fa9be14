import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest, Settings } from '@roundhouse/kit/manifest'
import type { Release } from '@roundhouse/registry/documents'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { SupportDirectory } from '../base/support-directory.ts'
import { chooseRelease, misfitOf, releasesOf } from './choose-release.ts'
import type { CallOptions } from './driver-calls.ts'
import { type DriverProcess, type DriverProgram, driverProcessErrors } from './driver-process.ts'
import { pluginErrors } from './errors.ts'
import { installRelease, programOf } from './install.ts'
import { type InstalledDriver, InstalledDrivers } from './installed.ts'
import { RegistryClient, type RegistrySource, type VerifiedIndex } from './registry-client.ts'
import { RunningDrivers } from './running-drivers.ts'
import { faultOfTree } from './unpack.ts'

/** A driver as the choice sheet and Settings > Plugins show it: installed, offered by a registry, or both. */
export interface DriverOffer {
	readonly manifest: Manifest
	readonly state: 'available' | 'installed' | 'disabled'
	readonly installedVersion?: string
	/** The newest release that fits this host. */
	readonly available?: {
		readonly version: string
		readonly sizeBytes: number
		readonly publishedAt: string
		readonly license: string
		readonly registry: string
	}
	/** Why there is nothing to install, where the registry has only releases that do not fit. */
	readonly misfit?: string
}

export interface Browsing {
	readonly offers: readonly DriverOffer[]
	/** What kept a registry from being read, or made a saved copy serve; in words for the person. */
	readonly notices: readonly string[]
}

/** The plugin loader's one face: which drivers there are, their installation, and their processes. */
export class Drivers {
	readonly #installed: InstalledDrivers
	readonly #registries: readonly RegistryClient[]
	readonly #running: RunningDrivers
	readonly #log: Log
	readonly #installing = new Map<string, Promise<InstalledDriver>>()
	readonly #samples = new Map<string, Promise<{ settings: Settings; url: string; process: DriverProcess }>>()
	readonly #listeners = new Set<() => void>()

	private constructor(installed: InstalledDrivers, registries: readonly RegistryClient[], log: Log) {
		this.#installed = installed
		this.#registries = registries
		this.#running = new RunningDrivers(log)
		this.#log = log
	}

	static async open(support: SupportDirectory, sources: readonly RegistrySource[], log: Log): Promise<Drivers> {
		const installed = await InstalledDrivers.open(support.file('plugins'))
		const registries = sources.map(
			source => new RegistryClient(source, join(support.file('registries'), source.fingerprint)),
		)
		return new Drivers(installed, registries, log)
	}

	/** Manifests of the drivers that are installed and switched on. */
	installed(): readonly Manifest[] {
		return this.#installed
			.list()
			.filter(driver => driver.isEnabled)
			.map(driver => driver.current.release.manifest)
	}

	/** Calls back when a driver is installed, removed, or switched on or off. */
	onChange(listener: () => void): () => void {
		this.#listeners.add(listener)
		return () => this.#listeners.delete(listener)
	}

	/** Everything there is to choose from. A registry that cannot be read costs a notice, not the list. */
	async browse(): Promise<Browsing> {
		const notices: string[] = []
		const releases: { release: Release; registry: string }[] = []
		for (const registry of this.#registries) {
			try {
				const { index, staleReason } = await registry.index()
				if (staleReason) notices.push(`Showing the saved plugin list. ${staleReason}`)
				for (const id of new Set(index.releases.map(release => release.id))) {
					const [newest] = releasesOf(index, id)
					const best = releasesOf(index, id).find(release => !misfitOf(release)) ?? newest
					if (best) releases.push({ release: best, registry: index.name })
				}
			} catch (error) {
				notices.push(messageOf(error))
			}
		}
		const offers = new Map<string, DriverOffer>()
		for (const { current, isEnabled } of this.#installed.list()) {
			const { manifest, version } = current.release
			offers.set(manifest.id, { manifest, state: isEnabled ? 'installed' : 'disabled', installedVersion: version })
		}
		for (const { release, registry } of releases) {
			const { id, version, publishedAt, license, package: pack, manifest } = release
			const misfit = misfitOf(release)
			const known = offers.get(id) ?? { manifest, state: 'available' as const }
			const available = { version, sizeBytes: pack.sizeBytes, publishedAt, license, registry }
			offers.set(id, { ...known, ...(misfit ? { misfit } : { available }) })
		}
		return { offers: [...offers.values()], notices }
	}

	/** Installs the newest fitting release; callers at the same time share one installation. @throws HostError `plugin/…` */
	async install(id: string, options: CallOptions & { readonly range?: string } = {}): Promise<InstalledDriver> {
		const running = this.#installing.get(id)
		if (running) return running
		const installing = this.#install(id, options).finally(() => this.#installing.delete(id))
		this.#installing.set(id, installing)
		return installing
	}

	/** The manifest of an installed driver, installing it without a question where it is missing. */
	async ensure(id: string, options: CallOptions = {}): Promise<Manifest> {
		const driver = this.#find(id) ?? (await this.install(id, options))
		return driver.current.release.manifest
	}

	async remove(id: string): Promise<void> {
		if (!this.#installed.get(id)) throw pluginErrors.make('not_installed', { driver: id })
		await this.#stop(id)
		await this.#installed.remove(id)
		this.#changed()
	}

	async setEnabled(id: string, isEnabled: boolean): Promise<void> {
		const driver = this.#require(id)
		if (!isEnabled) await this.#stop(id)
		await this.#installed.write(id, { ...driver, isEnabled })
		this.#changed()
	}

	/** Checks every installed driver against the signed list: what is wrong with it, or `null`, by id. */
	async verifyAll(): Promise<Readonly<Record<string, string | null>>> {
		const faults: Record<string, string | null> = {}
		for (const { current } of this.#installed.list()) {
			const { id } = current.release
			faults[id] = await this.#programOf(id).then(() => null, messageOf)
		}
		return faults
	}

	/**
	 * The driver's running process. A version that does not start gives way to the one before it.
	 * @throws HostError `plugin/altered_on_disk`, `plugin/disabled`, `driver/no_hello`
	 */
	async process(id: string): Promise<DriverProcess> {
		try {
			return await this.#running.get(id, () => this.#programOf(id))
		} catch (error) {
			if (!driverProcessErrors.is(error, 'no_hello') || !(await this.#rollBack(id))) throw error
			return this.#running.get(id, () => this.#programOf(id))
		}
	}

	/** The driver's sample, started at the first call, in a process of its own. */
	async sample(id: string): Promise<{ readonly settings: Settings; readonly url: string }> {
		const running = await this.#samples.get(id)?.catch(() => undefined)
		if (running?.process.isAlive) return { settings: running.settings, url: running.url }
		const starting = (async () => {
			const process = await this.#running.get(`${id} (sample)`, () => this.#programOf(id))
			return { ...(await process.call('startSample', {})), process }
		})()
		this.#samples.set(id, starting)
		const { settings, url } = await starting
		return { settings, url }
	}

	async stopAll(): Promise<void> {
		await this.#running.stopAll()
	}

	async #install(id: string, options: CallOptions & { readonly range?: string }): Promise<InstalledDriver> {
		const { registry, verified, release } = await this.#offerOf(id, options.range)
		const before = this.#installed.get(id)?.current.release.version
		const driver = await installRelease(this.#installed, registry, verified, release, this.#log, options)
		await this.#stop(id)
		this.#log.info(`installed driver ${id} ${release.version}${before ? ` (was ${before})` : ''}`)
		this.#changed()
		return driver
	}

	/** The first registry, in the person's order, that has a fitting release. */
	async #offerOf(id: string, range?: string) {
		let failure: unknown = pluginErrors.make('not_found', { driver: id })
		for (const registry of this.#registries) {
			try {
				const verified: VerifiedIndex = await registry.index({ mustBeCurrent: true })
				return { registry, verified, release: chooseRelease(verified.index, id, range) }
			} catch (error) {
				if (!pluginErrors.is(error, 'not_found')) failure = error
			}
		}
		throw failure
	}

	/** Puts the version before back in use; `false` where there is none. */
	async #rollBack(id: string): Promise<boolean> {
		const driver = this.#installed.get(id)
		if (!driver?.previous || !existsSync(this.#installed.folderOf(id, driver.previous))) return false
		const { current, previous, ...others } = driver
		await this.#installed.write(id, { ...others, current: previous })
		this.#log.warn(
			`driver ${id} ${current.release.version} does not start; ${previous.release.version} is in use again`,
		)
		this.#changed()
		return true
	}

	/** The installed driver, unless its folder was removed behind our back. */
	#find(id: string): InstalledDriver | undefined {
		const driver = this.#installed.get(id)
		return driver && existsSync(this.#installed.folderOf(id, driver.current)) ? driver : undefined
	}

	#require(id: string): InstalledDriver {
		const driver = this.#find(id)
		if (!driver) throw pluginErrors.make('not_installed', { driver: id })
		return driver
	}

	/** What to run, after the installed files were compared with what the registry signed. */
	async #programOf(id: string): Promise<DriverProgram> {
		const driver = this.#require(id)
		if (!driver.isEnabled) throw pluginErrors.make('disabled', { driver: id })
		const altered = (reason: string) => pluginErrors.make('altered_on_disk', { driver: id, reason })
		const { current } = driver
		const registry = this.#registries.find(client => client.source.fingerprint === current.registry)
		const index = await registry?.readKept(current).catch(error => {
			throw altered(messageOf(error))
		})
		const release = index?.releases.find(other => other.package.sha512 === current.release.package.sha512)
		if (!release) throw altered('no registry of yours vouches for it')
		const folder = this.#installed.folderOf(id, current)
		const fault = await faultOfTree(folder, release.files)
		if (fault) throw altered(fault)
		return programOf(folder, release)
	}

	async #stop(id: string): Promise<void> {
		await this.#running.stop(id)
	}

	#changed(): void {
		for (const listener of this.#listeners) listener()
	}
}
