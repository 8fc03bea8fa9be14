import { createEffect } from 'solid-js'
import type { Records } from '../state/records.ts'
import type { Workspace } from './workspace.ts'

/** More than these do not fit below the heading of an empty pane. */
const mostRecent = 6

const keyOf = (connection: string) => `recent/${connection}/tables`

/** Remembers the tables that were shown last, for each connection. */
export function keepRecentTables(records: Records, { tabs }: Workspace): void {
	createEffect(() => {
		const tab = tabs.active()
		if (tab?.kind !== 'table') return
		const { connection, table } = tab.place
		const others = recentTables(records, connection).filter(name => name !== table)
		records.set(keyOf(connection), [table, ...others].slice(0, mostRecent))
	})
}

/** Returns the names of the tables that were shown last; the latest is first. */
export function recentTables(records: Records, connection: string): readonly string[] {
	// The host stores it unchanged; another value is ignored.
	const kept = records.get(keyOf(connection))
	return Array.isArray(kept) ? kept.filter(name => typeof name === 'string') : []
}
