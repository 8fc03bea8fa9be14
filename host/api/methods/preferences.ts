import { z } from 'zod'
import type { JsonStore } from '../../../base/json-store.ts'
import type { Preferences } from '../preferences.ts'
import { method } from './method.ts'

export const preferenceMethods = (preferences: JsonStore<Preferences>) => ({
	'preferences.read': method({ params: z.object({}), run: async () => preferences.value }),
	'preferences.write': method({
		params: z.object({ key: z.string().max(300), value: z.json() }),
		run: async ({ key, value }) => {
			await preferences.update(all => ({ ...all, [key]: value }))
			return null
		},
	}),
})
