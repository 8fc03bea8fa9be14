import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { Manifest } from '@roundhouse/kit/manifest'
import { lt } from 'semver'
import { Emitter } from '../base/emitter.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { SupportDirectory } from '../base/support-directory.ts'
import { Turns } from '../base/turns.ts'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import { type DriverProcess, type DriverProgram, driverProcessErrors } from '../driver-runtime/driver-process.ts'
import { type Grants, noGrants } from '../driver-runtime/grants.ts'
import { sweepScratch } from '../driver-runtime/scratch.ts'
import { MachinePolicy } from '../policy/machine-policy.ts'
import { Bundle, type Wanted } from './bundle.ts'
import type { DriverName } from './choose-release.ts'
import { DriverProcesses, type RunningSample } from './driver-processes.ts'
import { pluginErrors } from './errors.ts'
import { installRelease } from './install.ts'
import { type InstalledDriver, InstalledDrivers } from './installed.ts'
import { checkLoad } from './load-check.ts'
import { type DriverLock, lockOf } from './lock-file.ts'
import { type Browsing, type DriverSource, Offers } from './offers.ts'
import { Registries, type RegistriesOptions } from './registries.ts'
import type { RegistrySource } from './registry/registry-client.ts'
import { RegistryBindings } from './registry-bindings.ts'
import { type RegistryState, refusedState, stateOf } from './registry-state.ts'
import { RevocationWatch } from './revocation-watch.ts'
import { refuseTakenNames } from './taken-names.ts'

export type { RegistrySource }

export interface InstallOptions extends CallOptions {
	/** A semver range the person named: it may go down. Without one the newest is meant, and never an older one. */
	readonly range?: string
	/** Whose, where several have a driver of this id and none of them is installed. */
	readonly from?: DriverSource
	/** The digest its package must have. */
	readonly sha512?: string
	/** The driver is used next. */
	readonly isWanted?: boolean
}

export interface BundleOptions extends Wanted, CallOptions {
	/** Takes a bundle whose timestamp has ended: somebody else answers for its age. */
	readonly acceptsExpired?: boolean | undefined
}

/** The plugin loader's one face: which drivers there are, their installation, and their processes. */
export class Drivers {
	readonly #installed: InstalledDrivers
	readonly #bindings: RegistryBindings
	readonly #registries: Registries
	readonly #offers: Offers
	readonly #policy: MachinePolicy
	readonly #coreToolNames: ReadonlySet<string>
	readonly #processes: DriverProcesses
	readonly #log: Log
	readonly #installing = new Map<string, Promise<InstalledDriver>>()
	readonly #checking = new Map<string, Promise<DriverProgram>>()
	readonly #changed = new Emitter()
	/** Tells when a driver is installed, removed, or switched on or off, or a registry comes or goes. */
	readonly onChange = this.#changed.on
	readonly #closing = new AbortController()
	readonly #watch: RevocationWatch
	/** What changes one driver happens one after the other, or one would sweep the folder that another is filling. */
	readonly #turns = new Turns()

	private constructor(
		installed: InstalledDrivers,
		bindings: RegistryBindings,
		registries: Registries,
		coreToolNames: ReadonlySet<string>,
		policy: MachinePolicy,
		log: Log,
	) {
		this.#policy = policy
		this.#installed = installed
		this.#bindings = bindings
		this.#registries = registries
		this.#offers = new Offers(registries, bindings, installed, policy)
		this.#coreToolNames = coreToolNames
		this.#processes = new DriverProcesses(id => this.#programOf(id), log)
		this.#log = log
		this.#watch = new RevocationWatch(registries, installed, log, (id, action) => this.#onRevoked(id, action))
	}

