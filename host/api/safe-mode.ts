import type { Access } from '@roundhouse/kit'
import type { SavedConnection } from '../connections/connection-fields.ts'
import { writeErrors } from './errors.ts'

interface Write {
	/** By the driver's verdict. */
	readonly access: Access
	/** It is destructive only in doubt (`Verdict.isOpaque`). */
	readonly isOpaque?: true | undefined
	/** It deletes the rows that its condition selects (`Verdict.isSelective`). */
	readonly isSelective?: true | undefined
	/** It runs in an open transaction alone, and a rollback of that leaves nothing of it. */
	readonly isUndone?: boolean
	/** The name that a user types before a destructive action on a production connection. */
	readonly name: string
	readonly typed: string | undefined
	/** Whether it was shown as it would be sent. Checked last, because the check uses the review up. */
	wasShown(): boolean
}

/**
 * Checks whether a user's write may be sent, by the safe mode of its connection. A write that destroys must have been
 * shown in every mode. In the free mode outside of production, one need not be that is destructive in doubt alone, that
 * deletes the rows of a condition, or that the user has yet to commit. On a production connection the name must be typed for
 * each. AI clients have other gates.
 * @throws HostError `write/…`
 */
export function assertMayWrite({ name, safeMode, isProduction }: SavedConnection, write: Write): void {
	if (write.access === 'read') return
	if (safeMode === 'read-only') throw writeErrors.make('read_only', { name })
	const isDestructive = write.access === 'destructive'
	if (isDestructive && isProduction && write.typed !== write.name) {
		throw writeErrors.make('name_needed', { expected: write.name })
	}
	const isLeft = (write.isOpaque === true || write.isSelective === true || write.isUndone === true) && !isProduction
	const mustBeShown = safeMode !== 'free' || (isDestructive && !isLeft)
	if (mustBeShown && !write.wasShown()) throw writeErrors.make('not_shown', { name })
}
