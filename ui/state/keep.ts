import { createEffect, on, onCleanup } from 'solid-js'
import type { WorkspaceRecords } from '../../host/ui-server/api.ts'
import type { Records } from './records.ts'

type Value = WorkspaceRecords[string]

/**
 * Keeps what the person does as a record, for as long as its owner lives: what was kept is taken up at once, what changes
 * is written, and what another window wrote is taken up too.
 */
export function keep(
	records: Records,
	key: string,
	part: {
		/** `null` where there is nothing worth keeping. */
		read(): Value
		/** Takes up what was kept, `null` where that is nothing. What it cannot read it leaves. */
		take(value: Value): void
	},
): void {
	const kept = records.get(key)
	if (kept !== undefined) part.take(kept)
	createEffect(on(part.read, value => records.set(key, value), { defer: true }))
	onCleanup(records.onChange(key, part.take))
}