	/** `coreToolNames`: what no driver's tool may be called. */
	static async open(
		support: SupportDirectory,
		sources: readonly RegistrySource[],
		log: Log,
		coreToolNames: ReadonlySet<string> = new Set(),
		{ policy = MachinePolicy.none, agent }: Partial<RegistriesOptions> = {},
	): Promise<Drivers> {
		await sweepScratch()
		const installed = await InstalledDrivers.open(support.file('plugins'), support.file('drivers.lock.json'), log)
		const bindings = await RegistryBindings.open(support.file('registry-bindings.json'))
		// A default registry of the time when fingerprints were a key's was never kept by name. It is the one of now.
		await bindings.forgetWhere(
			registry => !/^[0-9a-f]{64}$/.test(registry) && !sources.some(({ fingerprint }) => fingerprint === registry),
		)
		for (const { current } of installed.list())
			await bindings.bind(current.release.id, { registry: current.registry, publisher: current.release.publisher })
		const registries = new Registries(support.file('registries'), sources, { policy, agent })
		const drivers = new Drivers(installed, bindings, registries, coreToolNames, policy, log)
		drivers.#bringBack()
		return drivers
	}

	/** Manifests of the drivers that are installed and switched on. */
	installed(): readonly Manifest[] {
		return this.#installed
			.list()
			.filter(driver => driver.isEnabled)
			.map(driver => driver.current.release.manifest)
	}

