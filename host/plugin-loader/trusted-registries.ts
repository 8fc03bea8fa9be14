import type { RegistrySource } from '../../registry/client/registry-client.ts'
import type { Bundle } from './bundle.ts'
import type { Drivers } from './drivers.ts'
import { pluginErrors } from './errors.ts'
import { firstRootAt } from './first-root.ts'
import type { RegistriesOptions } from './registries.ts'
import type { RegistryState } from './registry-state.ts'

/** Stores the registries that the user has added. */
export interface RegistryStore {
	list(): readonly RegistrySource[]
	/** Stores a registry before it is trusted. Replaces the address of a known registry. */
	add(source: RegistrySource): Promise<unknown>
	/** Removes a registry. It is distrusted at once, even if storing that fails. */
	remove(fingerprint: string): Promise<unknown>
}

interface TrustedRegistriesParts {
	readonly defaultRegistry: RegistrySource | undefined
	readonly store: RegistryStore
	readonly drivers: Pick<Drivers, 'registries' | 'useRegistries'>
	readonly options: RegistriesOptions
}

/** The registries that this host trusts. Only a user who has compared a fingerprint can add one. */
export class TrustedRegistries {
	readonly #default: RegistrySource | undefined
	readonly #store: RegistryStore
	readonly #drivers: Pick<Drivers, 'registries' | 'useRegistries'>
	readonly #options: RegistriesOptions

	constructor({ defaultRegistry, store, drivers, options }: TrustedRegistriesParts) {
		this.#options = options
		this.#default = defaultRegistry
		this.#store = store
		this.#drivers = drivers
	}

	async list(): Promise<readonly (RegistryState & { readonly isDefault: boolean })[]> {
		const states = await this.#drivers.registries()
		return states.map(state => ({ ...state, isDefault: this.#isDefault(state.fingerprint) }))
	}

	/** Fetches the first root of a registry, whose fingerprint the user compares. @throws the errors of `firstRootAt` */
	look(address: string, signal?: AbortSignal): Promise<RegistrySource> {
		return firstRootAt(address, { agent: this.#options.agent, signal })
	}

	/**
	 * Trusts the registry at an address, if its first root has the fingerprint. A registry that moved keeps its identity.
	 * @throws HostError `plugin/registry_known`, `registry_other_root`, and the errors of `firstRootAt`
	 */
	async add(address: string, fingerprint: string, signal?: AbortSignal): Promise<void> {
		this.#requireAllowed(fingerprint)
		const found = await this.look(address, signal)
		if (found.fingerprint !== fingerprint)
			throw pluginErrors.make('registry_other_root', { registry: found.url, found: found.fingerprint })
		const isSame = this.#store.list().some(kept => kept.fingerprint === fingerprint && kept.url === found.url)
		if (isSame || this.#isDefault(fingerprint)) throw pluginErrors.make('registry_known', { registry: found.url })
		await this.#trust(found)
	}

	/**
	 * Trusts the registry of a bundle, if its first root has the fingerprint. @throws HostError
	 * `plugin/registry_other_root`
	 */
	async addBundled({ url, source: { fingerprint } }: Bundle, expected: string): Promise<void> {
		if (fingerprint !== expected) throw pluginErrors.make('registry_other_root', { registry: url, found: fingerprint })
		this.#requireAllowed(fingerprint)
		if (!this.#knows(fingerprint)) await this.#trust({ url, fingerprint })
	}

	/** @throws HostError `plugin/registry_default`, `registry_not_yours` */
	async remove(fingerprint: string): Promise<void> {
		if (this.#isDefault(fingerprint)) throw pluginErrors.make('registry_default')
		if (!this.#knows(fingerprint)) throw pluginErrors.make('registry_not_yours', { registry: fingerprint })
		try {
			await this.#store.remove(fingerprint)
		} finally {
			await this.#use()
		}
	}

	async #trust(source: RegistrySource): Promise<void> {
		await this.#store.add(source)
		await this.#use()
	}

	/** @throws HostError `policy/…` */
	#requireAllowed(fingerprint: string): void {
		const refusal = this.#options.policy.registryRefusal(fingerprint)
		if (refusal) throw refusal
	}

	#knows(fingerprint: string): boolean {
		return this.#isDefault(fingerprint) || this.#store.list().some(kept => kept.fingerprint === fingerprint)
	}

	#isDefault(fingerprint: string): boolean {
		return this.#default?.fingerprint === fingerprint
	}

	async #use(): Promise<void> {
		await this.#drivers.useRegistries([...(this.#default ? [this.#default] : []), ...this.#store.list()])
	}
}
