import { z } from 'zod'
import { defaultSettings } from '../mcp/index.ts'

/**
 * The settings that a person switches in the window. One is a member of `McpSettings` with its default, a line here and
 * a row in the window; `settings.json` holds it beside those that only a file sets.
 */
export const windowSettings = z.object({
	enabled: z.boolean().default(defaultSettings.enabled),
	authentication: z.boolean().default(defaultSettings.authentication),
	alsoAskInWindow: z.boolean().default(defaultSettings.alsoAskInWindow),
})
export type WindowSettings = z.output<typeof windowSettings>

/** One setting with its new value. */
export type SettingChange = {
	[K in keyof WindowSettings]: { readonly key: K; readonly value: WindowSettings[K] }
}[keyof WindowSettings]

const changes = Object.entries(windowSettings.shape).map(([key, field]) =>
	// What a file may leave out, a change may not.
	z.strictObject({ key: z.literal(key), value: field.unwrap() }),
)
/** Pairs each key with the values of its own field, which TypeScript does not follow through the entries. */
export const settingChangeSchema = z.union(changes) as z.ZodType<unknown> as z.ZodType<SettingChange>
