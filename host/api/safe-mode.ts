import type { Access } from '@roundhouse/kit'
import type { SavedConnection } from '../connections/connection-fields.ts'
import { writeErrors } from './errors.ts'

interface Write {
	/** By the driver's verdict. */
	readonly access: Access
	/** The name that a user types before a destructive action. */
	readonly name: string
	readonly typed: string | undefined
	/** Whether it was shown as it would be sent. Checked last, because the check uses the review up. */
	wasShown(): boolean
}

/**
 * Checks whether a user's write may be sent, by the safe mode of its connection. Destructive writes need the typed name
 * in every mode. AI clients have other gates.
 * @throws HostError `write/…`
 */
export function assertMayWrite({ name, safeMode }: SavedConnection, write: Write): void {
	if (write.access === 'read') return
	if (safeMode === 'read-only') throw writeErrors.make('read_only', { name })
	if (write.access === 'destructive' && write.typed !== write.name) {
		throw writeErrors.make('name_needed', { expected: write.name })
	}
	if (safeMode !== 'free' && !write.wasShown()) throw writeErrors.make('not_shown', { name })
}
