import type { Manifest } from '@roundhouse/kit/manifest'
import { lt } from 'semver'
import type { Emitter } from '../../base/emitter.ts'
import type { KeyedMutex } from '../../base/keyed-mutex.ts'
import type { Log } from '../../base/log.ts'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import type { DriverPool } from '../driver-runtime/driver-pool.ts'
import type { DriverProcess } from '../driver-runtime/driver-process.ts'
import type { Development } from '../driver-runtime/spawn-driver.ts'
import type { MachinePolicy } from '../policy/machine-policy.ts'
import type { Bundle, BundleSelection } from './bundle.ts'
import type { DriverName } from './choose-release.ts'
import { pluginErrors } from './errors.ts'
import { installRelease } from './install.ts'
import type { InstalledDriver, InstalledDrivers } from './installed.ts'
import { newlyMayUse } from './permission-text.ts'
import type { Registries } from './registries.ts'
import type { RegistryBindings } from './registry-bindings.ts'
import { type Offer, ReleaseCatalog, type SourceChoice } from './release-catalog.ts'
import { refuseTakenNames } from './taken-names.ts'

export interface InstallOptions extends CallOptions {
	/** A semver range that the user named; it permits a downgrade. Default: the newest release, never an older one. */
	readonly range?: string
	/** The registry and publisher, or one of them, if several have a driver with this id and none is installed. */
	readonly from?: SourceChoice
	/** Required digest of the package. */
	readonly sha512?: string
	/** Digest of the package whose permissions the user was shown. */
	readonly shown?: string
	/** The user has accepted the permissions that the installed release does not have. */
	readonly acceptsMore?: boolean
	/** Keeps the process of the first start running, because the driver is used next. */
	readonly keepsProcess?: boolean
}

export interface BundleOptions extends BundleSelection, CallOptions {
	/** The user accepts a bundle with an expired timestamp. */
	readonly acceptsExpired?: boolean | undefined
	/** The user has accepted the permissions that the installed releases do not have. */
	readonly acceptsMore?: boolean | undefined
}

interface InstallerParts {
	readonly installed: InstalledDrivers
	readonly bindings: RegistryBindings
	readonly registries: Registries
	readonly catalog: ReleaseCatalog
	readonly policy: MachinePolicy
	readonly processes: DriverPool
	/** Reserved names, which no driver's tool may have. */
	readonly coreToolNames: ReadonlySet<string>
	/** Runs the load check of an installed driver. @throws HostError */
	readonly checkLoad: (id: string) => Promise<unknown>
	/** Set if the drivers are under development. */
	readonly development: Development | undefined
	readonly log: Log
	/** Serializes changes of one driver. */
	readonly mutex: KeyedMutex
	/** Aborts running installations. */
	readonly closing: AbortSignal
	/** Fires when a driver is installed. */
	readonly changed: Emitter
}

/** Chooses releases and installs them: from the registries, or from a bundle. */
export class Installer {
	readonly #parts: InstallerParts
	readonly #running = new Map<string, Promise<InstalledDriver>>()
	/** Manifests of drivers that are being changed, by id. Two changes at once must not take the same name. */
	readonly #arriving = new Map<string, Manifest>()

	constructor(parts: InstallerParts) {
		this.#parts = parts
	}

