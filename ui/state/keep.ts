import { createEffect, on, onCleanup } from 'solid-js'
import type { WorkspaceRecords } from '../../host/api/api.ts'
import type { Records } from './records.ts'

type Value = WorkspaceRecords[string]

/** Returns a value as the plain JSON of a record, which readonly types hide. */
export const plain = (value: unknown): Value => JSON.parse(JSON.stringify(value))

/**
 * Keeps the user's work as a record while its owner lives: restores what was stored, writes changes, and takes changes
 * of other windows.
 */
export function keep(
	records: Records,
	key: string,
	part: {
		/** `null` if there is nothing worth storing. */
		read(): Value
		/** Takes a stored record, or `null` for none. It ignores what it cannot read. */
		take(value: Value): void
	},
): void {
	const kept = records.get(key)
	if (kept !== undefined) part.take(kept)
	createEffect(on(part.read, value => records.set(key, value), { defer: true }))
	onCleanup(records.onChange(key, part.take))
}
