import { registryClientErrors } from '@roundhouse/registry/client/errors'
import { messageOf } from '../../base/errors.ts'
import type { NamedListing, RegistryClient, RegistrySource } from '../../registry/client/registry-client.ts'
import { driversOf } from './choose-release.ts'
import type { RefusedRegistry } from './registries.ts'

export type { RegistrySource }

/** The current state of a registry. */
export interface RegistryState extends RegistrySource {
	/** Its display name, if it was ever read. */
	readonly name?: string
	/** How many drivers it lists. */
	readonly drivers: number
	/** Expiry of its stored metadata, if any is stored. */
	readonly expiresAt?: string
	/**
	 * `saved`: it cannot be read, and the stored metadata is used. `seeded`: it was never read, and what came with the host
	 * is used. `refused`: the machine's policy does not allow it.
	 */
	readonly state: 'current' | 'saved' | 'seeded' | 'expired' | 'unreadable' | 'refused'
	/** Why it is not `current`. */
	readonly reason?: string
}

export async function stateOf(registry: RegistryClient): Promise<RegistryState> {
	const source = { url: registry.source.url, fingerprint: registry.source.fingerprint }
	try {
		const listing = await registry.listing()
		const expiresAt = await registry.expiresAt()
		const isOver = expiresAt !== undefined && expiresAt.getTime() <= Date.now()
		return {
			...source,
			name: listing.name,
			drivers: driversOf(listing).length,
			...(expiresAt && { expiresAt: expiresAt.toISOString() }),
			state: isOver ? 'expired' : ageOf(listing),
			...(listing.staleReason && { reason: isBundle(source.url) ? cameInFile : listing.staleReason }),
		}
	} catch (error) {
		const state = registryClientErrors.is(error, 'metadata_expired') ? 'expired' : 'unreadable'
		return { ...source, drivers: 0, state, reason: messageOf(error) }
	}
}

function ageOf({ seededAt, staleReason }: NamedListing): 'seeded' | 'saved' | 'current' {
	if (seededAt !== undefined) return 'seeded'
	return staleReason === undefined ? 'current' : 'saved'
}

export function refusedState({ source: { url, fingerprint }, refusal }: RefusedRegistry): RegistryState {
	return { url, fingerprint, drivers: 0, state: 'refused', reason: refusal.message }
}

/** Whether a registry is known only from a bundle. */
export const isBundle = (url: string) => url.startsWith('file:') && url.endsWith('.zip')
const cameInFile = 'It was added from a file. To update it: roundhouse plugin install --from FILE'
