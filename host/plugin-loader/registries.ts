import { join } from 'node:path'
import { Emitter } from '../base/emitter.ts'
import type { HostError } from '../base/errors.ts'
import type { MachinePolicy } from '../policy/machine-policy.ts'
import { type ReadingOptions, RegistryClient, type RegistrySource } from './registry/registry-client.ts'

export interface RegistriesOptions extends Pick<ReadingOptions, 'agent'> {
	readonly policy: MachinePolicy
}

export interface RefusedRegistry {
	readonly source: RegistrySource
	readonly refusal: HostError
}

/** The registries that are trusted, in the person's order; they come and go while the host runs. */
export class Registries implements AsyncDisposable {
	readonly #folder: string
	readonly #options: RegistriesOptions
	readonly #refreshed = new Emitter<RegistryClient>()
	/** Tells which one was brought up to date. */
	readonly onRefresh = this.#refreshed.on
	#clients: readonly RegistryClient[] = []
	#refused: readonly RefusedRegistry[] = []

	/** `folder` has what is kept of each, also of one that is gone: trusted again, it goes no further back. */
	constructor(folder: string, sources: readonly RegistrySource[], options: RegistriesOptions) {
		this.#folder = folder
		this.#options = options
		this.#clients = this.#clientsFor(sources)
	}

	list(): readonly RegistryClient[] {
		return this.#clients
	}

	/** Those that the machine's policy does not allow: nothing is asked of them. */
	refused(): readonly RefusedRegistry[] {
		return this.#refused
	}

	of(fingerprint: string): RegistryClient | undefined {
		return this.#clients.find(({ source }) => source.fingerprint === fingerprint)
	}

	/** From now on it is these. Settles when those that are gone have ended. */
	async use(sources: readonly RegistrySource[]): Promise<void> {
		const before = this.#clients
		this.#clients = this.#clientsFor(sources)
		const gone = before.filter(client => !this.#clients.includes(client))
		await Promise.all(gone.map(client => client[Symbol.asyncDispose]()))
	}

	/** A trusted registry as it lies elsewhere; what is read there is kept as if it had come from its own address. */
	openCopy(source: RegistrySource, asOf?: Date): RegistryClient {
		return this.#open(source, { asOf, isCopy: true })
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await Promise.all(this.#clients.map(client => client[Symbol.asyncDispose]()))
	}

	/** One a fingerprint: whoever names it twice means the first address. */
	#clientsFor(sources: readonly RegistrySource[]): readonly RegistryClient[] {
		const distinct = new Map(sources.toReversed().map(source => [source.fingerprint, source]))
		const refusalOf = ({ fingerprint }: RegistrySource) => this.#options.policy.registryRefusal(fingerprint)
		this.#refused = [...distinct.values()].flatMap(source => {
			const refusal = refusalOf(source)
			return refusal ? [{ source, refusal }] : []
		})
		return sources
			.filter(source => distinct.get(source.fingerprint) === source && !refusalOf(source))
			.map(source => {
				const known = this.of(source.fingerprint)
				return known?.source.url === source.url ? known : this.#open(source)
			})
	}

	#open(source: RegistrySource, options: ReadingOptions = {}): RegistryClient {
		const client = new RegistryClient(source, join(this.#folder, source.fingerprint), {
			agent: this.#options.agent,
			...options,
		})
		client.onRefresh(() => this.#refreshed.fire(client))
		return client
	}
}
