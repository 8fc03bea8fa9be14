import { z } from 'zod'
import type { SavedConnections } from '../../connections/saved-connections.ts'
import type { Drivers } from '../../plugin-loader/drivers.ts'
import type { TrustedRegistries } from '../../plugin-loader/trusted-registries.ts'
import { fingerprintSchema } from './fingerprint.ts'
import type { Methods } from './method.ts'

/** Settings > Plugins: the trusted registries. */
export const registryMethods = (
	registries: TrustedRegistries,
	drivers: Pick<Drivers, 'installedFrom'>,
	connections: Pick<SavedConnections, 'list'>,
): Methods<Extract<keyof Methods, `registries.${string}`>> => ({
	'registries.list': {
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
	},
	'registries.look': {
		params: z.object({ url: z.string() }),
		run: ({ url }, { signal }) => registries.look(url, signal),
	},
	'registries.add': {
		params: z.object({ url: z.string(), fingerprint: fingerprintSchema }),
		run: async ({ url, fingerprint }, { signal }) => {
			await registries.add(url, fingerprint, signal)
			return null
		},
	},
	'registries.remove': {
		params: z.object({ fingerprint: z.string() }),
		run: async ({ fingerprint }) => {
			await registries.remove(fingerprint)
			return null
		},
	},
})
