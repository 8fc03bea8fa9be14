import '../format/linear-models.ts'
import { randomBytes } from 'node:crypto'
import { copyFile, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Updater } from 'tuf-js'
import { z } from 'zod'
import { makePrivateFolder, readIfExists, readJsonFile, writeJsonFile } from '../../base/atomic-file.ts'
import { messageOf } from '../../base/errors.ts'
import { fileLock } from '../../base/file-lock.ts'
import { sweepTemporaryFiles } from '../../base/sweep.ts'
import { type BudgetLimits, metadataLimits, ReadingBudget } from '../format/reading-budget.ts'
import { validityFault } from '../format/validity.ts'
import { FetchError, type KnownTimestamp, MetadataFetcher } from './fetcher.ts'
import type { ReadLimits, ReadOptions } from './request.ts'
import { RootChain, type TrustedRoot } from './root-chain.ts'

/**
 * Stores the metadata of one registry on this machine, by generation. A refresh works on a copy. One rename of
 * `state.json` makes the copy current, so an interruption leaves the last good generation in place.
 *
 * - `trusted` is everything that was ever verified, also by a refresh that failed half-way. Older metadata is rejected.
 * - `good` is the last complete generation. Releases are looked up in it.
 */
const stateSchema = z.object({
	version: z.literal(1),
	trusted: z.string().optional(),
	good: z.string().optional(),
	/** Time of the last good refresh. The effective clock is never earlier, even if the system clock was set back. */
	floor: z.iso.datetime().optional(),
	/** ETag of the trusted timestamp. */
	etag: z.string().optional(),
})
type State = z.infer<typeof stateSchema>

export interface CacheOptions {
	readonly folder: string
	readonly metadataUrl: URL
	/** SHA-256 of the first root. */
	readonly fingerprint: string
	readonly limits?: ReadLimits
	/** Limits of one refresh. */
	readonly budget?: BudgetLimits
	/** Longest accepted time until a role expires, in milliseconds. Without it, any. */
	readonly maxValidityMs?: number
	/** Upper limit of the roles below `targets` that are read to find one target. Default: that of the library. */
	readonly maxDelegations?: number
	readonly agent?: ReadOptions['agent']
	/** Checks expiry as of this time instead of now. */
	readonly asOf?: Date | undefined
}

/** One complete set of metadata files, in a folder that no longer changes. */
export interface Generation {
	readonly root: TrustedRoot
	/** Returns the bytes of a role's metadata. */
	read(role: string): Promise<Buffer | undefined>
}

/** Metadata is expired by the time of the last refresh, or now, although not by the time that the library uses. */
export class ClockError extends Error {}

/** A role is valid for longer than this host accepts. */
export class ValidityError extends Error {}

export interface Walking {
	readonly updater: Updater
	readonly staged: Generation
	/** Aborts at the end of the time for the refresh, which holds a lock. */
	readonly signal: AbortSignal
	/**
	 * Refuses a role below `targets` that has expired or is valid for too long, like one of the top level: nothing of the
	 * refresh is kept. @throws ClockError, ValidityError
	 */
	requireCurrent(role: string): Promise<void>
}

/** Fetches the metadata below the top level. Throws if the generation is not complete. */
export type Walk = (walking: Walking) => Promise<void>

const usualLimits: ReadLimits = { stallMs: 10_000, totalMs: 30_000 }
const refreshMs = 120_000
const rootMaxBytes = 512_000
const generationPrefix = 'metadata-'
const topLevel = ['root', 'timestamp', 'snapshot', 'targets']

/** The files that were fetched. `isWhole` if the generation is complete. */
interface FetchedGeneration {
	readonly name: string
	readonly staging: string
	readonly fetcher: MetadataFetcher
	readonly isWhole: boolean
}

/** The generation that a refresh writes to the folder `staging`. */
interface Refreshment {
	readonly name: string
	readonly staging: string
	readonly walk: Walk
	readonly signal?: AbortSignal | undefined
}

export class MetadataCache {
	readonly #options: CacheOptions
	readonly #chain: RootChain

	constructor(options: CacheOptions) {
		this.#options = options
		this.#chain = new RootChain(join(options.folder, 'roots'), options.fingerprint)
	}

	/** Pins a first root supplied from outside, instead of fetching the registry's. */
	async pin(root: Buffer): Promise<void> {
		await this.#chain.pin(root)
	}

