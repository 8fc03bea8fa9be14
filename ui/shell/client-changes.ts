import { onCleanup } from 'solid-js'
import type { HostConnection } from '../api/client.ts'
import { showToast } from '../controls/toasts.tsx'
import { counted } from '../words/format.ts'

/** A change of an AI client, as the activity names it. */
export interface ClientChange {
	readonly connection: string
	readonly change: string
}

/** Says what AI clients changed, with an undo. @param show shows what an undo would do */
export function reportClientChanges(host: HostConnection, show: (change: ClientChange) => void): void {
	onCleanup(
		host.on('activity.entry', ({ action, outcome, change, connection, connectionName, client, rows = 0 }) => {
			if (change === undefined || connection === undefined) return
			if (outcome !== 'success' || !action.startsWith('tool.')) return
			// The client chose this name, so it is quoted.
			const what = action === 'tool.undo_change' ? 'took back' : 'changed'
			const text = `“${client}” ${what} ${counted(rows, { one: 'row', many: 'rows' })} on ${connectionName ?? connection}.`
			showToast(text, { label: 'Undo …', run: () => show({ connection, change }) })
		}),
	)
}
