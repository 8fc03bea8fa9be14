import { z } from 'zod'
import { readAddress } from '../../connections/read-address.ts'
import type { Drivers } from '../../plugin-loader/drivers.ts'
import type { InstalledDriver } from '../../plugin-loader/installed.ts'
import { parseLock } from '../../plugin-loader/lock-file.ts'
import { mayUse, newlyMayUse } from '../../plugin-loader/permission-text.ts'
import { syncDrivers } from '../../plugin-loader/sync.ts'
import type { TrustedRegistries } from '../../plugin-loader/trusted-registries.ts'
import type { Installed } from '../api.ts'
import { firstSteps } from '../first-steps.ts'
import { fingerprintSchema } from './fingerprint.ts'
import type { Methods } from './method.ts'

const byId = z.object({ id: z.string() })

export const driverManagementMethods = (
	drivers: Drivers,
	registries: TrustedRegistries,
): Methods<Extract<keyof Methods, `drivers.${string}`>> => ({
	'drivers.firstSteps': { params: z.object({}), run: () => firstSteps(drivers) },
	'drivers.installed': { params: z.object({}), run: async () => drivers.installed() },
	'drivers.browse': { params: z.object({}), run: () => drivers.browse() },
	'drivers.install': {
		params: byId.extend({
			range: z.string().optional(),
			from: z.object({ registry: z.string().optional(), publisher: z.string().optional() }).optional(),
			shown: z.string().optional(),
			acceptsMore: z.boolean().optional(),
		}),
		run: async ({ id, range, from, shown, acceptsMore = false }, context) => {
			const wanted = { ...(range && { range }), ...(from && { from }), ...(shown && { shown }), acceptsMore }
			const driver = await drivers.install(id, { ...context, ...wanted })
			return installedOf(driver)
		},
	},
	'drivers.installFrom': {
		params: z.object({
			path: z.string(),
			id: z.string().optional(),
			publisher: z.string().optional(),
			range: z.string().optional(),
			fingerprint: fingerprintSchema.optional(),
			acceptsExpired: z.boolean().optional(),
			acceptsMore: z.boolean().optional(),
		}),
		run: async ({ path, fingerprint, ...wanted }, context) => {
			await using bundle = await drivers.openBundle(path)
			if (fingerprint) await registries.addBundled(bundle, fingerprint)
			const installed = await drivers.installFrom(bundle, { ...context, ...wanted })
			return installed.map(driver => ({ id: driver.current.release.id, ...installedOf(driver) }))
		},
	},
	'drivers.remove': {
		params: byId.extend({ forgetsRegistry: z.boolean().optional() }),
		run: async ({ id, forgetsRegistry }) => {
			await drivers.remove(id, { forgetsRegistry })
			return null
		},
	},
	'drivers.setEnabled': {
		params: byId.extend({ isEnabled: z.boolean() }),
		run: async ({ id, isEnabled }) => {
			await drivers.setEnabled(id, isEnabled)
			return null
		},
	},
	'drivers.confinement': { params: z.object({}), run: () => drivers.confinement() },
	'drivers.verify': { params: z.object({}), run: () => drivers.verifyAll() },
	'drivers.lock': { params: z.object({}), run: async () => drivers.lock() },
	'drivers.sync': {
		params: z.object({ lock: z.unknown(), acceptsOlder: z.boolean().optional() }),
		run: ({ lock, acceptsOlder }, context) => syncDrivers(drivers, parseLock(lock), { ...context, acceptsOlder }),
	},
	'drivers.readAddress': {
		params: byId.extend({ text: z.string().max(100_000) }),
		run: async params => (await readAddress(drivers, params)) ?? null,
	},
	'drivers.sample': {
		params: byId,
		run: async ({ id }, context) => {
			await drivers.ensure(id, context)
			return drivers.sample(id)
		},
	},
})

function installedOf({ current: { release }, previous }: InstalledDriver): Installed {
	return {
		version: release.version,
		mayUse: mayUse(release.manifest),
		...(previous && {
			since: {
				version: previous.release.version,
				newlyMayUse: newlyMayUse(previous.release.manifest, release.manifest),
			},
		}),
	}
}