	/**
	 * Updates the metadata. One process at a time does so.
	 * @throws what made the update fail; what was verified before that is kept
	 */
	async refresh(walk: Walk = async () => {}, signal?: AbortSignal): Promise<void> {
		await makePrivateFolder(this.#options.folder)
		using lock = await fileLock(join(this.#options.folder, 'lock'), refreshMs)
		if (!lock) throw new FetchError('another Roundhouse is reading it and does not finish')
		const state = await this.#state()
		await this.#sweep(state)
		const name = generationPrefix + randomBytes(4).toString('hex')
		const staging = join(this.#options.folder, name)
		try {
			await makePrivateFolder(staging)
			await this.#refresh(state, { name, staging, walk, signal })
		} catch (error) {
			if ((await this.#state()).trusted !== name) await rm(staging, { recursive: true, force: true })
			throw error
		}
	}

	async open(which: 'trusted' | 'good'): Promise<Generation | undefined> {
		const name = (await this.#state())[which]
		return name ? this.#generation(join(this.#options.folder, name)) : undefined
	}

	/** Returns the current time, but never a time before the last good refresh. */
	async clock(): Promise<Date> {
		const { floor } = await this.#state()
		return new Date(Math.max(Date.now(), floor ? Date.parse(floor) : 0))
	}

	/** Returns the time of the last good refresh. */
	async refreshedAt(): Promise<Date | undefined> {
		const { floor } = await this.#state()
		return floor ? new Date(floor) : undefined
	}

	async #refresh(state: State, { name, staging, walk, signal }: Refreshment): Promise<void> {
		const late = AbortSignal.timeout(refreshMs)
		const ending = signal ? AbortSignal.any([late, signal]) : late
		const fetcher = new MetadataFetcher(
			{
				limits: this.#options.limits ?? usualLimits,
				agent: this.#options.agent,
				signal: ending,
			},
			new ReadingBudget(this.#options.budget ?? metadataLimits),
			await this.#knownTimestamp(state),
		)
		await this.#stage(state, staging, fetcher)
		let isWhole = false
		let failure: { readonly error: unknown } | undefined
		const { maxDelegations } = this.#options
		try {
			const updater = new Updater({
				metadataDir: staging,
				metadataBaseUrl: this.#options.metadataUrl.href,
				fetcher,
				...(maxDelegations !== undefined && { config: { maxDelegations } }),
			})
			if (this.#options.asOf) setReferenceTime(updater, this.#options.asOf)
			// Client workflow 5.3 to 5.6: root, timestamp, snapshot, targets
			await updater.refresh().finally(() => this.#keepRoots(staging, fetcher))
			await this.#checkClock(state, staging)
			await this.#checkValidity(staging, topLevel)
			const staged = await this.#generation(staging)
			// Client workflow 5.6.7: the delegated roles
			if (!staged) throw new Error('its newest root cannot be stored')
			await walk({ updater, staged, signal: ending, requireCurrent: role => this.#requireCurrent(role, staging) })
			isWhole = true
		} catch (error) {
			failure = { error: fetcher.fault ?? error }
		}
		// Nothing that was verified under a clock that went back is kept, nor a role that would not expire.
		if (failure && (!fetcher.hasRead || failure.error instanceof ClockError || failure.error instanceof ValidityError))
			throw failure.error
		await this.#keep(state, { name, staging, fetcher, isWhole })
		if (failure) throw failure.error
	}

	/**
	 * Copies the trusted metadata, and puts the newest root into it. Client workflow 5.1: the time of the start is fixed.
	 * Client workflow 5.2: the trusted root is loaded.
	 */
	async #stage({ trusted }: State, staging: string, fetcher: MetadataFetcher): Promise<void> {
		let root = await this.#chain.follow()
		if (!root) {
			const first = new URL('1.root.json', this.#options.metadataUrl)
			const bytes = await fetcher.downloadBytes(first.href, rootMaxBytes).catch(error => {
				throw new FetchError(messageOf(error), { cause: error })
			})
			await this.#chain.pin(bytes)
			fetcher.roots.clear()
			root = await this.#chain.follow()
		}
		if (!root) throw new Error('its first root cannot be stored')
		const before = trusted && join(this.#options.folder, trusted)
		for (const file of before ? await readdir(before).catch(() => []) : []) {
			await copyFile(join(before ?? '', file), join(staging, file))
		}
		await writeFile(join(staging, 'root.json'), root.bytes, { mode: 0o600 })
	}

	/**
	 * Client workflow 5.3.10, 5.4.4, 5.5.6 and 5.6.5: freeze attacks, also by a clock that went back.
	 * The library checks expiry by the system clock. If that was set back, checks expiry again as of the last good
	 * refresh.
	 */
	async #checkClock({ floor }: State, staging: string): Promise<void> {
		if (!floor || Date.parse(floor) <= Date.now()) return
		for (const role of topLevel) {
			const expires = await expiryIn(staging, role)
			if (Date.parse(expires) > Date.parse(floor)) continue
			throw new ClockError(`its ${role} expired on ${expires}, but the clock of this machine was already at ${floor}`)
		}
	}

	/**
	 * Client workflow 5.6.5: freeze attack. The library checks expiry by the system clock, which may have gone back, or by
	 * the time of a bundle whose age the user accepted. That age is of its timestamp and its snapshot only.
	 */
	async #requireCurrent(role: string, staging: string): Promise<void> {
		const expires = await expiryIn(staging, role)
		if (Date.parse(expires) <= (await this.clock()).getTime())
			throw new ClockError(`its list of ${role} expired on ${expires}`)
		await this.#checkValidity(staging, [role])
	}

	/** Refuses a role that is valid for too long. The specification leaves this limit to the client. */
	async #checkValidity(staging: string, roles: readonly string[]): Promise<void> {
		const { maxValidityMs = Number.POSITIVE_INFINITY } = this.#options
		const now = await this.clock()
		for (const role of roles) {
			const fault = validityFault(await expiryIn(staging, role), now, maxValidityMs)
			if (fault !== undefined) throw new ValidityError(`its ${role} ${fault}`)
		}
	}

	/**
	 * Client workflow 5.3.8: persist root metadata.
	 * Stores the roots up to the staged one. The chain verifies their signatures again when it follows them.
	 */
	async #keepRoots(staging: string, { roots }: MetadataFetcher): Promise<void> {
		const newest = versionOf(await readFile(join(staging, 'root.json')))
		for (const [version, bytes] of roots) if (version <= newest) await this.#chain.keep(version, bytes)
	}

	/** Client workflow 5.4.5, 5.5.7 and 5.6.6: persist what was verified. One rename makes it current. */
	async #keep(state: State, { name, staging, fetcher, isWhole }: FetchedGeneration): Promise<void> {
		const timestamp = await readIfExists(join(staging, 'timestamp.json'))
		const isTagged = timestamp !== undefined && fetcher.timestamp?.bytes.equals(timestamp)
		for (const file of await readdir(staging)) await flush(join(staging, file))
		const next: State = {
			version: 1,
			trusted: name,
			...((isWhole || state.good) && { good: isWhole ? name : state.good }),
			...((isWhole || state.floor) && {
				floor: isWhole ? new Date(Math.max(Date.now(), Date.parse(state.floor ?? '') || 0)).toISOString() : state.floor,
			}),
			...(isTagged && fetcher.timestamp?.etag && { etag: fetcher.timestamp.etag }),
		}
		await writeJsonFile(this.#stateFile, next)
	}

	async #generation(folder: string): Promise<Generation | undefined> {
		const bytes = await readIfExists(join(folder, 'root.json'))
		if (!bytes) return undefined
		const root = await this.#chain.follow(versionOf(bytes))
		if (!root?.bytes.equals(bytes)) return undefined
		return { root, read: role => readIfExists(join(folder, `${encodeURIComponent(role)}.json`)) }
	}

	async #knownTimestamp({ trusted, etag }: State): Promise<KnownTimestamp | undefined> {
		const bytes = trusted && (await readIfExists(join(this.#options.folder, trusted, 'timestamp.json')))
		return bytes ? { etag, bytes } : undefined
	}

	/** Removes what interrupted refreshes left. The caller holds the lock. */
	async #sweep({ trusted, good }: State): Promise<void> {
		await sweepTemporaryFiles(this.#options.folder)
		await sweepTemporaryFiles(join(this.#options.folder, 'roots'))
		for (const name of await readdir(this.#options.folder)) {
			if (!name.startsWith(generationPrefix) || name === trusted || name === good) continue
			await rm(join(this.#options.folder, name), { recursive: true, force: true })
		}
	}

	get #stateFile(): string {
		return join(this.#options.folder, 'state.json')
	}

	async #state(): Promise<State> {
		return (await readJsonFile(this.#stateFile, stateSchema)) ?? { version: 1 }
	}
}

/**
 * Sets the time by which the library checks expiry. The specification fixes that time at the start, and the library has
 * no option for it.
 */
function setReferenceTime(updater: Updater, time: Date): void {
	const trusted: unknown = Reflect.get(updater, 'trustedSet')
	if (typeof trusted !== 'object' || !trusted || !Reflect.has(trusted, 'referenceTime'))
		throw new Error('the client of The Update Framework has no reference time')
	Reflect.set(trusted, 'referenceTime', time)
}

const expiring = z.object({ signed: z.object({ expires: z.string() }) })
const versioned = z.object({ signed: z.object({ version: z.int() }) })

async function expiryIn(staging: string, role: string): Promise<string> {
	return expiring.parse(JSON.parse(await readFile(join(staging, `${role}.json`), 'utf8'))).signed.expires
}

function versionOf(root: Buffer): number {
	return versioned.parse(JSON.parse(root.toString('utf8'))).signed.version
}

/**
 * Flushes a file to the disk. The library does not, and the rename of `state.json` must not reach the disk before the
 * files it refers to.
 */
async function flush(path: string): Promise<void> {
	const file = await open(path, 'r+')
	try {
		await file.sync()
	} finally {
		await file.close()
	}
}
