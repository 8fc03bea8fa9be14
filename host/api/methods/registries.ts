import { z } from 'zod'
import type { SavedConnections } from '../../connections/saved-connections.ts'
import type { Drivers } from '../../plugin-loader/drivers.ts'
import type { TrustedRegistries } from '../../plugin-loader/trusted-registries.ts'
import { fingerprintSchema } from './fingerprint.ts'
import { method } from './method.ts'

/** Settings > Plugins: the trusted registries. */
export const registryMethods = (
	registries: TrustedRegistries,
	drivers: Pick<Drivers, 'installedFrom'>,
	connections: Pick<SavedConnections, 'list'>,
) => ({
	/** The current state of each trusted registry, and what is installed from it. */
	'registries.list': method({
		params: z.object({}),
		run: async () =>
			(await registries.list()).map(state => ({
				...state,
				installed: drivers.installedFrom(state.fingerprint).map(({ id, displayName }) => ({
					id,
					displayName,
					connections: connections.list().flatMap(({ driverId, name }) => (driverId === id ? [name] : [])),
				})),
			})),
	}),
	/** Returns a registry's first root for comparison with its publisher's; nothing is stored. */
	'registries.look': method({
		params: z.object({ url: z.string() }),
		run: ({ url }, { signal }) => registries.look(url, signal),
	}),
	/** Trusts a registry with this first root. */
	'registries.add': method({
		params: z.object({ url: z.string(), fingerprint: fingerprintSchema }),
		run: async ({ url, fingerprint }, { signal }) => {
			await registries.add(url, fingerprint, signal)
			return null
		},
	}),
	/** Drivers from it are no longer loaded. */
	'registries.remove': method({
		params: z.object({ fingerprint: z.string() }),
		run: async ({ fingerprint }) => {
			await registries.remove(fingerprint)
			return null
		},
	}),
})
