import type { HostConnection } from '../api/client.ts'
import { showToast } from '../controls/toasts.tsx'
import { onClientChange } from '../state/client-changes.ts'
import { counted } from '../words/format.ts'

/** A change of an AI client, as the activity names it. */
export interface ClientChange {
	readonly connection: string
	readonly change: string
}

/** Says what AI clients changed, with an undo. @param show shows what an undo would do */
export function reportClientChanges(host: HostConnection, show: (change: ClientChange) => void): void {
	onClientChange(host, ({ action, change, connection, connectionName = connection, client, rows = 0 }) => {
		// The client chose this name, so it is quoted.
		const what = action === 'tool.undo_change' ? 'took back' : 'changed'
		const text = `“${client}” ${what} ${counted(rows, { one: 'row', many: 'rows' })} on ${connectionName}.`
		showToast(text, { label: 'Undo …', run: () => show({ connection, change }) })
	})
}
