import { z } from 'zod'
import type { JsonStore } from '../../../base/json-store.ts'
import type { Preferences } from '../preferences.ts'
import type { Methods } from './method.ts'

export const preferenceMethods = (
	preferences: JsonStore<Preferences>,
): Methods<Extract<keyof Methods, `preferences.${string}`>> => ({
	'preferences.read': { params: z.object({}), run: async () => preferences.value },
	'preferences.write': {
		params: z.object({ key: z.string().max(300), value: z.json() }),
		run: async ({ key, value }) => {
			await preferences.update(all => ({ ...all, [key]: value }))
			return null
		},
	},
})
