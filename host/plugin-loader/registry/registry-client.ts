import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
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
} from '@roundhouse/registry/format'
import type { Updater } from 'tuf-js'
import { Emitter } from '../../base/emitter.ts'
import { messageOf } from '../../base/errors.ts'
import { pluginErrors } from '../errors.ts'
import { registryUrl } from './address.ts'
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
import { type Generation, MetadataCache } from './metadata-cache.ts'
import { refusalOf } from './refusal.ts'
import type { ReadOptions } from './request.ts'
import { type DownloadOptions, downloadTarget } from './target.ts'
import { TargetStore } from './target-store.ts'
import { vouchedExpiry, vouchedRole, vouchedTargets } from './vouched.ts'

/** A registry the person trusts: where it is, and the SHA-256 of its first root. */
export interface RegistrySource {
	readonly url: string
	readonly fingerprint: string
}

/** How a registry is read. */
export interface ReadingOptions extends Pick<ReadOptions, 'agent'> {
	/** Judges the age of what it publishes as of then, not as of now. */
	readonly asOf?: Date | undefined
	/** Another reads it too, and may be downloading: what that one left is not swept. */
	readonly isCopy?: boolean
}

export interface NamedListing extends Listing {
	/** How the registry calls itself. */
	readonly name: string
	/** Why what is here of it was used, where it could not be brought up to date. */
	readonly staleReason?: string
}

/** A release's document, and the text that its digest is of. */
export interface ReadDocument extends ReleaseDocument {
	readonly text: string
}

const fingerprintPattern = /^[0-9a-f]{64}$/
/** A load waits no longer for a registry that does not answer. */
const loadWaitMs = 1_500
/** Loads that follow each other ask once. */
const freshMs = 60_000

/** One registry, as the loader sees it: what it lists, vouches for and has revoked. Everything is verified before it is believed. */
export class RegistryClient implements AsyncDisposable {
	readonly source: RegistrySource
	readonly #cache: MetadataCache
	readonly #store: TargetStore
	readonly #targetsUrl: URL
	readonly #agent: ReadOptions['agent']
	readonly #isCopy: boolean
	readonly #closing = new AbortController()
	readonly #refreshed = new Emitter()
	/** Tells when it was brought up to date. */
	readonly onRefresh = this.#refreshed.on
	#refreshing: Promise<void> | undefined
	#sweeping: Promise<void> | undefined
	#askedAt = Number.NEGATIVE_INFINITY

