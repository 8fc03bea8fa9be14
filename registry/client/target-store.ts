import { randomBytes } from 'node:crypto'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateFolder, readIfExists } from '../../base/atomic-file.ts'
import { messageOf } from '../../base/errors.ts'
import { sha512Of } from '../format/digests.ts'
import { packageLimits } from '../format/format.ts'
import type { BudgetLimits } from '../format/reading-budget.ts'
import { FetchError } from './fetcher.ts'
import { isOfDisk } from './refusal.ts'
import type { ReadOptions } from './request.ts'
import { downloadTarget, type Target, TargetError } from './target.ts'

interface StoreOptions {
	readonly agent?: ReadOptions['agent']
	readonly limits?: BudgetLimits
}

/**
 * Stores the small targets of a registry under their digests. Each is fetched once, because content under a digest
 * never changes.
 */
export class TargetStore {
	readonly #folder: string
	readonly #baseUrl: URL
	readonly #agent: ReadOptions['agent']
	readonly #limits: BudgetLimits | undefined

	/** @param limits if they are exceeded, the oldest targets are removed */
	constructor(folder: string, baseUrl: URL, { agent, limits }: StoreOptions = {}) {
		this.#agent = agent
		this.#limits = limits
		this.#folder = folder
		this.#baseUrl = baseUrl
	}

	/** Removes what interrupted downloads left. No download may be running. */
	async sweep(): Promise<void> {
		const names = await readdir(this.#folder).catch(() => [])
		for (const name of names) if (name.includes('.')) await rm(join(this.#folder, name), { force: true })
	}

	/** Returns the stored bytes, or `undefined` if there are none. */
	async read({ hashes: { sha512 } }: Target): Promise<Buffer | undefined> {
		const bytes = sha512 ? await readIfExists(this.#file(sha512)) : undefined
		return bytes && sha512Of(bytes) === sha512 ? bytes : undefined
	}

	/**
	 * Returns the stored bytes, or fetches them. @throws FetchError if the download fails, TargetError if the digest
	 * differs
	 */
	async fetch(target: Target, signal?: AbortSignal): Promise<Buffer> {
		const known = await this.read(target)
		if (known) return known
		const { sha512 } = target.hashes
		if (!sha512) throw new Error(`${target.path} has no SHA-512`)
		if (target.length > packageLimits.documentBytes)
			throw new Error(`${target.path} is too large: ${target.length} bytes`)
		await makePrivateFolder(this.#folder)
		const path = `${this.#file(sha512)}.${randomBytes(4).toString('hex')}`
		try {
			await downloadTarget(target, { baseUrl: this.#baseUrl, path, hasHashedName: true, signal, agent: this.#agent })
		} catch (error) {
			throw error instanceof TargetError || isOfDisk(error) ? error : new FetchError(messageOf(error), { cause: error })
		}
		await rename(path, this.#file(sha512))
		const bytes = await this.read(target)
		if (!bytes) throw new Error(`${target.path} cannot be stored`)
		if (this.#limits) await this.#trim(this.#limits)
		return bytes
	}

	/** Removes all stored targets except these. */
	async retain(targets: readonly Target[]): Promise<void> {
		const kept = new Set(targets.map(({ hashes }) => hashes.sha512))
		for (const name of await this.#names()) if (!kept.has(name)) await rm(this.#file(name), { force: true })
	}

	/** Returns the digests of stored targets, without running downloads. */
	async #names(): Promise<string[]> {
		return (await readdir(this.#folder).catch(() => [])).filter(name => !name.includes('.'))
	}

	async #trim({ files, bytes }: BudgetLimits): Promise<void> {
		const stored = await Promise.all(
			// Another process may have removed it meanwhile.
			(await this.#names()).map(async name => ({ name, stat: await stat(this.#file(name)).catch(() => undefined) })),
		)
		const newestFirst = stored.sort((a, b) => (b.stat?.mtimeMs ?? 0) - (a.stat?.mtimeMs ?? 0))
		let size = 0
		for (const [index, { name, stat }] of newestFirst.entries()) {
			size += stat?.size ?? 0
			if (index >= files || size > bytes) await rm(this.#file(name), { force: true })
		}
	}

	#file(sha512: string): string {
		return join(this.#folder, sha512)
	}
}
