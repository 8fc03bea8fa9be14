import { z } from 'zod'
import type { McpSettings } from '../../mcp/index.ts'
import { type ProxySetting, proxySettingSchema } from '../../network/proxy.ts'
import { settingChangeSchema, windowSettings } from '../settings.ts'
import type { Methods } from './method.ts'

/** What the settings are read from, and who puts a change into force. */
export interface SettingsInForce {
	settings(): McpSettings
	configure(settings: Partial<McpSettings>): Promise<void>
	proxy(): ProxySetting
	setProxy(proxy: ProxySetting): Promise<void>
}

export const settingMethods = (
	running: () => SettingsInForce,
): Methods<Extract<keyof Methods, `settings.${string}`>> => ({
	'settings.read': { params: z.object({}), run: async () => windowSettings.parse(running().settings()) },
	'settings.write': {
		params: settingChangeSchema,
		run: async ({ key, value }) => {
			await running().configure({ [key]: value })
			return null
		},
	},
	'settings.proxy': { params: z.object({}), run: async () => running().proxy() },
	'settings.setProxy': {
		params: z.object({ proxy: proxySettingSchema }),
		run: async ({ proxy }) => {
			await running().setProxy(proxy)
			return null
		},
	},
})