	/** What is installed, to be installed elsewhere just so. */
	lock(): DriverLock {
		return lockOf(this.#installed.list())
	}

	/** How each registry is. */
	registries(): Promise<readonly RegistryState[]> {
		const refused = this.#registries.refused().map(refusedState)
		return Promise.all([...this.#registries.list().map(stateOf), ...refused])
	}

	/** What is installed from a registry. */
	installedFrom(fingerprint: string): readonly Manifest[] {
		return this.#from(registry => registry === fingerprint).map(({ current }) => current.release.manifest)
	}

	/** From now on these are the registries. What was installed from one that is gone ends, and is not loaded again. */
	async useRegistries(sources: readonly RegistrySource[]): Promise<void> {
		await this.#registries.use(sources)
		const orphans = this.#from(registry => !this.#registries.of(registry))
		await Promise.all(orphans.map(({ current }) => this.#processes.stop(current.release.id)))
		this.#changed.fire()
	}

	/** Everything there is to choose from. */
	browse(): Promise<Browsing> {
		return this.#offers.browse()
	}

	/** Installs the newest fitting release; callers at the same time share one installation. @throws HostError `plugin/…` */
	install(id: string, options: InstallOptions = {}): Promise<InstalledDriver> {
		return this.#installOnce(id, { ...options, via: this.#offers })
	}

	async #installOnce(id: string, options: InstallOptions & { readonly via: Offers }): Promise<InstalledDriver> {
		const { range, from, sha512, via } = options
		const wanted = JSON.stringify([id, range, from?.registry, from?.publisher, sha512, via === this.#offers])
		const running = this.#installing.get(wanted)
		if (running) return running
		const signal = AbortSignal.any([this.#closing.signal, ...(options.signal ? [options.signal] : [])])
		const installing = this.#turns
			.take(id, () => this.#install(id, { ...options, signal }))
			.finally(() => this.#installing.delete(wanted))
		this.#installing.set(wanted, installing)
		return installing
	}

	/** Opens a file that has a registry and some of its drivers. @throws HostError `plugin/bundle_unreadable` */
	openBundle(path: string): Promise<Bundle> {
		return Bundle.open(path, this.#installed.staging)
	}

	/** Installs what a bundle has, where its registry is trusted. @throws HostError `plugin/bundle_…`, `plugin/…` */
	async installFrom(
		bundle: Bundle,
		{ acceptsExpired, id, publisher, range, ...call }: BundleOptions = {},
	): Promise<readonly InstalledDriver[]> {
		const { source, name: file } = bundle
		const { fingerprint } = source
		const refusal = this.#policy.registryRefusal(fingerprint)
		if (refusal) throw refusal
		if (!this.#registries.of(fingerprint)) throw pluginErrors.make('bundle_untrusted', { file, fingerprint })
		const since = await bundle.lastMoment()
		const isExpired = since !== undefined && since.getTime() < Date.now()
		if (isExpired && !acceptsExpired) throw pluginErrors.make('bundle_expired', { file, since: since.toISOString() })
		await using registry = this.#registries.openCopy(source, isExpired ? since : undefined)
		const via = new Offers({ list: () => [registry], refused: () => [] }, this.#bindings, this.#installed, this.#policy)
		const listing = await registry.listing({ mustBeCurrent: true })
		const installed: InstalledDriver[] = []
		for (const { package: pack, ...release } of bundle.choose(listing, { id, publisher, range })) {
			const from = { registry: fingerprint, publisher: release.publisher }
			if (!this.#bindings.allows(release.id, from)) throw pluginErrors.make('id_taken', { driver: release.id })
			this.#refuseOlder(release, range)
			const sha512 = pack.hashes.sha512 ?? ''
			installed.push(await this.#installOnce(release.id, { ...call, from, range: release.version, sha512, via }))
		}
		return installed
	}

	/** The manifest of an installed driver, installing it without a question where it is missing. */
	async ensure(id: string, options: CallOptions = {}): Promise<Manifest> {
		const driver = this.#find(id) ?? (await this.install(id, { ...options, isWanted: true }))
		return driver.current.release.manifest
	}

	/** Removes the driver; its saved connections stay, and so does its registry unless that is forgotten too. */
	remove(id: string, { forgetsRegistry = false } = {}): Promise<void> {
		return this.#turns.take(id, async () => {
			if (forgetsRegistry) await this.#bindings.forget(id)
			if (!this.#installed.get(id)) {
				if (forgetsRegistry) return
				throw pluginErrors.make('not_installed', { driver: id })
			}
			await this.#processes.stop(id)
			await this.#installed.remove(id)
			// Until then somebody may have started it again.
			await this.#processes.stop(id)
			this.#changed.fire()
		})
	}

	setEnabled(id: string, isEnabled: boolean): Promise<void> {
		return this.#turns.take(id, async () => {
			const driver = this.#require(id)
			try {
				await this.#installed.write(id, { ...driver, isEnabled })
			} finally {
				// Stopped before it is off, it would be started again by whoever asks for it meanwhile.
				if (!isEnabled) await this.#processes.stop(id)
			}
			this.#changed.fire()
		})
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
	 * @throws HostError `plugin/altered_on_disk`, `not_listed`, `revoked`, `disabled`, `driver/no_hello`
	 */
	async process(id: string, grants: Grants = noGrants): Promise<DriverProcess> {
		const tried = this.#installed.get(id)?.current.folder
		try {
			return await this.#processes.get(id, grants)
		} catch (error) {
			if (pluginErrors.is(error, 'replaced')) return this.#takeReplacement(id, grants, error)
			// Its folder goes with a version that gives way, also while somebody else tries it.
			const isReplaced = driverProcessErrors.is(error, 'no_hello')
				? await this.#turns.take(id, () => this.#rollBack(id, tried))
				: this.#installed.get(id)?.current.folder !== tried
			if (!isReplaced) throw error
			return this.#processes.get(id, grants)
		}
	}

	/** Ends a process that was started for its grants, once nobody uses them. */
	endGranted(id: string, grants: Grants): Promise<void> {
		return this.#processes.endGranted(id, grants)
	}

	/** The driver's sample, started at the first call, in a process of its own. */
	async sample(id: string): Promise<RunningSample> {
		const { settings, url, ports, ended } = await this.#processes.sample(id)
		return { settings, url, ports, ended }
	}

	/** For good: also what is being installed or started ends. */
	async stopAll(): Promise<void> {
		this.#closing.abort()
		this.#watch[Symbol.dispose]()
		await Promise.all([this.#processes.stopAll(), Promise.allSettled(this.#installing.values())])
		await this.#registries[Symbol.asyncDispose]()
	}

	async #install(id: string, options: InstallOptions & { readonly via: Offers }): Promise<InstalledDriver> {
		const offer = await options.via.find(id, options)
		const { release, registry } = offer
		if (options.sha512 !== undefined && release.package.sha512 !== options.sha512)
			throw pluginErrors.make('lock_mismatch', { driver: id, version: release.version })
		const before = this.#refuseOlder(release, options.range)
		const others = this.#installed.list().map(({ current }) => current.release.manifest)
		refuseTakenNames(release.manifest, others, this.#coreToolNames)
		const { driver, started } = await installRelease(this.#installed, offer, this.#log, options)
		try {
			// Where a kill comes between the two, the next start binds what it finds installed.
			await this.#bindings.bind(id, { registry: registry.source.fingerprint, publisher: release.publisher })
			await this.#processes.stop(id)
		} catch (error) {
			await started.stop()
			throw error
		}
		// Whoever installs it to use it has the process that was started to try it.
		if (options.isWanted && driver.isEnabled) await this.#processes.adopt(id, started)
		else await started.stop()
		this.#log.info(`installed driver ${id} ${release.version}${before ? ` (was ${before})` : ''}`)
		this.#changed.fire()
		return driver
	}

	/** Nobody goes back who did not name a range. @returns the version that is installed */
	#refuseOlder({ id, version }: DriverName & { readonly version: string }, range?: string): string | undefined {
		const installed = this.#installed.get(id)?.current.release.version
		if (installed && range === undefined && lt(version, installed))
			throw pluginErrors.make('older', { driver: id, installed, version })
		return installed
	}

	/** Puts the version before back in use, unless another than the one that was tried is; `false` where there is none. */
	async #rollBack(id: string, tried: string | undefined): Promise<boolean> {
		const driver = this.#installed.get(id)
		if (driver && driver.current.folder !== tried) return true
		if (!driver?.previous || !existsSync(this.#installed.folderOf(id, driver.previous))) return false
		const { current, previous, ...others } = driver
		await this.#installed.write(id, { ...others, current: previous })
		this.#log.warn(
			`driver ${id} ${current.release.version} does not start; ${previous.release.version} is in use again`,
		)
		this.#changed.fire()
		return true
	}

	#from(isMeant: (registry: string) => boolean): readonly InstalledDriver[] {
		return this.#installed.list().filter(({ current }) => isMeant(current.registry))
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

	/** What to run, after it was looked at. */
	async #programOf(id: string): Promise<DriverProgram> {
		const { current, isEnabled } = this.#require(id)
		if (!isEnabled) throw pluginErrors.make('disabled', { driver: id })
		const refusal = this.#policy.releaseRefusal({ registry: current.registry, ...current.release })
		if (refusal) throw refusal
		const checking = checkLoad(current, this.#installed.folderOf(id, current), this.#registries, this.#log)
		this.#checking.set(id, checking)
		return checking.finally(() => this.#checking.get(id) === checking && this.#checking.delete(id))
	}

	/**
	 * A checkout builds one version again and again. Where the new build may do what the old one may, it takes its place
	 * without a question. @throws the `error` that told of it where it may do more
	 */
	async #takeReplacement(id: string, grants: Grants, error: unknown): Promise<DriverProcess> {
		const { version, manifest } = this.#require(id).current.release
		const { release } = await this.#offers.find(id, { range: version })
		if (!isDeepStrictEqual(release.manifest.permissions, manifest.permissions)) throw error
		await this.install(id, { range: version, isWanted: true })
		return this.#processes.get(id, grants)
	}

	/** Stops what its registry has said must not run. */
	async #onRevoked(id: string, action: 'warn' | 'stop'): Promise<void> {
		// A load that is looking at it right now says itself why it does not go on.
		const isRefused = await this.#checking.get(id)?.then(
			() => false,
			() => true,
		)
		if (action === 'stop' && !isRefused) await this.#processes.stop(id)
		this.#changed.fire()
	}

	/** Installs anew, in the background, what was installed from a registry of the kind before. */
	#bringBack(): void {
		for (const id of this.#installed.former())
			this.install(id).catch(error => this.#log.warn(`driver ${id} has to be installed anew: ${messageOf(error)}`))
	}
}
