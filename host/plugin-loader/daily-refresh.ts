import type { RegistryClient } from './registry/registry-client.ts'

const hourMs = 3600 * 1000
const dayMs = 24 * hourMs

/** Brings registries up to date once a day while the host runs, so that what one revokes does not wait for a load. */
export class DailyRefresh implements Disposable {
	readonly #registries: readonly RegistryClient[]
	readonly #timer: NodeJS.Timeout

	constructor(registries: readonly RegistryClient[]) {
		this.#registries = registries
		// A machine that sleeps misses no day by looking each hour.
		this.#timer = setInterval(() => void this.#look(), hourMs).unref()
	}

	[Symbol.dispose](): void {
		clearInterval(this.#timer)
	}

	async #look(): Promise<void> {
		for (const registry of this.#registries) {
			const last = await registry.refreshedAt().catch(() => undefined)
			// One that fails is asked again in an hour; a person hears of it where the list is shown.
			if (!last || Math.abs(Date.now() - last.getTime()) >= dayMs) await registry.refresh().catch(() => {})
		}
	}
}
