import type { Bundle } from './bundle.ts'
import type { Drivers } from './drivers.ts'
import { pluginErrors } from './errors.ts'
import { firstRootAt } from './first-root.ts'
import type { RegistriesOptions } from './registries.ts'
import type { RegistrySource } from './registry/registry-client.ts'
import type { RegistryState } from './registry-state.ts'

/** The person's own registries, as they are kept. */
export interface KeptRegistries {
	list(): readonly RegistrySource[]
	/** Kept before it is trusted; one that is known gets another address. */
	add(source: RegistrySource): Promise<unknown>
	/** Trusted no more, before that is kept. */
	remove(fingerprint: string): Promise<unknown>
}

/** Which registries this host trusts, and how that changes: by a person who has compared a fingerprint. */
export class TrustedRegistries {
	readonly #default: RegistrySource | undefined
	readonly #kept: KeptRegistries
	readonly #drivers: Pick<Drivers, 'registries' | 'useRegistries'>
	readonly #options: RegistriesOptions

	constructor(
		defaultRegistry: RegistrySource | undefined,
		kept: KeptRegistries,
		drivers: Pick<Drivers, 'registries' | 'useRegistries'>,
		options: RegistriesOptions,
	) {
		this.#options = options
		this.#default = defaultRegistry
		this.#kept = kept
		this.#drivers = drivers
	}

	async list(): Promise<readonly (RegistryState & { readonly isDefault: boolean })[]> {
		const states = await this.#drivers.registries()
		return states.map(state => ({ ...state, isDefault: this.#isDefault(state.fingerprint) }))
	}

	/** What a registry begins with, to be compared by the person. @throws what `firstRootAt` throws */
	look(address: string, signal?: AbortSignal): Promise<RegistrySource> {
		return firstRootAt(address, { agent: this.#options.agent, signal })
	}

	/**
	 * Trusts the registry at an address, if it begins with the root of that fingerprint. One that has moved is the same.
	 * @throws HostError `plugin/registry_known`, `registry_other_root`, what `firstRootAt` throws
	 */
	async add(address: string, fingerprint: string, signal?: AbortSignal): Promise<void> {
		this.#mustAllow(fingerprint)
		const found = await this.look(address, signal)
		if (found.fingerprint !== fingerprint)
			throw pluginErrors.make('registry_other_root', { registry: found.url, found: found.fingerprint })
		const isSame = this.#kept.list().some(kept => kept.fingerprint === fingerprint && kept.url === found.url)
		if (isSame || this.#isDefault(fingerprint)) throw pluginErrors.make('registry_known', { registry: found.url })
		await this.#trust(found)
	}

	/** Trusts the registry that a bundle is of, if it begins with the root of that fingerprint. @throws HostError `plugin/registry_other_root` */
	async addBundled({ url, source: { fingerprint } }: Bundle, told: string): Promise<void> {
		if (fingerprint !== told) throw pluginErrors.make('registry_other_root', { registry: url, found: fingerprint })
		this.#mustAllow(fingerprint)
		if (!this.#knows(fingerprint)) await this.#trust({ url, fingerprint })
	}

	/** @throws HostError `plugin/registry_default`, `registry_not_yours` */
	async remove(fingerprint: string): Promise<void> {
		if (this.#isDefault(fingerprint)) throw pluginErrors.make('registry_default')
		if (!this.#knows(fingerprint)) throw pluginErrors.make('registry_not_yours', { registry: fingerprint })
		try {
			await this.#kept.remove(fingerprint)
		} finally {
			await this.#use()
		}
	}

	async #trust(source: RegistrySource): Promise<void> {
		await this.#kept.add(source)
		await this.#use()
	}

	/** @throws HostError `policy/…` */
	#mustAllow(fingerprint: string): void {
		const refusal = this.#options.policy.registryRefusal(fingerprint)
		if (refusal) throw refusal
	}

	#knows(fingerprint: string): boolean {
		return this.#isDefault(fingerprint) || this.#kept.list().some(kept => kept.fingerprint === fingerprint)
	}

	#isDefault(fingerprint: string): boolean {
		return this.#default?.fingerprint === fingerprint
	}

	async #use(): Promise<void> {
		await this.#drivers.useRegistries([...(this.#default ? [this.#default] : []), ...this.#kept.list()])
	}
}
