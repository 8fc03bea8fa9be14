import { z } from 'zod'
import { JsonStore } from '../base/json-store.ts'

/**
 * What the person is working on in the window: open tabs, filters, console texts, staged edits, each under a key of its
 * own. Of two windows that write one record the last counts, and the other hears of it. What belongs to a connection has
 * its id as the second part of the key (`edits/<connection>/books`), and goes with it.
 */
const workspaceSchema = z.record(z.string(), z.json())
export type WorkspaceRecords = z.infer<typeof workspaceSchema>

export function openWorkspace(path: string): Promise<JsonStore<WorkspaceRecords>> {
	return JsonStore.open(path, workspaceSchema, {})
}

/** Lets go of what belongs to connections that are there no more. */
export async function forgetWorkspaceOf(
	store: JsonStore<WorkspaceRecords>,
	isThere: (connection: string) => boolean,
): Promise<void> {
	const belongs = ([key]: readonly [string, unknown]) => {
		const connection = key.split('/')[1]
		return connection === undefined || isThere(connection)
	}
	if (Object.entries(store.value).every(belongs)) return
	await store.update(records => Object.fromEntries(Object.entries(records).filter(belongs)))
}
