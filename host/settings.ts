import { z } from 'zod'
import { JsonStore } from './base/json-store.ts'
import type { SupportDirectory } from './base/support-directory.ts'
import { defaultPort, defaultSettings, type McpSettings } from './mcp/index.ts'
import { proxySettingSchema } from './network/proxy.ts'
import { windowSettings } from './ui-server/settings.ts'

const { allowedOrigins, ratePerMinute, concurrentPerToken, costLimitRows } = defaultSettings

/** What a person can set, with the defaults of what `settings.json` does not say. */
const settingsSchema = z.object({
	mcp: windowSettings
		.extend({
			/** Where it is busy, the kernel picks another. */
			port: z.int().min(0).max(65535).default(defaultPort),
			allowedOrigins: z.array(z.string()).readonly().default(allowedOrigins),
			ratePerMinute: z.int().positive().default(ratePerMinute),
			concurrentPerToken: z.int().positive().default(concurrentPerToken),
			/** 0: nothing is too expensive. */
			costLimitRows: z.int().nonnegative().default(costLimitRows),
		})
		.prefault({}),
	ui: z.object({ port: z.int().min(0).max(65535).default(0) }).prefault({}),
	/** How drivers, and the host for their registries, go out (host/network/proxy.ts). */
	network: z.object({ proxy: proxySettingSchema.default({ mode: 'machine' }) }).prefault({}),
	/** Requests that all connections share lie there, for example in a Git repository; empty where nowhere. */
	requests: z.object({ folder: z.string().default('') }).prefault({}),
	/** The one folder that AI clients may export to, by its real path, and whether each export is asked for. */
	exports: z.object({ folder: z.string().default(''), asks: z.boolean().default(true) }).prefault({}),
	/** Registries beside the default one, each with the fingerprint of its first root. */
	registries: z.array(z.object({ url: z.string(), fingerprint: z.string() })).default([]),
})
export type HostSettings = z.infer<typeof settingsSchema>

export function openSettings(support: SupportDirectory): Promise<JsonStore<HostSettings>> {
	return JsonStore.open(support.file('settings.json'), settingsSchema, settingsSchema.parse({}))
}

/** Whether a change of the endpoint's settings only takes away from AI clients. */
export function isNarrowing({ enabled, authentication, alsoAskInWindow, ...others }: Partial<McpSettings>): boolean {
	const widens = enabled === true || authentication === false || alsoAskInWindow === false
	return !widens && Object.keys(others).length === 0
}
