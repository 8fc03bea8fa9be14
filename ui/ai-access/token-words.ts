import type { TokenLevel } from '../../host/api/api.ts'

/** Labels of a token's level and lifetime. */
export const levels = {
	'read-only': 'Read only',
	'read-write': 'Read and write',
	full: 'Destructive too',
} as const satisfies Readonly<Record<TokenLevel, string>>
/** Scopes that a token can have one by one. */
export const coreScopes = ['tools:read', 'tools:write', 'tools:destructive', 'resources:read'] as const
const scopeNames: Readonly<Record<string, string>> = {
	'tools:read': 'reads',
	'tools:write': 'writes',
	'tools:destructive': 'deletes',
	'resources:read': 'reads resources',
} satisfies Readonly<Record<(typeof coreScopes)[number], string>>
/** A scope in words. One that only a newer version knows has its own name. */
export const scopeWords = (scope: string): string => scopeNames[scope] ?? scope
export const lifetimes = { '1d': '1 day', '30d': '30 days', '90d': '90 days', never: 'Never expires' } as const
