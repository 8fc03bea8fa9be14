import { z } from 'zod'
import type { JsonStore } from '../../base/json-store.ts'
import type { WorkspaceRecords } from '../workspace.ts'
import type { Methods } from './method.ts'

export const workspaceMethods = (
	workspace: JsonStore<WorkspaceRecords>,
	/** Tells the windows of a record that was written, and by whom. */
	tell: (change: { readonly key: string; readonly value: WorkspaceRecords[string]; readonly writer: string }) => void,
): Methods<Extract<keyof Methods, `workspace.${string}`>> => ({
	'workspace.read': {
		params: z.object({}),
		run: async () => {
			// A window that is loaded anew sends its last words just before it asks.
			await workspace.flush()
			return workspace.value
		},
	},
	'workspace.write': {
		params: z.object({ key: z.string().max(1000), value: z.json(), writer: z.string().max(100) }),
		run: async ({ key, value, writer }) => {
			await workspace.update(({ [key]: _, ...others }) => (value === null ? others : { ...others, [key]: value }))
			tell({ key, value, writer })
			return null
		},
	},
})
