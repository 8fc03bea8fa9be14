import type { Manifest } from '@roundhouse/kit/manifest'
import type { Revocation } from '@roundhouse/registry/format'
import { gt } from 'semver'
import { messageOf } from '../base/errors.ts'
import type { MachinePolicy } from '../policy/machine-policy.ts'
import {
	chooseReleases,
	type DriverName,
	driversOf,
	type FaultOf,
	incompatibilityOf,
	type Revocations,
	releasesOf,
} from './choose-release.ts'
import { pluginErrors } from './errors.ts'
import type { InstalledDriver, InstalledDrivers } from './installed.ts'
import type { Registries } from './registries.ts'
import type { NamedListing, RegistryClient } from './registry/registry-client.ts'
import type { RegistryBindings } from './registry-bindings.ts'
import { isBundle } from './registry-state.ts'
import { type Release, releaseOf } from './release.ts'

/** Where a driver comes from. */
export interface DriverSource {
	/** Fingerprint of the registry. */
	readonly registry: string
	readonly publisher: string
}

/** A driver as the choice sheet and Settings > Plugins show it: installed, offered by a registry, or both. */
export interface DriverOffer {
	readonly manifest: Manifest
	readonly source: DriverSource
	/** How its registry calls itself, where that could be read. */
	readonly registryName?: string
	readonly state: 'available' | 'installed' | 'disabled'
	readonly installedVersion?: string
	/** The newest release that fits this host. */
	readonly available?: {
		readonly version: string
		readonly sizeBytes: number
		readonly publishedAt: string
		readonly license: string
	}
	/** `available` is newer than what is installed. */
	readonly isUpdate?: boolean
	/** Why there is nothing to install, where the registry has only releases that do not fit. */
	readonly incompatibility?: string
	/** What the registry says against the version that is installed. */
	readonly revocation?: Pick<Revocation, 'action' | 'reason'>
}

export interface Browsing {
	readonly offers: readonly DriverOffer[]
	/** What kept a registry from being read, or made a saved copy serve; in words for the person. */
	readonly notices: readonly string[]
}

/** A release, and who vouches for it. */
export interface Offer {
	readonly registry: RegistryClient
	readonly release: Release
}

/** One registry's part of what is shown. */
interface Shelf {
	readonly registry: RegistryClient
	readonly listing: NamedListing
	readonly revocations: Revocations
}

const keyOf = ({ registry, publisher }: DriverSource, id: string) => `${registry}/${publisher}/${id}`

/**
 * What there is to install. An id belongs to one publisher of one registry: those it was installed from, and before that
 * the first, in the person's order, that have it. No failure of that one makes room for another.
 */
export class Offers {
	readonly #registries: Pick<Registries, 'list' | 'refused'>
	readonly #bindings: RegistryBindings
	readonly #installed: InstalledDrivers
	readonly #policy: MachinePolicy

	constructor(
		registries: Pick<Registries, 'list' | 'refused'>,
		bindings: RegistryBindings,
		installed: InstalledDrivers,
		policy: MachinePolicy,
	) {
		this.#policy = policy
		this.#registries = registries
		this.#bindings = bindings
		this.#installed = installed
	}

