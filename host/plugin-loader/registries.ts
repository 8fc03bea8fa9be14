import { join } from 'node:path'
import { Emitter } from '../../base/emitter.ts'
import type { HostError } from '../../base/errors.ts'
import { type ReadingOptions, RegistryClient, type RegistrySource } from '../../registry/client/registry-client.ts'
import type { MachinePolicy } from '../policy/machine-policy.ts'

export interface RegistriesOptions extends Pick<ReadingOptions, 'agent'> {
	readonly policy: MachinePolicy
}

export interface RefusedRegistry {
	readonly source: RegistrySource
	readonly refusal: HostError
}

/** The trusted registries in the user's order. They can change while the host runs. */
export class Registries implements AsyncDisposable {
	readonly #folder: string
	readonly #options: RegistriesOptions
	readonly #refreshed = new Emitter<RegistryClient>()
	/** Fires after a registry was refreshed. */
	readonly onRefresh = this.#refreshed.on
	#clients: readonly RegistryClient[] = []
	#refused: readonly RefusedRegistry[] = []

	/**
	 * @param folder stores the metadata of each registry, also after its removal, so that a registry that is added again
	 * cannot be rolled back
	 */
	constructor(folder: string, sources: readonly RegistrySource[], options: RegistriesOptions) {
		this.#folder = folder
		this.#options = options
		this.#clients = this.#clientsFor(sources)
	}

	list(): readonly RegistryClient[] {
		return this.#clients
	}

	/** Returns the registries that the machine's policy does not allow. They are never contacted. */
	refused(): readonly RefusedRegistry[] {
		return this.#refused
	}

	of(fingerprint: string): RegistryClient | undefined {
		return this.#clients.find(({ source }) => source.fingerprint === fingerprint)
	}

	/** Replaces the registries. Resolves when the clients of removed registries have ended. */
	async use(sources: readonly RegistrySource[]): Promise<void> {
		const before = this.#clients
		this.#clients = this.#clientsFor(sources)
		const gone = before.filter(client => !this.#clients.includes(client))
		await Promise.all(gone.map(client => client[Symbol.asyncDispose]()))
	}

	/** Opens a copy of a trusted registry at another address. Its metadata is stored like that of the registry itself. */
	openCopy(source: RegistrySource, asOf?: Date): RegistryClient {
		return this.#open(source, { asOf, isCopy: true })
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await Promise.all(this.#clients.map(client => client[Symbol.asyncDispose]()))
	}

	/** Returns one client for each fingerprint. If a fingerprint occurs twice, its first address is used. */
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
