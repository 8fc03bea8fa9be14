/** Labels of what a user may write to a connection. */

type SafeMode = 'read-only' | 'ask' | 'free'

interface Guarded {
	readonly safeMode: SafeMode
	readonly isProduction: boolean
}

/** What the driver says about a statement. */
interface Judged {
	readonly access: string
	readonly isOpaque?: true
	readonly isSelective?: true
}

export const safeModeWords: Readonly<Record<SafeMode, string>> = {
	'read-only': 'Read only',
	ask: 'Asks before writes',
	free: 'Writes without asking',
}

/** One word for narrow places; empty if nothing needs to be said. */
export function shortGuard({ safeMode, isProduction }: Guarded): string | undefined {
	if (isProduction) return 'PROD'
	return { 'read-only': 'Read only', ask: 'Asks', free: undefined }[safeMode]
}

export function guardWords({ safeMode, isProduction }: Guarded): string {
	return [...(isProduction ? ['Production'] : []), safeModeWords[safeMode]].join(' · ')
}

/**
 * Whether the user is asked before a write is sent, as the host checks again (host/api/safe-mode.ts).
 * @param isUndone whether a rollback of the user leaves nothing of it
 */
export function asksFor(
	{ safeMode, isProduction }: Guarded,
	{ access, isOpaque, isSelective }: Judged,
	isUndone: boolean,
): boolean {
	if (access === 'read' || safeMode === 'read-only') return false
	const isLeft = (isOpaque === true || isSelective === true || isUndone) && !isProduction
	return safeMode === 'ask' || (access === 'destructive' && !isLeft)
}

/** Why rows of a read-only connection take no changes, before any is made. */
export function cannotWrite(name: string, { safeMode }: Pick<Guarded, 'safeMode'>) {
	if (safeMode !== 'read-only') return undefined
	const why = `"${name}" is read-only. To allow writes, select Edit and change the safe mode of the connection.`
	return { insert: why, update: why, delete: why }
}