	/** Installs the newest release that fits. Concurrent callers share one installation. @throws HostError `plugin/…` */
	async install(
		id: string,
		{ via = this.#parts.catalog, ...options }: InstallOptions & { readonly via?: ReleaseCatalog } = {},
	): Promise<InstalledDriver> {
		const { range, from, sha512, shown } = options
		const key = JSON.stringify([id, range, from?.registry, from?.publisher, sha512, shown, via === this.#parts.catalog])
		const running = this.#running.get(key)
		if (running) return running
		const signal = AbortSignal.any([this.#parts.closing, ...(options.signal ? [options.signal] : [])])
		const installing = this.#parts.mutex
			.run(id, () => this.#install(id, { ...options, via, signal }))
			.finally(() => this.#running.delete(key))
		this.#running.set(key, installing)
		return installing
	}

	/** Installs the drivers of a bundle, if its registry is trusted. @throws HostError `plugin/bundle_…`, `plugin/…` */
	async installFrom(
		bundle: Bundle,
		{ acceptsExpired, acceptsMore = false, id, publisher, range, ...call }: BundleOptions = {},
	): Promise<readonly InstalledDriver[]> {
		const { source, name: file } = bundle
		const { fingerprint } = source
		const refusal = this.#parts.policy.registryRefusal(fingerprint)
		if (refusal) throw refusal
		if (!this.#parts.registries.of(fingerprint)) throw pluginErrors.make('bundle_untrusted', { file, fingerprint })
		const since = await bundle.validUntil()
		const isExpired = since !== undefined && since.getTime() < Date.now()
		if (isExpired && !acceptsExpired) throw pluginErrors.make('bundle_expired', { file, since: since.toISOString() })
		await using registry = this.#parts.registries.openCopy(source, isExpired ? since : undefined)
		const via = new ReleaseCatalog(
			{ list: () => [registry], refused: () => [] },
			{ bindings: this.#parts.bindings, installed: this.#parts.installed, policy: this.#parts.policy },
		)
		const listing = await registry.listing({ mustBeCurrent: true })
		const chosen = bundle.choose(listing, { id, publisher, range })
		for (const release of chosen) {
			const from = { registry: fingerprint, publisher: release.publisher }
			if (!this.#parts.bindings.allows(release.id, from)) throw pluginErrors.make('id_taken', { driver: release.id })
			const publishers = chosen.filter(other => other.id === release.id).map(other => other.publisher)
			if (publishers.length > 1)
				throw pluginErrors.make('bundle_ambiguous', { file, driver: release.id, publishers: publishers.join(', ') })
			this.#refuseOlder(release, range)
		}
		const installed: InstalledDriver[] = []
		for (const { package: pack, ...release } of chosen) {
			const from = { registry: fingerprint, publisher: release.publisher }
			const sha512 = pack.hashes.sha512 ?? ''
			installed.push(
				await this.install(release.id, { ...call, from, range: release.version, sha512, acceptsMore, via }),
			)
		}
		return installed
	}

	/**
	 * Runs a change after which a driver has the names of this manifest. The caller holds the mutex of the driver.
	 * @throws HostError `plugin/name_taken` if another driver has one of them, or is about to
	 */
	async withNames<T>(manifest: Manifest, change: () => Promise<T>): Promise<T> {
		const installed = this.#parts.installed.list().map(({ current }) => current.release.manifest)
		refuseTakenNames(manifest, [...installed, ...this.#arriving.values()], this.#parts.coreToolNames)
		this.#arriving.set(manifest.id, manifest)
		return change().finally(() => this.#arriving.delete(manifest.id))
	}

	/** Settles when no installation runs. */
	async settled(): Promise<void> {
		await Promise.allSettled(this.#running.values())
	}

	async #install(id: string, options: InstallOptions & { readonly via: ReleaseCatalog }): Promise<InstalledDriver> {
		const offer = await options.via.find(id, options)
		const { release, registry } = offer
		if (options.sha512 !== undefined && release.package.sha512 !== options.sha512)
			throw pluginErrors.make('lock_mismatch', { driver: id, version: release.version })
		if (options.shown !== undefined && release.package.sha512 !== options.shown)
			throw pluginErrors.make('not_shown', { driver: id, version: release.version })
		const before = this.#refuseOlder(release, options.range)
		this.#requireConsent(offer, options.acceptsMore)
		const { log, development } = this.#parts
		const { driver, started } = await this.withNames(release.manifest, () =>
			installRelease(this.#parts.installed, offer, { ...options, log, development }),
		)
		try {
			// If the host is killed before this, its next start binds the installed driver.
			await this.#parts.bindings.bind(id, { registry: registry.source.fingerprint, publisher: release.publisher })
			await this.#parts.processes.stop(id)
		} catch (error) {
			await started.stop()
			throw error
		}
		// The process of the first start is reused, so that a connection does not wait for a second start.
		if (options.keepsProcess && driver.isEnabled) await this.#adopt(id, started)
		else await started.stop()
		this.#parts.log.info(`installed driver ${id} ${release.version}${before ? ` (was ${before})` : ''}`)
		this.#parts.changed.fire()
		return driver
	}

	/**
	 * Keeps the process of the first start, unless a load of the driver would be refused. While it was installed, its
	 * registry may have revoked it, or been removed. A later revocation ends the process.
	 */
	async #adopt(id: string, started: DriverProcess): Promise<void> {
		await this.#parts.processes.adopt(id, started)
		// The next use of the driver reports the reason.
		await this.#parts.checkLoad(id).catch(() => this.#parts.processes.stop(id))
	}

	/** Refuses a downgrade without a range. @returns the installed version */
	#refuseOlder({ id, version }: DriverName & { readonly version: string }, range?: string): string | undefined {
		const installed = this.#parts.installed.get(id)?.current.release.version
		if (installed && range === undefined && lt(version, installed))
			throw pluginErrors.make('older', { driver: id, installed, version })
		return installed
	}

	/**
	 * Refuses changed contents of a published version, except from a checkout, which rebuilds the same version. Refuses
	 * new permissions that the user has not accepted. @throws HostError `plugin/replaced`, `wants_more`
	 */
	#requireConsent({ registry, release }: Offer, acceptsMore = false): void {
		const installed = this.#parts.installed.get(release.id)?.current.release
		if (!installed) return
		const { id: driver, version } = release
		const isReplaced = installed.version === version && installed.package.sha512 !== release.package.sha512
		if (isReplaced && !registry.source.isCheckout)
			throw pluginErrors.make('replaced', { driver, version, registry: registry.source.url })
		const gains = newlyMayUse(installed.manifest, release.manifest)
		if (gains.length > 0 && !acceptsMore)
			throw pluginErrors.make('wants_more', { driver, version, installed: installed.version, gains: gains.join('; ') })
	}
}
