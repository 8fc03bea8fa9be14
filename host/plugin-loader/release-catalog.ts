import type { Manifest } from '@roundhouse/kit/manifest'
import { registryClientErrors } from '@roundhouse/registry/client/errors'
import type { Revocation } from '@roundhouse/registry/format/format'
import { gt } from 'semver'
import { type HostError, messageOf } from '../../base/errors.ts'
import type { NamedListing, RegistryClient } from '../../registry/client/registry-client.ts'
import type { MachinePolicy } from '../policy/machine-policy.ts'
import {
	chooseReleases,
	type DriverName,
	driversOf,
	incompatibilityOf,
	type RejectionOf,
	type Revocations,
	releasesByDriver,
} from './choose-release.ts'
import { DocumentBudget } from './document-budget.ts'
import { pluginErrors } from './errors.ts'
import type { InstalledDriver, InstalledDrivers } from './installed.ts'
import type { Registries } from './registries.ts'
import type { RegistryBindings } from './registry-bindings.ts'
import { RegistryNotices } from './registry-notices.ts'
import { isBundle } from './registry-state.ts'
import { type Release, releaseOf } from './release.ts'
import { seedNotice } from './seed-notice.ts'

/** The registry and the publisher of a driver. */
export interface DriverSource {
	/** Fingerprint of the registry. */
	readonly registry: string
	readonly publisher: string
}

/** What the user has chosen of a driver's source. */
export type SourceChoice = { readonly [Part in keyof DriverSource]?: DriverSource[Part] | undefined }

/** A driver in the choice sheet and in Settings > Plugins: installed, available in a registry, or both. */
export interface DriverOffer {
	readonly manifest: Manifest
	readonly source: DriverSource
	/** Display name of its registry, if the registry could be read. */
	readonly registryName?: string
	readonly state: 'available' | 'installed' | 'disabled'
	readonly installedVersion?: string
	/** The newest release that is compatible with this host and allowed by the machine policy. */
	readonly available?: {
		readonly version: string
		/** Digest of its package. An installation of what the user was shown names it. */
		readonly sha512: string
		readonly sizeBytes: number
		readonly publishedAt: string
		readonly license: string
	}
	/** Whether `available` is newer than the installed version. */
	readonly isUpdate?: boolean
	/** Why no release can be installed, if the registry has no release that fits. */
	readonly incompatibility?: string
	/** Revocation of the installed version. */
	readonly revocation?: Pick<Revocation, 'action' | 'reason'>
}

export interface Browsing {
	readonly offers: readonly DriverOffer[]
	/** Messages for the user: registries that could not be read, and saved lists in use. */
	readonly notices: readonly string[]
}

/** A release and the registry that signed it. */
export interface Offer {
	readonly registry: RegistryClient
	readonly release: Release
}

/** A driver of a registry's current list. */
interface Source {
	readonly registry: RegistryClient
	readonly listing: NamedListing
	readonly driver: DriverName
}

/** A registry that may have a driver, and cannot be read. */
interface Unread {
	readonly registry: RegistryClient
	readonly error: unknown
}

/** The verified data of one registry. */
interface RegistryView {
	readonly registry: RegistryClient
	readonly listing: NamedListing
	readonly releasesOf: ReturnType<typeof releasesByDriver>
	readonly revocations: Revocations
	readonly notices: RegistryNotices
	readonly budget: DocumentBudget
}

/** How many releases of a driver are tried, newest first, until the host understands one. */
const maxCandidates = 10

const keyOf = ({ registry, publisher }: DriverSource, id: string) => `${registry}/${publisher}/${id}`

/** What decides, apart from the registries, which releases can be installed. */
interface ReleaseLimits {
	readonly bindings: RegistryBindings
	readonly installed: InstalledDrivers
	readonly policy: MachinePolicy
}

/**
 * The releases that can be installed. A driver id belongs to one publisher of one registry. For an installed driver,
 * this is the publisher and registry that the driver was installed from. Otherwise it is the first registry in the
 * user's order that has the id, if one publisher has it there. If that registry fails, no other registry is used as a
 * fallback.
 */
export class ReleaseCatalog {
	readonly #registries: Pick<Registries, 'list' | 'refused'>
	readonly #bindings: RegistryBindings
	readonly #installed: InstalledDrivers
	readonly #policy: MachinePolicy

	constructor(registries: Pick<Registries, 'list' | 'refused'>, { bindings, installed, policy }: ReleaseLimits) {
		this.#policy = policy
		this.#registries = registries
		this.#bindings = bindings
		this.#installed = installed
	}

