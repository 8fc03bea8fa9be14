import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { RegistryClient } from '../../registry/client/registry-client.ts'
import type { InstalledDrivers } from './installed.ts'
import type { Registries } from './registries.ts'

const hourMs = 3600 * 1000
const dayMs = 24 * hourMs

/** Called when a registry revokes an installed driver. */
export type OnRevoked = (id: string, action: 'warn' | 'stop') => Promise<void>

interface RevocationWatchOptions {
	readonly installed: InstalledDrivers
	readonly log: Log
	readonly onRevoked: OnRevoked
}

/**
 * Refreshes the registries once a day while the host runs. After every refresh of a registry, for any reason, it
 * reports new revocations of installed drivers.
 */
export class RevocationWatch implements Disposable {
	readonly #registries: Registries
	readonly #installed: InstalledDrivers
	readonly #log: Log
	readonly #onRevoked: OnRevoked
	/**
	 * Revocations that were already reported. A report makes listeners refresh the registries, so a second report would
	 * loop.
	 */
	readonly #reported = new Set<string>()
	readonly #resources = new DisposableStack()

	constructor(registries: Registries, { installed, log, onRevoked }: RevocationWatchOptions) {
		this.#registries = registries
		this.#installed = installed
		this.#log = log
		this.#onRevoked = onRevoked
		const report = (registry: RegistryClient) => this.#report(registry).catch(error => log.warn(messageOf(error)))
		this.#resources.use(registries.onRefresh(registry => void report(registry)))
		// Checks hourly, because a daily timer could miss a day on a machine that sleeps.
		const timer = setInterval(() => void this.#refreshDue(), hourMs).unref()
		this.#resources.defer(() => clearInterval(timer))
	}

	[Symbol.dispose](): void {
		this.#resources.dispose()
	}

	async #refreshDue(): Promise<void> {
		for (const registry of this.#registries.list()) {
			const last = await registry.refreshedAt().catch(() => undefined)
			// A failed refresh is retried in an hour. The user sees the failure in the list of registries.
			if (!last || Math.abs(Date.now() - last.getTime()) >= dayMs) await registry.refresh().catch(() => {})
		}
	}

	async #report(registry: RegistryClient): Promise<void> {
		const revocations = await registry.revocations().catch(() => undefined)
		for (const { current } of this.#installed.list()) {
			const { id, package: pack } = current.release
			const revocation = revocations?.get(pack.sha512)
			if (!revocation || current.registry !== registry.source.fingerprint) continue
			const { action, reason } = revocation
			const key = `${pack.sha512} ${action} ${reason}`
			if (this.#reported.has(key)) continue
			this.#reported.add(key)
			this.#log.warn(`driver ${id}: its registry revoked it (${action}): ${reason}`)
			await this.#onRevoked(id, action)
		}
	}
}
