import { z } from 'zod'
import { type HostSettings, type SettingChange, settingChangeSchema, windowSettingsOf } from '../settings.ts'
import { method } from './method.ts'

/** Access to the settings in effect, and the way to change them. */
export interface SettingsInForce {
	settings(): HostSettings
	/** @throws HostError where the value cannot be used */
	change(change: SettingChange): Promise<void>
}

export const settingMethods = (running: () => SettingsInForce) => ({
	'settings.read': method({ params: z.object({}), run: async () => windowSettingsOf(running().settings()) }),
	'settings.write': method({
		params: settingChangeSchema,
		run: async change => {
			await running().change(change)
			return null
		},
	}),
})
