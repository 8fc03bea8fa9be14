import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { InstalledDrivers } from './installed.ts'
import type { Registries } from './registries.ts'
import type { RegistryClient } from './registry/registry-client.ts'

const hourMs = 3600 * 1000
const dayMs = 24 * hourMs

/** A registry says something against a driver that is installed. */
export type OnRevoked = (id: string, action: 'warn' | 'stop') => Promise<void>

/**
 * Reads registries again once a day while the host runs, and tells, each time one was read for whatever reason, what it
 * newly says against the drivers that are installed.
 */
export class RevocationWatch implements Disposable {
	readonly #registries: Registries
	readonly #installed: InstalledDrivers
	readonly #log: Log
	readonly #onRevoked: OnRevoked
	/** Whoever hears of one reads the list again, and with it the registry: told twice, that would go round for ever. */
	readonly #told = new Set<string>()
	readonly #resources = new DisposableStack()

	constructor(registries: Registries, installed: InstalledDrivers, log: Log, onRevoked: OnRevoked) {
		this.#registries = registries
		this.#installed = installed
		this.#log = log
		this.#onRevoked = onRevoked
		const tell = (registry: RegistryClient) => this.#tell(registry).catch(error => log.warn(messageOf(error)))
		this.#resources.use(registries.onRefresh(registry => void tell(registry)))
		// A machine that sleeps misses no day by looking each hour.
		const timer = setInterval(() => void this.#refreshDue(), hourMs).unref()
		this.#resources.defer(() => clearInterval(timer))
	}

	[Symbol.dispose](): void {
		this.#resources.dispose()
	}

	async #refreshDue(): Promise<void> {
		for (const registry of this.#registries.list()) {
			const last = await registry.refreshedAt().catch(() => undefined)
			// One that fails is asked again in an hour; a person hears of it where the list is shown.
			if (!last || Math.abs(Date.now() - last.getTime()) >= dayMs) await registry.refresh().catch(() => {})
		}
	}

	async #tell(registry: RegistryClient): Promise<void> {
		const revocations = await registry.revocations().catch(() => undefined)
		for (const { current } of this.#installed.list()) {
			const { id, package: pack } = current.release
			const revocation = revocations?.get(pack.sha512)
			if (!revocation || current.registry !== registry.source.fingerprint) continue
			const { action, reason } = revocation
			const said = `${pack.sha512} ${action} ${reason}`
			if (this.#told.has(said)) continue
			this.#told.add(said)
			this.#log.warn(`driver ${id}: its registry says ${action}: ${reason}`)
			await this.#onRevoked(id, action)
		}
	}
}
