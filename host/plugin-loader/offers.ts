import type { Manifest } from '@roundhouse/kit/manifest'
import type { Release } from '@roundhouse/registry/documents'
import { gt } from 'semver'
import { messageOf } from '../base/errors.ts'
import { chooseRelease, hasDriver, incompatibilityOf, releasesOf } from './choose-release.ts'
import { pluginErrors } from './errors.ts'
import type { InstalledDrivers } from './installed.ts'
import type { RegistryBindings } from './registry-bindings.ts'
import type { RegistryClient, VerifiedIndex } from './registry-client.ts'

/** A driver as the choice sheet and Settings > Plugins show it: installed, offered by a registry, or both. */
export interface DriverOffer {
	readonly manifest: Manifest
	readonly state: 'available' | 'installed' | 'disabled'
	readonly installedVersion?: string
	/** The newest release that fits this host. */
	readonly available?: {
		readonly version: string
		readonly sizeBytes: number
		readonly publishedAt: string
		readonly license: string
		readonly registry: string
	}
	/** `available` is newer than what is installed. */
	readonly isUpdate?: boolean
	/** Why there is nothing to install, where the registry has only releases that do not fit. */
	readonly incompatibility?: string
}

export interface Browsing {
	readonly offers: readonly DriverOffer[]
	/** What kept a registry from being read, or made a saved copy serve; in words for the person. */
	readonly notices: readonly string[]
}

/** A release, and who vouches for it. */
export interface Offer {
	readonly registry: RegistryClient
	readonly verified: VerifiedIndex
	readonly release: Release
}

/**
 * What there is to install. An id belongs to one registry: the one it was installed from, and before that the first,
 * in the person's order, that has it. No failure of that one makes room for another.
 */
export class Offers {
	readonly #registries: readonly RegistryClient[]
	readonly #bindings: RegistryBindings
	readonly #installed: InstalledDrivers

	constructor(registries: readonly RegistryClient[], bindings: RegistryBindings, installed: InstalledDrivers) {
		this.#registries = registries
		this.#bindings = bindings
		this.#installed = installed
	}

	/** Everything there is to choose from. A registry that cannot be read costs a notice, not the list. */
	async browse(): Promise<Browsing> {
		const notices: string[] = []
		const offers = new Map<string, DriverOffer>()
		for (const { current, isEnabled } of this.#installed.list()) {
			const { manifest, version } = current.release
			offers.set(manifest.id, { manifest, state: isEnabled ? 'installed' : 'disabled', installedVersion: version })
		}
		for (const registry of this.#registries) {
			try {
				const { index, staleReason } = await registry.index()
				if (staleReason) notices.push(`Showing the saved plugin list. ${staleReason}`)
				for (const { id, version } of index.tooNew) {
					notices.push(`${index.name} has ${id} ${version}, which needs a newer Roundhouse.`)
				}
				for (const id of new Set(index.releases.map(release => release.id))) {
					const known = offers.get(id)
					if (!this.#mayOffer(registry, id) || known?.available || known?.incompatibility) continue
					const [newest] = releasesOf(index, id)
					const best = releasesOf(index, id).find(release => !incompatibilityOf(release)) ?? newest
					if (best) offers.set(id, { ...known, ...offerOf(best, index.name, known) })
				}
			} catch (error) {
				notices.push(messageOf(error))
			}
		}
		return { offers: [...offers.values()], notices }
	}

	/** The release to install. @throws HostError `plugin/…` */
	async find(id: string, range?: string): Promise<Offer> {
		const mine = this.#registries.filter(registry => this.#mayOffer(registry, id))
		if (mine.length === 0 && this.#registries.length > 0) throw pluginErrors.make('registry_unknown', { driver: id })
		for (const registry of mine) {
			const verified = await registry.index({ mustBeCurrent: true })
			if (!hasDriver(verified.index, id)) continue
			return { registry, verified, release: chooseRelease(verified.index, id, range) }
		}
		throw pluginErrors.make('not_found', { driver: id })
	}

	#mayOffer({ source }: RegistryClient, id: string): boolean {
		const bound = this.#bindings.registryOf(id)
		return bound === undefined || bound === source.fingerprint
	}
}

function offerOf(release: Release, registry: string, known: DriverOffer | undefined): DriverOffer {
	const { version, publishedAt, license, package: pack, manifest } = release
	const base = known ?? { manifest, state: 'available' as const }
	const incompatibility = incompatibilityOf(release)
	if (incompatibility) return { ...base, incompatibility }
	const isUpdate = base.installedVersion !== undefined && gt(version, base.installedVersion)
	return { ...base, available: { version, sizeBytes: pack.sizeBytes, publishedAt, license, registry }, isUpdate }
}
