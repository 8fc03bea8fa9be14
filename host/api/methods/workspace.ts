import { z } from 'zod'
import type { JsonStore } from '../../../base/json-store.ts'
import type { WorkspaceChange, WorkspaceRecords } from '../workspace.ts'
import { method } from './method.ts'

export const workspaceMethods = (
	workspace: JsonStore<WorkspaceRecords>,
	/** Notifies windows. */
	tell: (change: WorkspaceChange) => void,
) => ({
	/** The user's work by key. */
	'workspace.read': method({
		params: z.object({}),
		run: async () => {
			// A window that reloads sends its last records just before it asks.
			await workspace.flush()
			return workspace.value
		},
	}),
	/** Stores a record; `null` deletes it. All windows get `writer`, so that each recognizes its changes. */
	'workspace.write': method({
		params: z.object({ key: z.string().max(1000), value: z.json(), writer: z.string().max(100) }),
		run: async ({ key, value, writer }) => {
			await workspace.update(({ [key]: _, ...others }) => (value === null ? others : { ...others, [key]: value }))
			tell({ key, value, writer })
			return null
		},
	}),
})
