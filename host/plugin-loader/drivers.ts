import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { plainSettings } from '@roundhouse/kit/form'
import type { Manifest } from '@roundhouse/kit/manifest'
import { Emitter } from '../../base/emitter.ts'
import { messageOf } from '../../base/errors.ts'
import { KeyedMutex } from '../../base/keyed-mutex.ts'
import type { Log } from '../../base/log.ts'
import type { SupportDirectory } from '../../base/support-directory.ts'
import type { RegistrySource } from '../../registry/client/registry-client.ts'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import { DriverPool, type RunningSample, type Sharing, shared } from '../driver-runtime/driver-pool.ts'
import { type DriverProcess, type DriverProgram, driverProcessErrors } from '../driver-runtime/driver-process.ts'
import { sweepScratch } from '../driver-runtime/scratch.ts'
import type { Development } from '../driver-runtime/spawn-driver.ts'
import { describeWall, machineWall } from '../driver-runtime/wall/wall.ts'
import { MachinePolicy } from '../policy/machine-policy.ts'
import { Bundle } from './bundle.ts'
import { pluginErrors } from './errors.ts'
import { type InstalledDriver, InstalledDrivers } from './installed.ts'
import { type BundleOptions, Installer, type InstallOptions } from './installer.ts'
import { checkLoad } from './load-check.ts'
import { type DriverLock, lockOf } from './lock-file.ts'
import { Registries, type RegistriesOptions } from './registries.ts'
import { RegistryBindings } from './registry-bindings.ts'
import { type RegistryState, refusedState, stateOf } from './registry-state.ts'
import { type Browsing, ReleaseCatalog } from './release-catalog.ts'
import { RevocationWatch } from './revocation-watch.ts'

export type { RegistrySource }

interface DriversOptions extends Partial<RegistriesOptions> {
	readonly log: Log
	/** Reserved names, which no driver's tool may have. */
	readonly coreToolNames?: ReadonlySet<string>
	/** Set if the drivers are under development. */
	readonly development?: Development | undefined
}

interface DriversParts extends Required<Pick<DriversOptions, 'log' | 'coreToolNames' | 'development'>> {
	readonly installed: InstalledDrivers
	readonly bindings: RegistryBindings
	readonly registries: Registries
	readonly policy: MachinePolicy
}

/** The plugin loader's API: installed drivers, available releases, installation, and processes. */
export class Drivers {
	readonly #installed: InstalledDrivers
	readonly #bindings: RegistryBindings
	readonly #registries: Registries
	readonly #catalog: ReleaseCatalog
	readonly #policy: MachinePolicy
	readonly #processes: DriverPool
	readonly #development: Development | undefined
	readonly #log: Log
	readonly #installer: Installer
	readonly #checking = new Map<string, Promise<DriverProgram>>()
	readonly #changed = new Emitter()
	/** Fires when a driver is installed, removed, switched on or off, or when the registries change. */
	readonly onChange = this.#changed.on
	readonly #closing = new AbortController()
	readonly #watch: RevocationWatch
	/** Serializes changes of one driver; otherwise one change could sweep the folder that another is filling. */
	readonly #mutex = new KeyedMutex()

