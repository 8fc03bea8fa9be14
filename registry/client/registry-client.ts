import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { Emitter } from '../../base/emitter.ts'
import { messageOf } from '../../base/errors.ts'
import {
	type HostReleases,
	hostReleasesSchema,
	hostReleasesTarget,
	maxDelegations,
	metadataFolder,
	type ReleaseDocument,
	type Revocation,
	registrySchema,
	registryTarget,
	releaseDocumentSchema,
	revocationsRole,
	revocationsSchema,
	revocationsTarget,
	targetsFolder,
} from '../format/format.ts'
import type { BudgetLimits } from '../format/reading-budget.ts'
import { parseSigned } from '../format/signed-json.ts'
import { maxValidityMs } from '../format/validity.ts'
import { registryUrl } from './address.ts'
import { registryClientErrors } from './errors.ts'
import {
	anyPathOf,
	hasRevocations,
	type ListedRelease,
	type Listing,
	publishersIn,
	type ReleaseName,
	readListing,
	readRelease,
} from './listing.ts'
import { type Generation, MetadataCache, type Walking } from './metadata-cache.ts'
import { refusalOf } from './refusal.ts'
import type { ReadOptions } from './request.ts'
import { type Seed, SeededReleases } from './seed.ts'
import { type DownloadOptions, downloadTarget, type Target } from './target.ts'
import { TargetStore } from './target-store.ts'
import { verifiedExpiry, verifiedRole, verifiedTargets } from './verified-roles.ts'

/** A registry that the user trusts: its address, and the SHA-256 digest of its first root metadata. */
export interface RegistrySource {
	readonly url: string
	readonly fingerprint: string
	/** Whether it is the registry of the checkout that this host runs from. Its builds reuse version numbers. */
	readonly isCheckout?: boolean
	/** Releases that come with the host, until this registry was read for the first time. */
	readonly seed?: Seed
}

export interface ReadingOptions extends Pick<ReadOptions, 'agent'> {
	/** Checks expiry as of this time instead of now. */
	readonly asOf?: Date | undefined
	/**
	 * Whether another client reads the same folder. That client may be downloading, so temporary files are not removed.
	 */
	readonly isCopy?: boolean
}

export interface NamedListing extends Listing {
	/** Name by which the registry describes itself. */
	readonly name: string
	/** The reason why the registry could not be read. Set only if the stored list or the seed was used instead. */
	readonly staleReason?: string
	/** When the seed was made, if this is the list of the seed: the registry was never read on this machine. */
	readonly seededAt?: string
}

/** A release's document, with the text that its digest covers. */
export interface ReadDocument extends ReleaseDocument {
	readonly text: string
}

const fingerprintPattern = /^[0-9a-f]{64}$/
/** More than a list of drivers reads, in files and in bytes (host/plugin-loader/document-budget.ts). */
const documentLimits: BudgetLimits = { files: 2_000, bytes: 128 * 1024 * 1024 }
/** Maximum time that loading a driver waits for the registry, in milliseconds. */
const loadWaitMs = 1_500
/** Minimum time between two refreshes for driver loads, in milliseconds. */
const freshMs = 60_000

/**
 * Client of one registry for the plugin loader. Returns the releases that the registry lists and the revocations.
 * Verifies all data before use.
 */
export class RegistryClient implements AsyncDisposable {
	readonly source: RegistrySource
	readonly #cache: MetadataCache
	/** The targets that describe the registry. */
	readonly #store: TargetStore
	/** Documents of releases. Publishers decide how many there are, so the oldest are removed. */
	readonly #documents: TargetStore
	readonly #seed: SeededReleases | undefined
	readonly #targetsUrl: URL
	readonly #agent: ReadOptions['agent']
	readonly #isCopy: boolean
	readonly #closing = new AbortController()
	readonly #refreshed = new Emitter()
	/** Fires after a successful refresh. */
	readonly onRefresh = this.#refreshed.on
	#refreshing: Promise<void> | undefined
	#sweeping: Promise<unknown> | undefined
	#askedAt = Number.NEGATIVE_INFINITY

