import { z } from 'zod'
import { JsonStore } from '../base/json-store.ts'

/**
 * How the person set up the window: theme, column widths. Kept by the host, for the window's own storage belongs to an
 * address that changes with each launch.
 */
const preferencesSchema = z.record(z.string().max(300), z.json())
export type Preferences = z.infer<typeof preferencesSchema>

export function openPreferences(path: string): Promise<JsonStore<Preferences>> {
	return JsonStore.open(path, preferencesSchema, {})
}