	/** Returns the installed and the available drivers. A registry that cannot be read adds a notice. */
	async browse(): Promise<Browsing> {
		const notices = [...new Set(this.#registries.refused().map(({ refusal }) => refusal.message))]
		const offers = new Map<string, DriverOffer>()
		const views = await Promise.all(this.#registries.list().map(registry => this.#view(registry, notices)))
		for (const driver of this.#installed.list()) {
			const { registry, release } = driver.current
			const view = views.find(view => view?.registry.source.fingerprint === registry)
			const refusal = this.#policy.releaseRefusal({ registry, ...release })
			offers.set(keyOf({ registry, publisher: release.publisher }, release.id), {
				...offerOfInstalled(driver, view),
				...(refusal && { incompatibility: refusal.message }),
			})
		}
		for (const view of views) {
			if (!view) continue
			const registry = view.registry.source.fingerprint
			const isKnown = ({ publisher, id }: DriverName) => offers.has(keyOf({ registry, publisher }, id))
			// Installed drivers come first, because the budget of documents has a limit.
			const names = driversOf(view.listing).toSorted((a, b) => Number(isKnown(b)) - Number(isKnown(a)))
			const found = await Promise.all(names.map(driver => this.#offer(view, driver, offers)))
			for (const offer of found) if (offer) offers.set(keyOf(offer.source, offer.manifest.id), offer)
			notices.push(...view.notices.list(view.listing.name))
		}
		return { offers: [...offers.values()], notices }
	}

	/**
	 * Returns the release to install, from `from` if it is set. Without a registry and a binding, a publisher's name alone
	 * must not lead to another registry than the user means: each registry can have a publisher of that name. So all
	 * registries are read, and exactly one must offer the driver. @throws HostError `plugin/…`
	 */
	async find(
		id: string,
		{ range, from = {} }: { readonly range?: string | undefined; readonly from?: SourceChoice | undefined } = {},
	): Promise<Offer> {
		const owner = this.#bindings.of(id)
		const { registry: bound, publisher: wanted } = { ...from, ...owner }
		const registryRefusal = bound !== undefined && this.#policy.registryRefusal(bound)
		if (registryRefusal) throw registryRefusal
		if (owner && !isWithin(owner, from)) throw pluginErrors.make('id_taken', { driver: id })
		const all = this.#registries.list()
		const [refused] = this.#registries.refused()
		if (all.length === 0 && refused) throw refused.refusal
		const candidates = all.filter(({ source }) => bound === undefined || source.fingerprint === bound)
		if (candidates.length === 0 && all.length > 0) throw pluginErrors.make('registry_unknown', { driver: id })
		const readsAll = bound === undefined && wanted !== undefined
		const sources: Source[] = []
		const unread: Unread[] = []
		for (const registry of candidates) {
			try {
				sources.push(...(await this.#sourcesIn(registry, id, wanted)))
			} catch (error) {
				if (!readsAll) throw error
				unread.push({ registry, error })
			}
			if (sources.length > 0 && !readsAll) break
		}
		const [found] = sources
		if (!found) throw unread[0]?.error ?? pluginErrors.make('not_found', { driver: id })
		if (sources.length + unread.length > 1) throw ambiguity(id, wanted, { sources, unread })
		const { registry, listing, driver } = found
		const refusal = this.#policy.driverRefusal({ ...driver, registry: registry.source.fingerprint })
		if (refusal) throw refusal
		return { registry, release: await this.#choose(registry, listing, { driver, range }) }
	}

	/**
	 * Returns the drivers of a registry that have an id. Refuses a list that may lack the driver of a publisher.
	 * Otherwise a mirror that leaves out one list could make another registry the owner of the driver's id.
	 * @throws HostError `plugin/publisher_fault`, or what made the registry unreadable
	 */
	async #sourcesIn(registry: RegistryClient, id: string, publisher: string | undefined): Promise<readonly Source[]> {
		const listing = await registry.listing({ mustBeCurrent: true })
		const isWanted = (name: string) => publisher === undefined || name === publisher
		const drivers = driversOf(listing).filter(driver => driver.id === id && isWanted(driver.publisher))
		if (drivers.length === 0) refuseFault(registry, listing, isWanted)
		return drivers.map(driver => ({ registry, listing, driver }))
	}

	async #choose(
		registry: RegistryClient,
		listing: NamedListing,
		{ driver, range }: { readonly driver: DriverName; readonly range: string | undefined },
	): Promise<Release> {
		refuseFault(registry, listing, publisher => publisher === driver.publisher)
		const candidates = chooseReleases(listing, driver, {
			range,
			faultOf: this.#faultOf(registry, await registry.revocations()),
		})
		let tooNew: unknown
		for (const candidate of candidates.slice(0, maxCandidates)) {
			try {
				return releaseOf(candidate, await registry.document(candidate))
			} catch (error) {
				if (!registryClientErrors.is(error, 'release_too_new')) throw error
				tooNew ??= error
			}
		}
		throw pluginErrors.make('no_fitting_release', { driver: driver.id, reason: messageOf(tooNew) }, { cause: tooNew })
	}

	/**
	 * Returns a function that checks a release against this host, the registry's revocations and the machine's policy.
	 */
	#faultOf({ source: { fingerprint: registry } }: RegistryClient, revocations: Revocations): RejectionOf {
		return release =>
			incompatibilityOf(release, revocations) ?? this.#policy.releaseRefusal({ ...release, registry })?.message
	}

	async #view(registry: RegistryClient, notices: string[]): Promise<RegistryView | undefined> {
		try {
			const listing = await registry.listing()
			if (listing.seededAt !== undefined)
				notices.push(`${seedNotice(listing.seededAt, new Date())} ${listing.staleReason}`)
			else if (listing.staleReason && !isBundle(registry.source.url))
				notices.push(`Showing the saved plugin list. ${listing.staleReason}`)
			const own = new RegistryNotices()
			for (const [publisher, reason] of listing.faults)
				own.add(
					publisher,
					pluginErrors.make('publisher_fault', { publisher, registry: registry.source.url, reason }).message,
				)
			for (const { publisher, id, version } of listing.tooNew)
				own.add(publisher, `${listing.name} has ${id} ${version}, which needs a newer Roundhouse.`)
			const revocations = await registry.revocations()
			const releasesOf = releasesByDriver(listing)
			return { registry, listing, releasesOf, revocations, notices: own, budget: new DocumentBudget() }
		} catch (error) {
			notices.push(messageOf(error))
			return undefined
		}
	}

	/** Returns the offer of one driver of a registry. Adds a notice if a release cannot be read. */
	async #offer(
		{ registry, listing, releasesOf, revocations, notices, budget }: RegistryView,
		driver: DriverName,
		offers: ReadonlyMap<string, DriverOffer>,
	): Promise<DriverOffer | undefined> {
		const source = { registry: registry.source.fingerprint, publisher: driver.publisher }
		const known = offers.get(keyOf(source, driver.id))
		const all = releasesOf(driver)
		const faultOf = this.#faultOf(registry, revocations)
		const fitting = all.filter(release => !faultOf(release))
		for (const candidate of fitting.length > 0 ? fitting.slice(0, maxCandidates) : all.slice(0, 1)) {
			if (!budget.take(driver.publisher, candidate.document.length)) {
				if (!known) notices.leaveOut(driver.publisher, driver.id)
				return known
			}
			try {
				const release = releaseOf(candidate, await registry.document(candidate))
				const isOtherOwner = !this.#bindings.allows(driver.id, source)
				return offerOf(release, {
					known: known ?? { manifest: release.manifest, source, registryName: listing.name, state: 'available' },
					incompatibility: isOtherOwner
						? pluginErrors.make('id_taken', { driver: driver.id }).message
						: faultOf(candidate),
				})
			} catch (error) {
				notices.add(driver.publisher, messageOf(error))
				if (!registryClientErrors.is(error, 'release_too_new')) return known
			}
		}
		return known
	}
}

/** Returns whether an owner has every part of a source that was chosen. */
const isWithin = (owner: DriverSource, { registry, publisher }: SourceChoice) =>
	(registry ?? owner.registry) === owner.registry && (publisher ?? owner.publisher) === owner.publisher

/** Names the sources that a driver could come from. */
function ambiguity(
	driver: string,
	publisher: string | undefined,
	{ sources, unread }: { readonly sources: readonly Source[]; readonly unread: readonly Unread[] },
): HostError {
	const place = ({ source }: RegistryClient) => `${source.url} with the fingerprint ${source.fingerprint}`
	const choices = [
		...sources.map(({ registry, driver }) => `${driver.publisher} in ${place(registry)}`),
		...unread.map(({ registry, error }) => `${place(registry)}, which was not read (${messageOf(error)})`),
	]
	return pluginErrors.make('source_ambiguous', {
		driver,
		choices: choices.join('; '),
		publisher: publisher ?? 'PUBLISHER',
	})
}

/** @throws HostError `plugin/publisher_fault` if the list of a publisher that is concerned cannot be read */
function refuseFault(
	{ source }: RegistryClient,
	{ faults }: NamedListing,
	concerns: (publisher: string) => boolean,
): void {
	for (const [publisher, reason] of faults)
		if (concerns(publisher)) throw pluginErrors.make('publisher_fault', { publisher, registry: source.url, reason })
}

function offerOfInstalled({ current, isEnabled }: InstalledDriver, view: RegistryView | undefined): DriverOffer {
	const { manifest, version, publisher } = current.release
	const revocation = view?.revocations.get(current.release.package.sha512)
	return {
		manifest,
		source: { registry: current.registry, publisher },
		...(view && { registryName: view.listing.name }),
		state: isEnabled ? 'installed' : 'disabled',
		installedVersion: version,
		...(revocation && { revocation: { action: revocation.action, reason: revocation.reason } }),
	}
}

function offerOf(
	{ version, publishedAt, license, package: { sizeBytes, sha512 } }: Release,
	{ known, incompatibility }: { readonly known: DriverOffer; readonly incompatibility: string | undefined },
): DriverOffer {
	if (incompatibility) return { ...known, incompatibility }
	const isUpdate = known.installedVersion !== undefined && gt(version, known.installedVersion)
	return { ...known, available: { version, sha512, sizeBytes, publishedAt, license }, isUpdate }
}
