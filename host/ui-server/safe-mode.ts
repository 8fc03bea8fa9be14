import type { Access } from '@roundhouse/kit'
import type { SavedConnection } from '../connections/saved-connections.ts'
import { writeErrors } from './errors.ts'

interface Write {
	/** By the driver's verdict. */
	readonly access: Access
	/** What a person types before it is destroyed. */
	readonly name: string
	readonly typed: string | undefined
	/** Whether it was shown as it would be sent. Asked at the end, for the answer is spent by it. */
	wasShown(): boolean
}

/**
 * Whether a person's write may be sent, by the safe mode of its connection. What destroys wants its name typed in every
 * mode. AI clients have gates of their own.
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
