import { onCleanup } from 'solid-js'
import type { ActivityEntry } from '../../host/api/api.ts'
import type { HostConnection } from '../api/client.ts'

/** An entry of the activity about a change of rows that is kept for an undo. */
export type ClientChangeEntry = ActivityEntry & { readonly connection: string; readonly change: string }

/** Calls back for each change of rows by an AI client, until the owner is cleaned up. */
export function onClientChange(host: HostConnection, noted: (entry: ClientChangeEntry) => void): void {
	onCleanup(
		host.on('activity.entry', entry => {
			const { action, outcome, connection, change } = entry
			const isMade = outcome === 'success' && action.startsWith('tool.')
			if (isMade && connection !== undefined && change !== undefined) noted({ ...entry, connection, change })
		}),
	)
}