	private constructor({ installed, bindings, registries, coreToolNames, policy, development, log }: DriversParts) {
		this.#policy = policy
		this.#installed = installed
		this.#bindings = bindings
		this.#registries = registries
		this.#catalog = new ReleaseCatalog(registries, { bindings, installed, policy })
		this.#development = development
		this.#processes = new DriverPool(id => this.#programOf(id), log)
		this.#log = log
		this.#installer = new Installer({
			installed,
			bindings,
			registries,
			coreToolNames,
			policy,
			development,
			log,
			catalog: this.#catalog,
			processes: this.#processes,
			mutex: this.#mutex,
			closing: this.#closing.signal,
			changed: this.#changed,
			checkLoad: id => this.#programOf(id),
		})
		this.#watch = new RevocationWatch(registries, {
			installed,
			log,
			onRevoked: (id, action) => this.#onRevoked(id, action),
		})
	}

	static async open(
		support: SupportDirectory,
		sources: readonly RegistrySource[],
		{ log, coreToolNames = new Set(), policy = MachinePolicy.none, agent, development }: DriversOptions,
	): Promise<Drivers> {
		await sweepScratch()
		const installed = await InstalledDrivers.open(support.file('plugins'), support.file('drivers.lock.json'), log)
		const bindings = await RegistryBindings.open(support.file('registry-bindings.json'))
		for (const { current } of installed.list())
			await bindings.bind(current.release.id, { registry: current.registry, publisher: current.release.publisher })
		const registries = new Registries(support.file('registries'), sources, { policy, agent })
		return new Drivers({ installed, bindings, registries, coreToolNames, policy, development, log })
	}

	/** Returns the manifests of the drivers that are installed and switched on. */
	installed(): readonly Manifest[] {
		return this.#installed
			.list()
			.filter(driver => driver.isEnabled)
			.map(driver => driver.current.release.manifest)
	}

	/** Returns the exact installed releases, for the lock file. */
	lock(): DriverLock {
		return lockOf(this.#installed.list())
	}

	registries(): Promise<readonly RegistryState[]> {
		const refused = this.#registries.refused().map(refusedState)
		return Promise.all([...this.#registries.list().map(stateOf), ...refused])
	}

	/** Returns the newest version of the host that a registry names in a channel, if it was ever read. */
	async newestHost(fingerprint: string, channel: string): Promise<string | undefined> {
		const releases = await this.#registries.of(fingerprint)?.hostReleases()
		return releases?.[channel]?.version
	}

	/** Returns the manifests of the drivers that are installed from a registry. */
	installedFrom(fingerprint: string): readonly Manifest[] {
		return this.#from(registry => registry === fingerprint).map(({ current }) => current.release.manifest)
	}

	/** Replaces the registries. Ends the drivers of a removed registry; they are not loaded again. */
	async useRegistries(sources: readonly RegistrySource[]): Promise<void> {
		await this.#registries.use(sources)
		const orphans = this.#from(registry => !this.#registries.of(registry))
		await Promise.all(orphans.map(({ current }) => this.#processes.stop(current.release.id)))
		this.#changed.fire()
	}

	/** Returns the installed and the available drivers. */
	browse(): Promise<Browsing> {
		return this.#catalog.browse()
	}

	/** Installs the newest release that fits. Concurrent callers share one installation. @throws HostError `plugin/…` */
	install(id: string, options: InstallOptions = {}): Promise<InstalledDriver> {
		return this.#installer.install(id, options)
	}

	/** Opens a bundle: a file with a registry and some of its drivers. @throws HostError `plugin/bundle_unreadable` */
	openBundle(path: string): Promise<Bundle> {
		return Bundle.open(path, this.#installed.staging)
	}

	/** Installs the drivers of a bundle, if its registry is trusted. @throws HostError `plugin/bundle_…`, `plugin/…` */
	installFrom(bundle: Bundle, options: BundleOptions = {}): Promise<readonly InstalledDriver[]> {
		return this.#installer.installFrom(bundle, options)
	}

	/** Returns the manifest of a driver. Installs the driver without confirmation if it is missing. */
	async ensure(id: string, options: CallOptions = {}): Promise<Manifest> {
		const driver = this.#find(id) ?? (await this.install(id, { ...options, keepsProcess: true }))
		return driver.current.release.manifest
	}

	/**
	 * Removes the driver. Its saved connections stay. Its binding to a registry stays too, unless `forgetsRegistry` is
	 * set.
	 */
	remove(id: string, { forgetsRegistry = false } = {}): Promise<void> {
		return this.#mutex.run(id, async () => {
			if (forgetsRegistry) await this.#bindings.forget(id)
			if (!this.#installed.get(id)) {
				if (forgetsRegistry) return
				throw pluginErrors.make('not_installed', { driver: id })
			}
			await this.#processes.stop(id)
			await this.#installed.remove(id)
			// Another caller may have started it again before the removal.
			await this.#processes.stop(id)
			this.#changed.fire()
		})
	}

	setEnabled(id: string, isEnabled: boolean): Promise<void> {
		return this.#mutex.run(id, async () => {
			const driver = this.#require(id)
			try {
				await this.#installed.write(id, { ...driver, isEnabled })
			} finally {
				// Stopped after the write: otherwise a concurrent caller could start it again.
				if (!isEnabled) await this.#processes.stop(id)
			}
			this.#changed.fire()
		})
	}

	/** Describes how driver processes are confined on this machine. */
	async confinement(): Promise<{ readonly protectsFiles: boolean; readonly summary: string }> {
		const found = await machineWall()
		return { protectsFiles: found.wall.protectsFiles, summary: describeWall(found) }
	}

	/** Checks every installed driver against the signed list. Returns the fault or `null`, by id. */
	async verifyAll(): Promise<Readonly<Record<string, string | null>>> {
		const faults: Record<string, string | null> = {}
		for (const { current } of this.#installed.list()) {
			const { id } = current.release
			faults[id] = await this.#programOf(id).then(() => null, messageOf)
		}
		return faults
	}

	/**
	 * Returns the driver's running process, or starts one. Rolls back to the previous version if the current one does not
	 * start.
	 * @throws HostError `plugin/altered_on_disk`, `not_listed`, `revoked`, `disabled`, `driver/no_hello`
	 */
	async process(id: string, sharing: Sharing = shared): Promise<DriverProcess> {
		const tried = this.#installed.get(id)?.current.folder
		try {
			return await this.#processes.get(id, sharing)
		} catch (error) {
			if (pluginErrors.is(error, 'replaced')) return this.#takeReplacement(id, sharing, error)
			// Another caller may have rolled back meanwhile, which removes the folder of the version.
			const isReplaced = driverProcessErrors.is(error, 'no_hello')
				? await this.#mutex.run(id, () => this.#rollBack(id, tried))
				: this.#installed.get(id)?.current.folder !== tried
			if (!isReplaced) throw error
			return this.#processes.get(id, sharing)
		}
	}

	/** Counts a connection as a user of a process until it calls the returned function (`DriverPool.lease`). */
	lease(id: string, sharing: Sharing): () => Promise<void> {
		return this.#processes.lease(id, sharing)
	}

	/** Ends all processes of a driver's connections and their sockets. The next use starts them again. */
	endConnections(id: string): Promise<void> {
		return this.#processes.endConnections(id)
	}

	/** Returns the driver's sample, which runs in a separate process. The first call starts it. */
	async sample(id: string): Promise<RunningSample> {
		const { settings, url, ports, ended } = await this.#processes.sample(id)
		const { form } = this.#require(id).current.release.manifest
		return { settings: plainSettings(form, settings), url, ports, ended }
	}

	/** Ends all processes, and aborts running installations and starts. Later starts are refused. */
	async stopAll(): Promise<void> {
		this.#closing.abort()
		this.#watch[Symbol.dispose]()
		await Promise.all([this.#processes.stopAll(), this.#installer.settled()])
		await this.#registries[Symbol.asyncDispose]()
	}

	/**
	 * Rolls back to the previous version, unless the current version is no longer the one that failed.
	 * @returns `false` if there is no previous version that can be used
	 */
	async #rollBack(id: string, tried: string | undefined): Promise<boolean> {
		const driver = this.#installed.get(id)
		if (driver && driver.current.folder !== tried) return true
		if (!driver?.previous || !existsSync(this.#installed.folderOf(id, driver.previous))) return false
		const { current, previous, ...others } = driver
		try {
			await this.#installer.withNames(previous.release.manifest, () =>
				this.#installed.write(id, { ...others, current: previous }),
			)
		} catch (error) {
			if (!pluginErrors.is(error, 'name_taken')) throw error
			// Another driver has a name now that only the previous version had.
			this.#log.warn(messageOf(error))
			return false
		}
		this.#log.warn(
			`driver ${id} ${current.release.version} does not start; ${previous.release.version} is in use again`,
		)
		this.#changed.fire()
		return true
	}

	#from(matches: (registry: string) => boolean): readonly InstalledDriver[] {
		return this.#installed.list().filter(({ current }) => matches(current.registry))
	}

	/** Returns the installed driver, unless its folder was deleted outside of Roundhouse. */
	#find(id: string): InstalledDriver | undefined {
		const driver = this.#installed.get(id)
		return driver && existsSync(this.#installed.folderOf(id, driver.current)) ? driver : undefined
	}

	#require(id: string): InstalledDriver {
		const driver = this.#find(id)
		if (!driver) throw pluginErrors.make('not_installed', { driver: id })
		return driver
	}

	/** Returns the program of a driver after the load check. */
	async #programOf(id: string): Promise<DriverProgram> {
		const { current, isEnabled } = this.#require(id)
		if (!isEnabled) throw pluginErrors.make('disabled', { driver: id })
		const refusal = this.#policy.releaseRefusal({ registry: current.registry, ...current.release })
		if (refusal) throw refusal
		const checking = checkLoad(current, {
			folder: this.#installed.folderOf(id, current),
			registries: this.#registries,
			log: this.#log,
		})
		this.#checking.set(id, checking)
		const program = await checking.finally(() => this.#checking.get(id) === checking && this.#checking.delete(id))
		return { ...program, development: this.#development }
	}

	/**
	 * Installs a new build from a checkout, which rebuilds the same version. A build with an equal manifest replaces the
	 * previous one without confirmation. @throws the `error` of the load check for any other release
	 */
	async #takeReplacement(id: string, sharing: Sharing, error: unknown): Promise<DriverProcess> {
		const { version, manifest } = this.#require(id).current.release
		const { release, registry } = await this.#catalog.find(id, { range: version })
		if (!registry.source.isCheckout || !isDeepStrictEqual(release.manifest, manifest)) throw error
		await this.install(id, { range: version, keepsProcess: true })
		return this.#processes.get(id, sharing)
	}

	/** Stops a driver that its registry has revoked. */
	async #onRevoked(id: string, action: 'warn' | 'stop'): Promise<void> {
		// A load check in progress reports the revocation itself.
		const isRefused = await this.#checking.get(id)?.then(
			() => false,
			() => true,
		)
		if (action === 'stop' && !isRefused) await this.#processes.stop(id)
		this.#changed.fire()
	}
}