	/** @throws HostError `plugin/registry_address` */
	constructor(source: RegistrySource, folder: string, { agent, asOf, isCopy = false }: ReadingOptions = {}) {
		this.#agent = agent
		this.#isCopy = isCopy
		const url = registryUrl(source.url)
		this.source = source
		this.#targetsUrl = new URL(`${targetsFolder}/`, url)
		this.#cache = new MetadataCache({
			folder,
			metadataUrl: new URL(`${metadataFolder}/`, url),
			fingerprint: source.fingerprint,
			agent,
			asOf,
		})
		this.#store = new TargetStore(join(folder, 'targets'), this.#targetsUrl, agent)
	}

	/** Whoever asks meanwhile shares the answer. @throws HostError `plugin/…` */
	refresh(): Promise<void> {
		this.#refreshing ??= this.#refresh().finally(() => {
			this.#refreshing = undefined
		})
		return this.#refreshing
	}

	/** Brings it up to date where that does not keep anybody waiting; fails in silence, for what is here serves. */
	async freshen(): Promise<void> {
		if (performance.now() - this.#askedAt < freshMs) return
		const waited = new AbortController()
		await Promise.race([
			this.refresh().catch(() => {}),
			sleep(loadWaitMs, undefined, { signal: waited.signal }).catch(() => {}),
		])
		waited.abort()
	}

	/** When it was brought up to date last. */
	refreshedAt(): Promise<Date | undefined> {
		return this.#cache.refreshedAt()
	}

	/** When what is here of it ends. @throws Error where nobody vouches for that */
	async expiresAt(): Promise<Date | undefined> {
		const generation = await this.#cache.open('good')
		return generation && vouchedExpiry(generation)
	}

	/**
	 * What it has. Where it cannot be read, what is here serves, unless it `mustBeCurrent` (an installation always asks).
	 * @throws HostError `plugin/…`
	 */
	async listing({ mustBeCurrent = false } = {}): Promise<NamedListing> {
		const failure = await this.refresh().then(
			() => undefined,
			(error: unknown) => ({ error }),
		)
		const generation = await this.#cache.open('good')
		if (failure && (mustBeCurrent || !generation)) throw failure.error
		if (!generation)
			throw pluginErrors.make('registry_unreachable', { registry: this.source.url, reason: 'nothing is here of it' })
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

	/** A release as the registry's last good list has it, whatever its age. @throws Error where nobody vouches for that list */
	async find(name: ReleaseName): Promise<ListedRelease | undefined> {
		const generation = await this.#cache.open('good')
		return generation && readRelease(generation, name)
	}

	/** @throws HostError `plugin/download_failed`, `release_malformed`, `release_too_new` */
	async document({ id, version, document }: ListedRelease, signal?: AbortSignal): Promise<ReadDocument> {
		const bytes = await this.#store.fetch(document, signal).catch(error => {
			throw pluginErrors.make('download_failed', { driver: id, reason: messageOf(error) }, { cause: error })
		})
		return readDocument(bytes.toString('utf8'), { id, version, registry: this.source.url })
	}

	/** @throws TargetError, Error */
	download(
		{ package: target }: ListedRelease,
		options: Pick<DownloadOptions, 'path' | 'signal' | 'onBytes'>,
	): Promise<void> {
		return downloadTarget(target, { ...options, baseUrl: this.#targetsUrl, hasHashedName: true, agent: this.#agent })
	}

	/** What it has revoked, as far as that was ever read: by the digest of the package. */
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
		if (!fingerprintPattern.test(fingerprint)) throw pluginErrors.make('fingerprint_old', { registry: url })
		this.#askedAt = performance.now()
		// Nothing is downloaded of a registry before it was read once.
		if (!this.#isCopy) this.#sweeping ??= this.#store.sweep()
		try {
			await this.#sweeping
			await this.#cache.refresh((updater, staged) => this.#walk(updater, staged), this.#closing.signal)
		} catch (error) {
			throw refusalOf(error, url)
		}
		this.#refreshed.fire()
	}

	/** Reads the roles below `targets`, and the small targets that say what the registry is. */
	async #walk(updater: Updater, staged: Generation): Promise<boolean> {
		const targets = await vouchedTargets(staged)
		const named = targets.signed.targets[registryTarget]
		if (named) await this.#store.fetch(named, this.#closing.signal)
		if (hasRevocations(targets)) {
			const revoked = await updater.getTargetInfo(revocationsTarget)
			if (revoked) await this.#store.fetch(revoked, this.#closing.signal)
		}
		let isWhole = true
		for (const publisher of publishersIn(targets)) {
			try {
				await updater.getTargetInfo(anyPathOf(publisher))
			} catch {
				// Its drivers show why. Only where its list here holds no more, the one before stays in use.
				isWhole &&= await holds(staged, publisher)
			}
		}
		return isWhole
	}

	async #name(generation: Generation): Promise<string> {
		const target = (await vouchedTargets(generation)).signed.targets[registryTarget]
		const bytes = target && (await this.#store.read(target))
		const { data } = registrySchema.safeParse(bytes && JSON.parse(bytes.toString('utf8')))
		return data?.name ?? this.source.url
	}

	/** @throws Error where the list is not here, or not signed as it must be */
	async #revocations(generation: Generation): Promise<ReadonlyMap<string, Revocation>> {
		const targets = await vouchedTargets(generation)
		if (!hasRevocations(targets)) return new Map()
		const target = (await vouchedRole(generation, targets, revocationsRole)).signed.targets[revocationsTarget]
		if (!target) return new Map()
		const bytes = await this.#store.read(target)
		if (!bytes) throw new Error('the list of revocations is not here')
		const { revocations } = revocationsSchema.parse(JSON.parse(bytes.toString('utf8')))
		return new Map(revocations.map(revocation => [revocation.sha512, revocation]))
	}
}

/** Whether what is here of a publisher is signed by the keys that it has now; nothing here holds too. */
async function holds(staged: Generation, publisher: string): Promise<boolean> {
	if (!(await staged.read(publisher))) return true
	return vouchedRole(staged, await vouchedTargets(staged), publisher).then(
		() => true,
		() => false,
	)
}

/** @throws HostError `plugin/release_malformed`, `plugin/release_too_new` */
export function readDocument(
	text: string,
	{ id, version, registry }: { readonly id: string; readonly version: string; readonly registry: string },
): ReadDocument {
	const { data } = releaseDocumentSchema.safeParse(parseJson(text))
	if (!data) throw pluginErrors.make('release_too_new', { driver: id, version })
	// Under another name it would get that one's connections, tools and consents.
	if (data.manifest.id !== id) throw pluginErrors.make('release_malformed', { driver: id, version, registry })
	return { ...data, text }
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text)
	} catch {
		return undefined
	}
}
