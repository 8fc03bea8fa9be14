import { z } from 'zod'
import type { JsonStore } from '../../../base/json-store.ts'
import type { WorkspaceRecords } from '../workspace.ts'
import type { Methods } from './method.ts'

export const workspaceMethods = (
	workspace: JsonStore<WorkspaceRecords>,
	/** Notifies windows of a written record and its writer. */
	tell: (change: { readonly key: string; readonly value: WorkspaceRecords[string]; readonly writer: string }) => void,
): Methods<Extract<keyof Methods, `workspace.${string}`>> => ({
	'workspace.read': {
		params: z.object({}),
		run: async () => {
			// A window that reloads sends its last records just before it asks.
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
