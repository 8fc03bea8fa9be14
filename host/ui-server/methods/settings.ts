import { z } from 'zod'
import type { ExportSettings } from '../../exports/export-folder.ts'
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
	requestsFolder(): string
	setRequestsFolder(path: string): Promise<void>
	exportSettings(): ExportSettings
	/** What is left out stays as it is: another window may have changed it. */
	setExportSettings(change: Partial<ExportSettings>): Promise<void>
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
	'settings.requestsFolder': { params: z.object({}), run: async () => running().requestsFolder() },
	'settings.setRequestsFolder': {
		params: z.object({ path: z.string().trim().max(4_000) }),
		run: async ({ path }) => {
			await running().setRequestsFolder(path)
			return null
		},
	},
	'settings.exports': { params: z.object({}), run: async () => running().exportSettings() },
	'settings.setExports': {
		params: z.object({ folder: z.string().trim().max(4_000).exactOptional(), asks: z.boolean().exactOptional() }),
		run: async settings => {
			await running().setExportSettings(settings)
			return null
		},
	},
})
