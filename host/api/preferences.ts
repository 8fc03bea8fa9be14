import { z } from 'zod'
import { JsonStore } from '../../base/json-store.ts'

/**
 * The user's layout of the window: theme, column widths. Stored by the host, because the window's own storage belongs
 * to an address that can change. Keys of tables are as in the workspace: `columns/<connection>/books`.
 */
const preferencesSchema = z.record(z.string().max(300), z.json())
export type Preferences = z.infer<typeof preferencesSchema>

export function openPreferences(path: string): Promise<JsonStore<Preferences>> {
	return JsonStore.open(path, preferencesSchema, {})
}
