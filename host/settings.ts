import { z } from 'zod'
import { JsonStore } from './base/json-store.ts'
import type { SupportDirectory } from './base/support-directory.ts'

/** What a person can set; `settings.json` holds only what differs from these defaults. */
const settingsSchema = z.object({
	mcp: z
		.object({
			enabled: z.boolean().default(true),
			/** Where it is busy, the kernel picks another. */
			port: z.int().min(0).max(65535).default(23517),
			/** Off: a request without a token is an anonymous read-only caller. */
			authentication: z.boolean().default(true),
			allowedOrigins: z.array(z.string()).default(['https://claude.ai', 'https://app.cursor.com']),
			ratePerMinute: z.int().positive().default(240),
			concurrentPerToken: z.int().positive().default(8),
		})
		.prefault({}),
	ui: z.object({ port: z.int().min(0).max(65535).default(0) }).prefault({}),
	/** Registries beside the default one, each with the fingerprint of its root key. */
	registries: z.array(z.object({ url: z.string(), fingerprint: z.string() })).default([]),
})
export type HostSettings = z.infer<typeof settingsSchema>

export function openSettings(support: SupportDirectory): Promise<JsonStore<HostSettings>> {
	return JsonStore.open(support.file('settings.json'), settingsSchema, settingsSchema.parse({}))
}