	/** @throws HostError `plugin/registry_address` */
	constructor(source: RegistrySource, folder: string, { agent, asOf, isCopy = false }: ReadingOptions = {}) {
		this.#agent = agent
		this.#isCopy = isCopy
		const url = registryUrl(source.url)
		this.source = source
		this.#seed = source.seed && new SeededReleases(source.seed)
		this.#targetsUrl = new URL(`${targetsFolder}/`, url)
		this.#cache = new MetadataCache({
			folder,
			metadataUrl: new URL(`${metadataFolder}/`, url),
			fingerprint: source.fingerprint,
			agent,
			asOf,
			maxValidityMs,
			maxDelegations,
		})
		this.#store = new TargetStore(join(folder, 'targets'), this.#targetsUrl, { agent })
		this.#documents = new TargetStore(join(folder, 'documents'), this.#targetsUrl, { agent, limits: documentLimits })
	}

	/** Refreshes the metadata. Concurrent callers share one refresh. @throws HostError `plugin/…` */
	refresh(): Promise<void> {
		this.#refreshing ??= this.#refresh().finally(() => {
			this.#refreshing = undefined
		})
		return this.#refreshing
	}

	/**
	 * Refreshes the metadata unless a refresh started within the last `freshMs`. Waits at most `loadWaitMs`. Ignores
	 * failures, because the stored metadata remains usable.
	 */
	async refreshIfStale(): Promise<void> {
		if (performance.now() - this.#askedAt < freshMs) return
		const waited = new AbortController()
		await Promise.race([
			this.refresh().catch(() => {}),
			sleep(loadWaitMs, undefined, { signal: waited.signal }).catch(() => {}),
		])
		waited.abort()
	}

	/** Returns the time of the last good refresh. */
	refreshedAt(): Promise<Date | undefined> {
		return this.#cache.refreshedAt()
	}

	/** Returns when the stored metadata expires. @throws Error if it is not signed as required */
	async expiresAt(): Promise<Date | undefined> {
		const generation = await this.#cache.open('good')
		return generation && verifiedExpiry(generation)
	}

	/**
	 * Returns the list of the registry. If the registry cannot be read, returns the stored list, unless it
	 * `mustBeCurrent` (an installation always requires that). If it was never read, returns the list of the seed.
	 * @throws HostError `plugin/…`
	 */
	async listing({ mustBeCurrent = false } = {}): Promise<NamedListing> {
		const failure = await this.refresh().then(
			() => undefined,
			(error: unknown) => ({ error }),
		)
		const generation = await this.#cache.open('good')
		const { seed } = this.source
		if (failure && !generation && seed && this.#seed) {
			const staleReason = messageOf(failure.error)
			return { name: seed.name, ...this.#seed.listing(), staleReason, seededAt: seed.releasedAt }
		}
		if (failure && (mustBeCurrent || !generation)) throw failure.error
		if (!generation)
			throw registryClientErrors.make('registry_unreachable', {
				registry: this.source.url,
				reason: 'no copy of it is stored',
			})
		try {
			return {
				name: await this.#name(generation),
				...(await readListing(generation, await this.#cache.clock())),
				...(failure && { staleReason: messageOf(failure.error) }),
			}
		} catch (error) {
			throw failure?.error ?? refusalOf(error, this.source.url)
		}
	}

	/**
	 * Returns a release from the last good list, whatever its age. @throws Error if that list is not signed as required
	 */
	async find(name: ReleaseName): Promise<ListedRelease | undefined> {
		const generation = await this.#cache.open('good')
		return generation ? readRelease(generation, name) : this.#seed?.find(name)
	}

	/** Returns whether a release that this client listed is one of the seed. */
	isSeeded(release: ListedRelease): boolean {
		return this.#seed?.has(release) ?? false
	}

	/**
	 * Fetches and parses the document of a release. @throws HostError `plugin/download_failed`, `release_malformed`,
	 * `release_too_new`
	 */
	async document(release: ListedRelease, signal?: AbortSignal): Promise<ReadDocument> {
		const { id, version, document } = release
		const seed = this.#seed?.has(release) ? this.#seed : undefined
		const bytes = await (seed?.document(release) ?? this.#documents.fetch(document, signal)).catch(error => {
			throw registryClientErrors.make('download_failed', { driver: id, reason: messageOf(error) }, { cause: error })
		})
		return readDocument(bytes.toString('utf8'), { id, version, registry: this.source.url })
	}

	/** @throws TargetError, Error */
	download(release: ListedRelease, options: Pick<DownloadOptions, 'path' | 'signal' | 'onBytes'>): Promise<void> {
		if (this.#seed?.has(release)) return this.#seed.download(release, options)
		const target = release.package
		return downloadTarget(target, { ...options, baseUrl: this.#targetsUrl, hasHashedName: true, agent: this.#agent })
	}

	/** Returns the newest releases of Roundhouse itself that the registry names, from the last good list. */
	async hostReleases(): Promise<HostReleases['channels']> {
		const generation = await this.#cache.open('good')
		const target = generation && (await verifiedTargets(generation)).signed.targets[hostReleasesTarget]
		const bytes = target && (await this.#store.read(target))
		return parsedOrUndefined(bytes, hostReleasesSchema)?.channels ?? {}
	}

	/** Returns the newest revocations that were ever verified, by the digest of the package. */
	async revocations(): Promise<ReadonlyMap<string, Revocation>> {
		for (const which of ['trusted', 'good'] as const) {
			const generation = await this.#cache.open(which)
			const known = generation && (await this.#revocations(generation).catch(() => undefined))
			if (known) return known
		}
		return new Map()
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#closing.abort()
		await this.#refreshing?.catch(() => {})
	}

	async #refresh(): Promise<void> {
		const { fingerprint, url } = this.source
		if (!fingerprintPattern.test(fingerprint))
			throw registryClientErrors.make('fingerprint_malformed', { registry: url })
		this.#askedAt = performance.now()
		// Sweep before the first refresh, because no download can be running yet.
		if (!this.#isCopy) this.#sweeping ??= Promise.all([this.#store.sweep(), this.#documents.sweep()])
		try {
			await this.#sweeping
			await this.#cache.refresh(walk => this.#walk(walk), this.#closing.signal)
		} catch (error) {
			throw refusalOf(error, url)
		}
		if (!this.#isCopy) await this.#removeOldTargets().catch(() => {})
		this.#refreshed.fire()
	}

	/** Removes the targets that no stored generation names. @throws Error if a generation cannot be verified */
	async #removeOldTargets(): Promise<void> {
		const named: Target[] = []
		for (const which of ['trusted', 'good'] as const) {
			const generation = await this.#cache.open(which)
			if (!generation) continue
			const targets = await verifiedTargets(generation)
			const lists = [targets]
			if (hasRevocations(targets)) lists.push(await verifiedRole(generation, targets, revocationsRole))
			named.push(...lists.flatMap(({ signed }) => Object.values(signed.targets)))
		}
		await this.#store.retain(named)
	}

	/** Client workflow 5.6.7: reads the roles below `targets`, and the small targets that describe the registry. */
	async #walk({ updater, staged, signal, requireCurrent }: Walking): Promise<void> {
		const targets = await verifiedTargets(staged)
		for (const path of [registryTarget, hostReleasesTarget]) {
			const target = targets.signed.targets[path]
			if (target) await this.#store.fetch(target, signal)
		}
		if (hasRevocations(targets)) {
			const revoked = await updater.getTargetInfo(revocationsTarget)
			await requireCurrent(revocationsRole)
			if (revoked) revocationsIn(await this.#store.fetch(revoked, signal))
		}
		// The list of drivers shows why a publisher's list could not be read. Its last one counts as long as its current keys
		// have signed it. Otherwise the publisher is excluded, and not the registry kept as it was: a mirror could hide
		// everything by leaving out one list.
		for (const publisher of publishersIn(targets)) await updater.getTargetInfo(anyPathOf(publisher)).catch(() => {})
		signal.throwIfAborted()
	}

	async #name(generation: Generation): Promise<string> {
		const target = (await verifiedTargets(generation)).signed.targets[registryTarget]
		const bytes = target && (await this.#store.read(target))
		return parsedOrUndefined(bytes, registrySchema)?.name ?? this.source.url
	}

	/** @throws Error if the list is missing, or not signed as required */
	async #revocations(generation: Generation): Promise<ReadonlyMap<string, Revocation>> {
		const targets = await verifiedTargets(generation)
		if (!hasRevocations(targets)) return new Map()
		const target = (await verifiedRole(generation, targets, revocationsRole)).signed.targets[revocationsTarget]
		if (!target) return new Map()
		const bytes = await this.#store.read(target)
		if (!bytes) throw new Error('the list of revocations is missing')
		return new Map(revocationsIn(bytes).map(revocation => [revocation.sha512, revocation]))
	}
}

/** Revocations that this host does not understand are refused, because it would revoke too little. @throws Error */
function revocationsIn(bytes: Buffer): readonly Revocation[] {
	try {
		return parseSigned(bytes, revocationsSchema).value.revocations
	} catch (error) {
		throw new Error(`${revocationsTarget}: ${messageOf(error)}`, { cause: error })
	}
}

/** Returns a small target, or `undefined` if this host does not understand it. */
function parsedOrUndefined<T>(bytes: Buffer | undefined, schema: z.ZodType<T>): T | undefined {
	try {
		return bytes && parseSigned(bytes, schema).value
	} catch {
		return undefined
	}
}

/** @throws HostError `plugin/release_malformed`, `plugin/release_too_new` */
export function readDocument(
	text: string,
	{ id, version, registry }: { readonly id: string; readonly version: string; readonly registry: string },
): ReadDocument {
	let data: ReleaseDocument
	try {
		data = parseSigned(text, releaseDocumentSchema).value
	} catch (error) {
		throw registryClientErrors.make('release_too_new', { driver: id, version }, { cause: error })
	}
	// A package with the id of another driver would get that driver's connections, tools and consents.
	if (data.manifest.id !== id) throw registryClientErrors.make('release_malformed', { driver: id, version, registry })
	return { ...data, text }
}
