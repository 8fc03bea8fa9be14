import type { ReadIndex, Root } from '@roundhouse/registry/documents'
import { z } from 'zod'
import { readIfThere, readJsonFile, writeJsonFile, writePrivateFile } from '../base/atomic-file.ts'
import { HostError, messageOf } from '../base/errors.ts'
import { pluginErrors } from './errors.ts'
import { fetchDocument } from './fetch-file.ts'
import { registryUrl } from './registry/address.ts'
import { readIndex, verifyIndex, verifyRoot } from './verify.ts'

/** A registry the person trusts: where it is, and the fingerprint of its root key. */
export interface RegistrySource {
	readonly url: string
	readonly fingerprint: string
}

const stateSchema = z.object({
	version: z.literal(1),
	/** Every root since the first, oldest first: each is signed by a key of the one before (docs/registry.md). */
	roots: z.array(z.string()),
	/** Version of the newest index that was ever verified; an older one is refused. */
	seenIndex: z.number(),
	etag: z.string().optional(),
})
type State = z.infer<typeof stateSchema>

export interface VerifiedIndex {
	readonly index: ReadIndex
	/** The signed texts, kept with what is installed from them. */
	readonly rootJws: string
	readonly indexJws: string
	/** Why the copy on disk was used, where the registry could not be reached. */
	readonly staleReason?: string
}

/** Reads one registry's index and keeps the last verified copy. Verifies before it believes, and writes nothing it refused. */
export class RegistryClient {
	readonly source: RegistrySource
	readonly #url: URL
	readonly #folder: string
	readonly #now: () => Date
	#current: VerifiedIndex | undefined
	#fetching: Promise<VerifiedIndex> | undefined

	/** @throws HostError `plugin/registry_address` */
	constructor(source: RegistrySource, folder: string, now: () => Date = () => new Date()) {
		this.source = source
		this.#url = registryUrl(source.url)
		this.#folder = folder
		this.#now = now
	}

	resolve(path: string): URL {
		return new URL(path, this.#url)
	}

	/**
	 * The newest index. Where the registry cannot be reached, the last verified copy serves until it expires, unless it
	 * `mustBeCurrent` (an installation always asks the registry).
	 * @throws HostError `plugin/…`
	 */
	async index(options: { readonly mustBeCurrent?: boolean } = {}): Promise<VerifiedIndex> {
		// One request at a time: whoever asks meanwhile shares the answer.
		this.#fetching ??= this.#fetch().finally(() => {
			this.#fetching = undefined
		})
		try {
			return await this.#fetching
		} catch (error) {
			if (options.mustBeCurrent || !pluginErrors.is(error, 'registry_unreachable')) throw error
			const copy = await this.#copyOnDisk()
			if (!copy) throw error
			return { ...copy, staleReason: messageOf(error) }
		}
	}

	/**
	 * Reads the index that an installed driver came from. Its signature is checked again, its age is not: an installed
	 * driver works offline. @throws HostError `plugin/root_untrusted`, `plugin/signature_invalid`
	 */
	async readKept(kept: Pick<VerifiedIndex, 'rootJws' | 'indexJws'>): Promise<ReadIndex> {
		const { roots } = await this.#state()
		const known = roots.indexOf(kept.rootJws)
		// A root that was followed once vouches for what was installed under it.
		const root = await this.#follow(known < 0 ? [kept.rootJws] : roots.slice(0, known + 1))
		return readIndex(kept.indexJws, root, this.source.url)
	}

	async #fetch(): Promise<VerifiedIndex> {
		const registry = this.source.url
		const state = await this.#state()
		const [rootJws, fetched] = await Promise.all([
			fetchDocument(this.resolve('root.jws')),
			fetchDocument(this.resolve('index.jws'), this.#current && state.etag),
		]).catch(error => {
			throw pluginErrors.make('registry_unreachable', { registry, reason: reasonOf(error) }, { cause: error })
		})
		const verified = await this.#verify(rootJws?.text ?? '', fetched?.text ?? this.#current?.indexJws ?? '', state)
		const roots = state.roots.at(-1) === verified.rootJws ? state.roots : [...state.roots, verified.rootJws]
		await this.#keep(verified, {
			version: 1,
			roots,
			seenIndex: verified.index.version,
			...(fetched?.etag && { etag: fetched.etag }),
		})
		this.#current = verified
		return verified
	}

	async #copyOnDisk(): Promise<VerifiedIndex | undefined> {
		const state = await this.#state()
		const rootJws = state.roots.at(-1)
		const indexJws = (await readIfThere(`${this.#folder}/index.jws`))?.toString('utf8')
		return rootJws && indexJws ? this.#verify(rootJws, indexJws, state) : undefined
	}

	async #verify(rootJws: string, indexJws: string, state: State): Promise<VerifiedIndex> {
		const registry = this.source.url
		const known = state.roots.length > 0 ? await this.#follow(state.roots) : undefined
		const root = await verifyRoot(rootJws, { registry, fingerprint: this.source.fingerprint, known }, this.#now())
		return { index: await verifyIndex(indexJws, root, registry, state.seenIndex, this.#now()), rootJws, indexJws }
	}

	/** Verifies a chain of roots from the pinned fingerprint on, whatever their age, and gives the last. */
	async #follow(roots: readonly string[]): Promise<Root> {
		const trust = { registry: this.source.url, fingerprint: this.source.fingerprint }
		let known: Root | undefined
		for (const jws of roots) known = await verifyRoot(jws, { ...trust, known }, new Date(0))
		if (!known) throw pluginErrors.make('root_untrusted', { registry: this.source.url })
		return known
	}

	async #keep(verified: VerifiedIndex, state: State): Promise<void> {
		await writePrivateFile(`${this.#folder}/index.jws`, verified.indexJws)
		await writeJsonFile(`${this.#folder}/state.json`, state)
	}

	async #state(): Promise<State> {
		return (await readJsonFile(`${this.#folder}/state.json`, stateSchema)) ?? { version: 1, roots: [], seenIndex: 0 }
	}
}

function reasonOf(error: unknown): string {
	const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
	return cause instanceof HostError ? cause.message : messageOf(cause)
}