	/** Everything there is to choose from. A registry that cannot be read costs a notice, not the list. */
	async browse(): Promise<Browsing> {
		const notices = [...new Set(this.#registries.refused().map(({ refusal }) => refusal.message))]
		const offers = new Map<string, DriverOffer>()
		const shelves = await Promise.all(this.#registries.list().map(registry => this.#shelf(registry, notices)))
		for (const driver of this.#installed.list()) {
			const { registry, release } = driver.current
			const shelf = shelves.find(shelf => shelf?.registry.source.fingerprint === registry)
			const refusal = this.#policy.releaseRefusal({ registry, ...release })
			offers.set(keyOf({ registry, publisher: release.publisher }, release.id), {
				...offerOfInstalled(driver, shelf),
				...(refusal && { incompatibility: refusal.message }),
			})
		}
		for (const shelf of shelves) {
			if (!shelf) continue
			const names = driversOf(shelf.listing)
			const found = await Promise.all(names.map(driver => this.#offer(shelf, driver, offers, notices)))
			for (const offer of found) if (offer) offers.set(keyOf(offer.source, offer.manifest.id), offer)
		}
		return { offers: [...offers.values()], notices }
	}

	/** The release to install, of `from` where the person named that. @throws HostError `plugin/…` */
	async find(
		id: string,
		{ range, from }: { readonly range?: string | undefined; readonly from?: DriverSource | undefined } = {},
	): Promise<Offer> {
		const bound = this.#bindings.of(id)?.registry ?? from?.registry
		const foreign = bound !== undefined && this.#policy.registryRefusal(bound)
		if (foreign) throw foreign
		const all = this.#registries.list()
		const [refused] = this.#registries.refused()
		if (all.length === 0 && refused) throw refused.refusal
		const mine = all.filter(({ source }) => !bound || source.fingerprint === bound)
		if (mine.length === 0 && all.length > 0) throw pluginErrors.make('registry_unknown', { driver: id })
		for (const registry of mine) {
			const listing = await registry.listing({ mustBeCurrent: true })
			const source = (publisher: string) => ({ registry: registry.source.fingerprint, publisher })
			const driver = driversOf(listing).find(
				name =>
					name.id === id &&
					this.#bindings.allows(id, source(name.publisher)) &&
					(!from || (from.registry === registry.source.fingerprint && from.publisher === name.publisher)),
			)
			if (!driver) continue
			const refusal = this.#policy.driverRefusal({ ...driver, registry: registry.source.fingerprint })
			if (refusal) throw refusal
			return { registry, release: await this.#choose(registry, listing, driver, range) }
		}
		if (from && !this.#bindings.allows(id, from)) throw pluginErrors.make('id_taken', { driver: id })
		throw pluginErrors.make('not_found', { driver: id })
	}

	async #choose(
		registry: RegistryClient,
		listing: NamedListing,
		driver: DriverName,
		range: string | undefined,
	): Promise<Release> {
		const fault = listing.faults.get(driver.publisher)
		const registryUrl = registry.source.url
		if (fault)
			throw pluginErrors.make('publisher_fault', { publisher: driver.publisher, registry: registryUrl, reason: fault })
		const candidates = chooseReleases(listing, driver, {
			range,
			faultOf: this.#faultOf(registry, await registry.revocations()),
		})
		let tooNew: unknown
		for (const candidate of candidates) {
			try {
				return releaseOf(candidate, await registry.document(candidate))
			} catch (error) {
				if (!pluginErrors.is(error, 'release_too_new')) throw error
				tooNew ??= error
			}
		}
		throw pluginErrors.make('no_fitting_release', { driver: driver.id, reason: messageOf(tooNew) }, { cause: tooNew })
	}

	/** What this host, the registry itself or the machine's policy has against a release. */
	#faultOf({ source: { fingerprint: registry } }: RegistryClient, revocations: Revocations): FaultOf {
		return release =>
			incompatibilityOf(release, revocations) ?? this.#policy.releaseRefusal({ ...release, registry })?.message
	}

	async #shelf(registry: RegistryClient, notices: string[]): Promise<Shelf | undefined> {
		try {
			const listing = await registry.listing()
			if (listing.staleReason && !isBundle(registry.source.url))
				notices.push(`Showing the saved plugin list. ${listing.staleReason}`)
			for (const { id, version } of listing.tooNew)
				notices.push(`${listing.name} has ${id} ${version}, which needs a newer Roundhouse.`)
			for (const [publisher, reason] of listing.faults)
				notices.push(pluginErrors.make('publisher_fault', { publisher, registry: registry.source.url, reason }).message)
			return { registry, listing, revocations: await registry.revocations() }
		} catch (error) {
			notices.push(messageOf(error))
			return undefined
		}
	}

	/** One driver as its shelf has it. What cannot be read of it costs a notice. */
	async #offer(
		{ registry, listing, revocations }: Shelf,
		driver: DriverName,
		offers: ReadonlyMap<string, DriverOffer>,
		notices: string[],
	): Promise<DriverOffer | undefined> {
		const source = { registry: registry.source.fingerprint, publisher: driver.publisher }
		const known = offers.get(keyOf(source, driver.id))
		const all = releasesOf(listing, driver)
		const faultOf = this.#faultOf(registry, revocations)
		const fitting = all.filter(release => !faultOf(release))
		for (const candidate of fitting.length > 0 ? fitting : all.slice(0, 1)) {
			try {
				const release = releaseOf(candidate, await registry.document(candidate))
				const isForeign = !this.#bindings.allows(driver.id, source)
				return offerOf(release, {
					known: known ?? { manifest: release.manifest, source, registryName: listing.name, state: 'available' },
					incompatibility: isForeign
						? pluginErrors.make('id_taken', { driver: driver.id }).message
						: faultOf(candidate),
				})
			} catch (error) {
				notices.push(messageOf(error))
				if (!pluginErrors.is(error, 'release_too_new')) return known
			}
		}
		return known
	}
}

function offerOfInstalled({ current, isEnabled }: InstalledDriver, shelf: Shelf | undefined): DriverOffer {
	const { manifest, version, publisher } = current.release
	const revocation = shelf?.revocations.get(current.release.package.sha512)
	return {
		manifest,
		source: { registry: current.registry, publisher },
		...(shelf && { registryName: shelf.listing.name }),
		state: isEnabled ? 'installed' : 'disabled',
		installedVersion: version,
		...(revocation && { revocation: { action: revocation.action, reason: revocation.reason } }),
	}
}

function offerOf(
	{ version, publishedAt, license, package: { sizeBytes } }: Release,
	{ known, incompatibility }: { readonly known: DriverOffer; readonly incompatibility: string | undefined },
): DriverOffer {
	if (incompatibility) return { ...known, incompatibility }
	const isUpdate = known.installedVersion !== undefined && gt(version, known.installedVersion)
	return { ...known, available: { version, sizeBytes, publishedAt, license }, isUpdate }
}
