import { messageOf } from '../base/errors.ts'
import { driversOf } from './choose-release.ts'
import { pluginErrors } from './errors.ts'
import type { RefusedRegistry } from './registries.ts'
import type { RegistryClient, RegistrySource } from './registry/registry-client.ts'

export type { RegistrySource }

/** How a registry is, asked just now. */
export interface RegistryState extends RegistrySource {
	/** How it calls itself, where that was ever read. */
	readonly name?: string
	/** How many drivers it lists. */
	readonly drivers: number
	/** When what is here of it ends, where there is any. */
	readonly expiresAt?: string
	/** `saved`: it cannot be read, and what is here of it serves. `refused`: the machine's policy does not allow it. */
	readonly state: 'current' | 'saved' | 'expired' | 'unreadable' | 'refused'
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
			state: isOver ? 'expired' : listing.staleReason ? 'saved' : 'current',
			...(listing.staleReason && { reason: isBundle(source.url) ? cameInFile : listing.staleReason }),
		}
	} catch (error) {
		const state = pluginErrors.is(error, 'metadata_expired') ? 'expired' : 'unreadable'
		return { ...source, drivers: 0, state, reason: messageOf(error) }
	}
}

export function refusedState({ source: { url, fingerprint }, refusal }: RefusedRegistry): RegistryState {
	return { url, fingerprint, drivers: 0, state: 'refused', reason: refusal.message }
}

/** A registry that is known by a bundle alone. */
export const isBundle = (url: string) => url.startsWith('file:') && url.endsWith('.zip')
const cameInFile = 'It came in a file. To bring it up to date: roundhouse plugin install --from FILE'
