import { z } from 'zod'
import { JsonStore } from '../../base/json-store.ts'

/**
 * The user's work in the window: open tabs, filters, console texts and staged edits, each under a key. If two windows
 * write one record, the last write wins and the other window is notified. Records of a connection have its id as the
 * second of three or more parts of the key (`edits/<connection>/books`) and are removed with it.
 */
const workspaceSchema = z.record(z.string(), z.json())
export type WorkspaceRecords = z.infer<typeof workspaceSchema>

export function openWorkspace(path: string): Promise<JsonStore<WorkspaceRecords>> {
	return JsonStore.open(path, workspaceSchema, {})
}

/** Removes the records of connections that no longer exist, from the workspace or from the preferences. */
export async function forgetRecordsOf(
	store: JsonStore<WorkspaceRecords>,
	isThere: (connection: string) => boolean,
): Promise<void> {
	const belongs = ([key]: readonly [string, unknown]) => {
		const [, connection, what] = key.split('/')
		return connection === undefined || what === undefined || isThere(connection)
	}
	await retain(store, belongs)
}

/** Removes all other records, and writes nothing if there are none. */
async function retain(
	store: JsonStore<WorkspaceRecords>,
	stays: (record: readonly [string, unknown]) => boolean,
): Promise<void> {
	// Records that are being written become visible first.
	await store.flush()
	if (Object.entries(store.value).every(stays)) return
	await store.update(records => Object.fromEntries(Object.entries(records).filter(stays)))
}

/** Removes what a window keeps of an export to begin it again: it is whole, whether or not a window saw that. */
export async function forgetExport(store: JsonStore<WorkspaceRecords>, id: string): Promise<void> {
	await retain(store, ([key]) => !(key.startsWith('export/') && key.endsWith(`/${id}`)))
}

/** A record that was written. `writer` lets the window that wrote it recognize its change. */
export interface WorkspaceChange {
	readonly key: string
	readonly value: WorkspaceRecords[string]
	readonly writer: string
}
