import { z } from 'zod'
import { readAddress } from '../../connections/read-address.ts'
import type { Drivers } from '../../plugin-loader/drivers.ts'
import type { InstalledDriver } from '../../plugin-loader/installed.ts'
import { parseLock } from '../../plugin-loader/lock-file.ts'
import { mayUse, newlyMayUse } from '../../plugin-loader/permission-text.ts'
import { syncDrivers } from '../../plugin-loader/sync.ts'
import type { TrustedRegistries } from '../../plugin-loader/trusted-registries.ts'
import { firstSteps } from '../first-steps.ts'
import { fingerprintSchema } from './fingerprint.ts'
import { method } from './method.ts'

const byId = z.object({ id: z.string() })

export const driverManagementMethods = (drivers: Drivers, registries: TrustedRegistries) => ({
	/** Returns samples, and servers on this machine, that a new user can begin with. */
	'drivers.firstSteps': method({ params: z.object({}), run: () => firstSteps(drivers) }),
	/** The installed drivers; no registry is asked. */
	'drivers.installed': method({ params: z.object({}), run: async () => drivers.installed() }),
	'drivers.browse': method({ params: z.object({}), run: () => drivers.browse() }),
	/**
	 * Reports bytes as progress. `from`: the registry and publisher, or one of them, if several have a driver of this
	 * id and none is installed. `shown`: digest of the package that the user was shown. `acceptsMore`: the
	 * user allows what the release may do beyond the installed one.
	 */
	'drivers.install': method({
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
	}),
	/**
	 * Installs the drivers of a bundle from a trusted registry, or one of them. `fingerprint`: of a registry to trust
	 * from now on, as the user received it.
	 */
	'drivers.installFrom': method({
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
	}),
	'drivers.remove': method({
		params: byId.extend({ forgetsRegistry: z.boolean().optional() }),
		run: async ({ id, forgetsRegistry }) => {
			await drivers.remove(id, { forgetsRegistry })
			return null
		},
	}),
	'drivers.setEnabled': method({
		params: byId.extend({ isEnabled: z.boolean() }),
		run: async ({ id, isEnabled }) => {
			await drivers.setEnabled(id, isEnabled)
			return null
		},
	}),
	/** How driver processes are confined on this machine. */
	'drivers.confinement': method({ params: z.object({}), run: () => drivers.confinement() }),
	/** What is wrong with each installed driver's files, by id; `null` if nothing is. */
	'drivers.verify': method({ params: z.object({}), run: () => drivers.verifyAll() }),
	/** The lock file of what is installed. */
	'drivers.lock': method({ params: z.object({}), run: async () => drivers.lock() }),
	/** Installs what a lock file names and is missing or different here. */
	'drivers.sync': method({
		params: z.object({ lock: z.unknown(), acceptsOlder: z.boolean().optional() }),
		run: ({ lock, acceptsOlder }, context) => syncDrivers(drivers, parseLock(lock), { ...context, acceptsOlder }),
	}),
	/** Returns the values of the form that the driver reads from a pasted address; `null` if it knows none. */
	'drivers.readAddress': method({
		params: byId.extend({ text: z.string().max(100_000) }),
		run: async params => (await readAddress(drivers, params)) ?? null,
	}),
	'drivers.sample': method({
		params: byId,
		run: async ({ id }, context) => {
			await drivers.ensure(id, context)
			const { settings, url } = await drivers.sample(id)
			return { settings, url }
		},
	}),
})

/** The outcome of an installation, and what the driver may use now, in words. */
export interface Installed {
	readonly version: string
	readonly mayUse: readonly string[]
	/** The previous release, and what it could not use. */
	readonly since?: { readonly version: string; readonly newlyMayUse: readonly string[] }
}

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
